import cmath
import itertools
import math
from functools import partial

import pytest
import torch
from hypothesis import given
from hypothesis import strategies as st

import random_cases
from random_cases import EACH_PRECISION, SEEDS, tries
from utils.positions import PAIRINGS, alibi, rotate, sinusoidal

assert_close = partial(random_cases.assert_close, times=10)
SIZES = st.integers(1, 16).map(lambda pairs: 2 * pairs)


@pytest.mark.parametrize("size", [2, 6, 64])
def test_sinusoidal_follows_the_formula(size, monkeypatch):
    by_loop = torch.zeros(50, size, dtype=torch.float64)
    for position in range(50):
        for pair in range(size // 2):
            angle = position / 10000 ** (2 * pair / size)
            by_loop[position, 2 * pair], by_loop[position, 2 * pair + 1] = math.sin(angle), math.cos(angle)
    assert_close(sinusoidal(50, size), by_loop.float())
    monkeypatch.setattr(torch, "get_default_dtype", lambda: torch.float64)
    assert_close(sinusoidal(50, size), by_loop, torch.float64)


@EACH_PRECISION
@pytest.mark.parametrize("pairing", PAIRINGS)
@tries(20)
@given(SIZES, st.lists(st.integers(0, 500), min_size=1, max_size=5), st.sampled_from([10_000, 500]), SEEDS)
def test_rotating_turns_each_pair_by_its_angle(dtype, pairing, size, positions, base, seed):
    torch.manual_seed(seed)
    features = torch.randn(2, len(positions), size, dtype=dtype)
    turned = rotate(features, positions, pairing, base)
    assert turned.dtype == dtype and rotate(features).equal(rotate(features, range(len(positions)), base=10_000))
    for (row, position), pair in itertools.product(enumerate(positions), range(size // 2)):
        first, second = (pair, pair + size // 2) if pairing == "halves" else (2 * pair, 2 * pair + 1)
        before, after = (torch.complex(rows[:, row, first], rows[:, row, second]) for rows in (features, turned))
        expected = before * cmath.exp(1j * position / base ** (2 * pair / size))
        assert_close(torch.view_as_real(after), torch.view_as_real(expected), dtype)


@pytest.mark.parametrize("num_heads, first, last", [(8, 1 / 2, 1 / 256), (16, 2**-0.5, 1 / 256), (1, 1 / 256, 1 / 256)])
def test_alibis_penalty_is_the_published_slope_times_the_distance(num_heads, first, last):
    distances = torch.tensor([[0.0, 1, 2], [1, 0, 1], [2, 1, 0]])
    slopes = first * (last / first) ** torch.linspace(0, 1, num_heads)  # a geometric sequence
    assert_close(alibi(num_heads, 3), -slopes[:, None, None] * distances)
