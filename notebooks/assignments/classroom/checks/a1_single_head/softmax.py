"""Checks of the assignment a1_single_head: softmax along rows, large scores, and batches."""

import torch

from classroom.checks.graded import graded, table_of, uses
from companion.checks.feedback import close, expect, expect_tensor
from companion.checks.mistakes import LAST_AXIS, OVERFLOW, given_by, over_all, wrong_softmaxes

WIDE = "a row such as [0, 1000, 2000] gives nan: subtracting its mean or its smallest still overflows; take its largest"


def _by_hand(subtracted, axis=-1):
    """Return a softmax that subtracts subtracted(scores), and whose sums run along an axis."""

    def softmax_rows(scores):
        exps = (scores - subtracted(scores)).exp()
        return exps / exps.sum(axis, keepdim=True)

    return softmax_rows


def _largest(axis):
    return lambda scores: scores.amax(axis, keepdim=True)


def _slips(scores):
    """Return {message: weights}, without the slips that stop with an error unless rows and columns are equally many."""
    return wrong_softmaxes(scores) | {
        "the sums run along the columns: sum each row, along dim=-1": _by_hand(_largest(-1), axis=-2)(scores),
        "the largest of each column is subtracted: take each row's own, along dim=-1": _by_hand(_largest(-2))(scores),
    }


LARGE = {
    OVERFLOW: _by_hand(lambda scores: 0.0),
    WIDE: _by_hand(lambda scores: scores.mean(-1, keepdim=True)),
    "the largest score of all is subtracted, so other rows vanish: take each row's own": _by_hand(torch.max),
}
BATCH = {
    LAST_AXIS: lambda scores: torch.softmax(scores, 1),
    "each matrix sums to 1 here, not each row: a loop over a batch meets matrices; sum along axis -1": (
        lambda scores: over_all(scores) if scores.ndim > 2 else torch.softmax(scores, -1)
    ),
}


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
    sample, spacing = draw.normal(4, 4), 1e-3  # of floats near 1000, with some room: a logarithm there is no finer
    slip = _own_slip(student, sample)
    right = torch.softmax(sample, -1) if slip is None else slip
    for offset in (1_000.0, -1_000.0):
        given = _softmax_without_nan(student, sample + offset, OVERFLOW)
        expect_tensor(given, right, f"softmax_rows of scores near {offset:.0f}", atol=spacing)
    wide = draw.normal(3, 3) + 1_000 * torch.tensor([[0.0, 1.0, 2.0], [2.0, 0.0, 1.0], [1.0, 2.0, 0.0]])
    given = _softmax_without_nan(student, wide, WIDE)
    if slip is None:
        expect_tensor(given, torch.softmax(wide, -1), "softmax_rows of a row from 0 to 2000", atol=spacing)
        mixed = draw.normal(3, 4) + torch.tensor([[800.0], [0.0], [-800.0]])
        given, doing = student.call("softmax_rows", mixed), "softmax_rows of one row near 800 and one near -800"
        expect_tensor(given, torch.softmax(mixed, -1), doing, given_by(LARGE, mixed), atol=spacing)


@graded(of="softmax_rows", mistakes=BATCH)
def check_softmax_batch(student, draw):
    """a batch of scores is no harder."""
    sample = draw.normal(*draw.sizes(3))
    given, right = student.call("softmax_rows", sample), torch.softmax(sample, -1)
    if _own_slip(student, sample[0]) is not None:  # along the columns, or along the batch, which is axis 0 here
        forms = *_slips(sample).values(), torch.softmax(sample, 0), _by_hand(_largest(-1), axis=0)(sample)
        right = next((form for form in forms if close(given, form)), right)
    expect_tensor(given, right, f"softmax_rows of a batch {tuple(sample.shape)}", given_by(BATCH, sample))


def remarks(sources):
    """Note a softmax that is PyTorch's own."""
    return uses(sources, "softmax_rows", r"\b\w++\.(?:log_)?[sS]oftmax\b|\bsoftmax(?=\()")


def _own_slip(student, sample):
    """Return what the student's own softmax gives if a known slip makes that: check_softmax_rows charges it, once."""
    own = student.own("softmax_rows", sample)
    return own if any(close(own, wrong) for wrong in _slips(sample).values()) else None


def _softmax_without_nan(student, sample, message):
    given = student.call("softmax_rows", sample)
    expect(not (isinstance(given, torch.Tensor) and given.isnan().any()), message)
    return given
