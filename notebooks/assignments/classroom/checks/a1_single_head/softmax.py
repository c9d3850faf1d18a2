"""Checks of the assignment a1_single_head: softmax along rows, large scores, and batches."""

import torch

from classroom.checks.graded import graded, uses
from companion.checks.feedback import close, expect, expect_tensor
from companion.checks.mistakes import LAST_AXIS, OVERFLOW, over_all, wrong_softmaxes

WIDE = "a row such as [0, 1000, 2000] gives nan: subtracting its mean or its smallest still overflows; take its largest"


@graded
def check_softmax_rows(student, draw):
    """no weight is negative, and each row sums to 1."""
    size = draw.sizes(1)[0]
    for rows in (size, size + 2):
        sample = draw.normal(rows, size)
        given, right = _softmax(student, sample), torch.softmax(sample, -1)
        expect_tensor(given, right, f"softmax_rows of {rows} rows", wrong_softmaxes(sample))


@graded
def check_softmax_large(student, draw):
    """large scores do no harm: each row's own largest one is subtracted first."""
    sample, spacing = draw.normal(4, 4), 1e-3  # of floats near 1000, with some room: a logarithm there is no finer
    slip = _slip(student, sample)
    right = torch.softmax(sample, -1) if slip is None else slip
    for offset in (1_000.0, -1_000.0):
        given = _softmax(student, sample + offset)
        expect(not (isinstance(given, torch.Tensor) and given.isnan().any()), OVERFLOW)
        expect_tensor(given, right, f"softmax_rows of scores near {offset:.0f}", atol=spacing)
    places = torch.tensor([[0.0, 1.0, 2.0], [2.0, 0.0, 1.0], [1.0, 2.0, 0.0]])
    wide = draw.normal(3, 3) + 1_000 * places
    given = _softmax(student, wide)
    expect(not (isinstance(given, torch.Tensor) and given.isnan().any()), WIDE)
    if slip is not None:
        return
    expect_tensor(given, torch.softmax(wide, -1), "softmax_rows of a row from 0 to 2000", atol=spacing)
    mixed = draw.normal(3, 4) + torch.tensor([[800.0], [0.0], [-800.0]])
    vanished = (mixed - mixed.max()).exp()
    mistakes = {
        "the largest score of all is subtracted, so other rows vanish: take each row's own": (
            vanished / vanished.sum(-1, keepdim=True)  # 0/0 in the other rows
        )
    }
    doing = "softmax_rows of one row near 800 and one near -800"
    expect_tensor(_softmax(student, mixed), torch.softmax(mixed, -1), doing, mistakes, atol=spacing)


@graded
def check_softmax_batch(student, draw):
    """a batch of scores is no harder."""
    sample = draw.normal(*draw.sizes(3))
    given, forms = _softmax(student, sample), (*wrong_softmaxes(sample).values(), torch.softmax(sample, 0))
    if _slip(student, sample[0]) is not None and any(close(given, form) for form in forms):
        return
    mistakes = {
        LAST_AXIS: torch.softmax(sample, 1),
        "each matrix sums to 1 here, not each row: a loop over a batch meets matrices; sum along axis -1": (
            over_all(sample)
        ),
    }
    doing = f"softmax_rows of a batch {tuple(sample.shape)}"
    expect_tensor(given, torch.softmax(sample, -1), doing, mistakes)


def remarks(sources):
    """Note a softmax that is PyTorch's own."""
    return uses(sources, "softmax_rows", r"\b\w++\.(?:log_)?[sS]oftmax\b|\bsoftmax(?=\()")


def _slip(student, sample):
    """Return what the student's own softmax gives if a known slip makes that: check_softmax_rows charges it, once."""
    own = student.own("softmax_rows", sample)
    return own if any(close(own, wrong) for wrong in wrong_softmaxes(sample).values()) else None


def _softmax(student, sample):
    return student.call("softmax_rows", sample)
