"""Checks of the assignment a1_single_head: softmax along rows, large scores, and batches."""

import torch

from classroom.checks.graded import graded
from utils.checks.feedback import COLUMNS, LAST_AXIS, OVERFLOW, expect, expect_tensor

SUMS = "the sums lack keepdim=True, so they run along the columns"
LARGEST = "the largest scores lack keepdim=True, so each is subtracted from a column"
TOGETHER = "all numbers together sum to 1: sum along the last axis only"
WIDE = "a row such as [0, 1000, 2000] gives nan: subtracting its mean or its smallest still overflows; take its largest"


@graded
def check_softmax_rows(student, draw):
    """no weight is negative, and each row sums to 1."""
    size = draw.sizes(1)[0]
    for rows in (size, size + 2):
        sample = draw.normal(rows, size)
        exps = sample.exp()
        mistakes = {
            COLUMNS: torch.softmax(sample, 0),
            TOGETHER: exps / exps.sum(),
            "exp without the division: the rows do not sum to 1": exps,
            "exp is missing: dividing by the sum alone keeps negative numbers": sample / sample.sum(-1, keepdim=True),
            "these are logarithms of weights; take exp of them": torch.log_softmax(sample, -1),
        }
        if rows == size:
            stable, lacking = (sample - sample.amax(-1, keepdim=True)).exp(), (sample - sample.amax(-1)).exp()
            mistakes[SUMS] = exps / exps.sum(-1)
            mistakes["the sums lack keepdim=True, so row i's sum divides column i"] = stable / stable.sum(-1)
            mistakes[LARGEST] = lacking / lacking.sum(-1, keepdim=True)
            mistakes[f"keepdim=True is missing twice: {SUMS}, and {LARGEST}"] = lacking / lacking.sum(-1)
        expect_tensor(_softmax(student, sample), torch.softmax(sample, -1), f"softmax_rows of {rows} rows", mistakes)


@graded
def check_softmax_large(student, draw):
    """large scores do no harm: each row's own largest one is subtracted first."""
    sample, spacing = draw.normal(4, 5), 1e-3  # of floats near 1000, with some room: a logarithm there is no finer
    for offset in (1_000.0, -1_000.0):
        given = _softmax(student, sample + offset)
        expect(not (isinstance(given, torch.Tensor) and given.isnan().any()), OVERFLOW)
        right = torch.softmax(sample + offset, -1)
        expect_tensor(given, right, f"softmax_rows of scores near {offset:.0f}", atol=spacing)
    places = torch.tensor([[0.0, 1.0, 2.0], [2.0, 0.0, 1.0], [1.0, 2.0, 0.0]])
    wide = draw.normal(3, 3) + 1_000 * places
    given = _softmax(student, wide)
    expect(not (isinstance(given, torch.Tensor) and given.isnan().any()), WIDE)
    expect_tensor(given, torch.softmax(wide, -1), "softmax_rows of a row from 0 to 2000", atol=spacing)
    mixed = draw.normal(3, 4) + torch.tensor([[800.0], [0.0], [-800.0]])
    mistakes = {
        "the largest score of all is subtracted, so other rows vanish: take each row's own": torch.nan_to_num(
            (mixed - mixed.max()).exp() / (mixed - mixed.max()).exp().sum(-1, keepdim=True), nan=-1.0
        )
    }
    given = _softmax(student, mixed)
    if isinstance(given, torch.Tensor) and given.is_floating_point():
        given = torch.nan_to_num(given, nan=-1.0)
    doing = "softmax_rows of one row near 800 and one near -800"
    expect_tensor(given, torch.softmax(mixed, -1), doing, mistakes, atol=spacing)


@graded
def check_softmax_batch(student, draw):
    """a batch of scores is no harder."""
    sample = draw.normal(*draw.sizes(3))
    exps = sample.exp()
    mistakes = {
        LAST_AXIS: torch.softmax(sample, 1),
        TOGETHER: exps / exps.sum(),
        "softmax runs over the batch, axis 0: use axis -1, the keys": torch.softmax(sample, 0),
        "each matrix sums to 1 here, not each row: a loop over a batch meets matrices; sum along axis -1": (
            exps / exps.sum((-2, -1), keepdim=True)
        ),
    }
    doing = f"softmax_rows of a batch {tuple(sample.shape)}"
    expect_tensor(_softmax(student, sample), torch.softmax(sample, -1), doing, mistakes)


def _softmax(student, sample):
    return student.call("softmax_rows", sample)
