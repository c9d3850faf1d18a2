"""Checks of the exercises in notebook 05 (softmax), and the course's own answers."""

import math
from functools import partial

import torch

from companion.checks.compared import compared_with
from companion.checks.exercise import exercise
from companion.checks.feedback import ROUNDED, Mistake, calls, expect, expect_kind, explained
from companion.mistakes import LAST_AXIS, OVERFLOW, exp_minus, table_of, wrong_softmaxes

row_softmax = partial(torch.softmax, dim=-1)
SHARED = "large scores give nan: all rows share one maximum; subtract each row's own"
PAIR = "`max(dim=-1)` returns two tensors: subtract its `.values`, and give it `keepdim=True`, one largest for each row"
BUILT_IN = "Python's own `max` compares whole rows: `scores.amax(dim=-1, keepdim=True)` finds the largest of each row"
ONE_NUMBER = "math.exp takes a single number; torch.exp takes a whole tensor: use torch.exp"
ONE_AXIS = (
    "in a batch (2, 3, 5) the sums or the largest scores do not line up with the scores: give both keepdim=True, "
    "so that they are (2, 3, 1); [:, None] would make (2, 1, 3)"
)
THEIRS = "the weights are right, but PyTorch's own softmax made them; write the exps and the division yourself"


SOFTMAX = table_of(wrong_softmaxes, torch.zeros(2, 2)) | {
    LAST_AXIS: partial(torch.softmax, dim=1),
    OVERFLOW: exp_minus(lambda scores: 0.0),
    SHARED: exp_minus(torch.max),
    ONE_NUMBER: lambda scores: torch.tensor(math.exp(scores)),
    PAIR: exp_minus(lambda scores: scores.max(dim=-1)),
    THEIRS: row_softmax,
}
SOFTMAX_STOPS = {
    "return_types.max": PAIR,
    "Boolean value of Tensor": BUILT_IN,
    "Python scalars": ONE_NUMBER,
    "must match the size of tensor b": ONE_AXIS,
}


@compared_with(row_softmax, SOFTMAX, SOFTMAX_STOPS)
def check_softmax(softmax):
    """each row sums to 1, whatever the axes in front, and large scores do not overflow."""
    sample, batch = torch.randn(4, 4), torch.randn(2, 3, 5)
    large = torch.tensor([[1000.0, 980.0, 0.0], [-1000.0, -1020.0, -2000.0]])
    yield "softmax of 4 rows of scores", (sample,)
    if softmax(large).isnan().any():
        rows = torch.cat([softmax(row) for row in large.split(1)])
        raise Mistake(OVERFLOW if rows.isnan().any() else SHARED)
    yield "softmax of scores of 1000", (large,), {}
    yield "softmax of a batch (2, 3, 5)", (batch,), {LAST_AXIS: SOFTMAX[LAST_AXIS]}
    yield "softmax of a single row (4,)", (sample[0],), {}
    expect(not any("softm" in name for name in calls(softmax, batch)), THEIRS)


def score_for_share(others, share):
    """Return the score that gets a share of the weight against other words that all score 0."""
    return math.log(others * share / (1 - share))


NO_LOG = "this is the exp that the score must have: which number has it? math.log finds it"
NO_OTHERS = "it gives the same for any number of others; each of them has the exp 1, and they are added up"
NO_SHARE = "it gives the same for any share; log(others) is right for a share of one half"
SCORE_NEEDED = {  # {message: wrong answer}
    NO_LOG: lambda others, share: others * share / (1 - share),
    NO_OTHERS: lambda others, share: math.log(share / (1 - share)),
    NO_SHARE: lambda others, share: math.log(others),
    "a share is of the whole sum, and the word's own exp is in this sum, too": lambda n, share: math.log(n * share),
}


@exercise(mistakes=SCORE_NEEDED)
def check_score_needed(score_needed):
    """for any share, against any number of others."""
    with explained({"log(): argument": "torch.log takes a tensor; math.log takes a number, and gives one"}):
        for others, share in ((20, 0.3), (7, 0.5)):
            score, doing = score_needed(others, share), f"score_needed({others}, {share})"
            expect_kind(score, int | float | torch.Tensor, doing, "a number")
            sizes = tuple(torch.as_tensor(score).shape)
            expect(sum(sizes) == len(sizes), f"{doing} gives a tensor of shape {sizes}, but one number was expected")
            _expect_score(float(score), others, share, doing)


def _expect_score(score, others, share, doing):
    gap = abs(score - score_for_share(others, share))
    if gap > 1e-4:
        for message, wrong in SCORE_NEEDED.items():
            expect(abs(score - wrong(others, share)) > 1e-4, message)
        expect(gap > 0.06, f"{doing} is rounded; {ROUNDED}")
        weight = row_softmax(torch.tensor([score] + others * [0.0]))[0]
        raise Mistake(f"{doing} gives {score:.2f}, and with this score the word gets {weight:.2f} of the weight")
