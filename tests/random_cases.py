"""What the tests of `utils` draw at random, and how close two results must be."""

import pytest
import torch
from hypothesis import settings
from hypothesis import strategies as st

SIZES = st.integers(1, 8)
BATCHES = st.lists(st.integers(1, 3), max_size=2).map(tuple)
SEEDS = st.integers(0, 2**32 - 1)
WITHIN = {torch.float32: 1e-6, torch.float64: 1e-12}
EACH_PRECISION = pytest.mark.parametrize("dtype", WITHIN, ids=str)


def tries(number):
    """Return the setting of a test that is run with so many drawn cases, the same in each run."""
    return settings(max_examples=number, deadline=None, derandomize=True)


def uniform(*shape, dtype=torch.float32):
    """Draw numbers between -1 and 1 from torch's own generator."""
    return torch.rand(shape, dtype=dtype) * 2 - 1


def assert_close(ours, reference, dtype=torch.float32, times=1):
    """Compare numbers, those above 1 by their size; times: how often the usual tolerance is allowed."""
    within = times * WITHIN[dtype]
    torch.testing.assert_close(ours, reference, atol=within, rtol=within, check_dtype=False)


@st.composite
def masks(draw, leading_axes, queries, keys):
    """None, or a mask with 1 on any of its axes, and sometimes a query that may see nothing."""
    if draw(st.booleans()):
        return None
    axes = (*draw(st.sampled_from(leading_axes)), queries, keys)
    mask = torch.rand([draw(st.sampled_from([1, size])) for size in axes]) < 0.7
    if draw(st.booleans()):
        mask[..., 0, :] = False
    return mask
