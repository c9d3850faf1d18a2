"""Checks of the assignment a1_single_head: softmax along rows, large scores, and batches."""

import torch

from classroom.checks.graded import graded, table_of, uses
from companion.checks.feedback import close, expect_tensor
from companion.checks.mistakes import LAST_AXIS, OVERFLOW, given_by, wrong_softmaxes


def _by_hand(largest, axis=-1):
    """Return a softmax that subtracts largest(scores), and whose sums run along an axis."""

    def softmax_rows(scores):
        exps = (scores - largest(scores)).exp()
        return exps / exps.sum(axis, keepdim=True)

    return softmax_rows


def _slips(scores):
    """Return {message: weights}, without the slips that stop with an error unless rows and columns are equally many."""
    by_columns = _by_hand(lambda scores: scores.amax(-1, keepdim=True), axis=-2)
    message = "the sums run along the columns: sum each row, along dim=-1"
    return wrong_softmaxes(scores) | {message: by_columns(scores)}


LARGE = {
    OVERFLOW: _by_hand(lambda scores: 0.0),
    "the largest score of all is subtracted, so other rows vanish: take each row's own": _by_hand(torch.max),
}
BATCH = {LAST_AXIS: lambda scores: torch.softmax(scores, 1)}


@graded(of="softmax_rows", mistakes=table_of(_slips, torch.eye(2)))
def check_softmax_rows(student, draw):
    """no weight is negative, and each row sums to 1."""
    size = draw.sizes(1)[0]
    for rows in (size, size + 2):
        sample = draw.normal(rows, size)
        given = student.call("softmax_rows", sample)
        expect_tensor(given, torch.softmax(sample, -1), f"softmax_rows of {rows} rows", _slips(sample))


@graded(of="softmax_rows", mistakes=LARGE)
def check_softmax_large(student, draw):
    """large scores do no harm: each row's own largest one is subtracted first."""
    sample = draw.normal(3, 3)
    slip = _own_slip(student, sample)
    cases = {"near 1000": sample + 1_000, "near -1000": sample - 1_000}
    if slip is None:
        cases["of which each row has some near 0, 1000 and 2000"] = sample + torch.tensor([0.0, 1_000.0, 2_000.0])
        cases["near 800 in one row and near -800 in another"] = sample + torch.tensor([[800.0], [0.0], [-800.0]])
    for where, scores in cases.items():
        right = torch.softmax(scores, -1) if slip is None else slip
        given, spacing = student.call("softmax_rows", scores), 1e-3  # as floats near 1000 have it, with some room
        expect_tensor(given, right, f"softmax_rows of scores {where}", given_by(LARGE, scores), atol=spacing)


@graded(of="softmax_rows", mistakes=BATCH)
def check_softmax_batch(student, draw):
    """a batch of scores is no harder."""
    sample = draw.normal(*draw.sizes(3))
    given = student.call("softmax_rows", sample)
    if _own_slip(student, sample[0]) is not None:  # along the columns, or along axis 0
        forms = *_slips(sample).values(), torch.softmax(sample, 0)
        if any(close(given, form) for form in forms):
            return
    doing = f"softmax_rows of a batch {tuple(sample.shape)}"
    expect_tensor(given, torch.softmax(sample, -1), doing, given_by(BATCH, sample))


def remarks(sources):
    """Note a softmax that is PyTorch's own."""
    return uses(sources, "softmax_rows", r"\b\w++\.(?:log_)?[sS]oftmax\b|\bsoftmax(?=\()")


def _own_slip(student, sample):
    """Return what the student's own softmax gives if a known slip makes that: check_softmax_rows charges it, once."""
    own = student.own("softmax_rows", sample)
    return own if any(close(own, wrong) for wrong in _slips(sample).values()) else None
