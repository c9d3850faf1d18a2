"""Check of the exercise in notebook 05 (softmax), and the course's own answer."""

import math
from functools import partial

import torch

from companion.checks.feedback import Mistake, calls, expect
from companion.checks.mistakes import LAST_AXIS, OVERFLOW, wrong_softmaxes
from companion.checks.tables import compared_with, of_steps

RIGHT = partial(torch.softmax, dim=-1)
SHARED = "large scores give nan: all rows share one maximum; subtract each row's own"
PAIR = "`max(dim=-1)` returns two tensors: subtract its `.values`, and give it `keepdim=True`, one largest for each row"
BUILT_IN = "Python's own `max` compares whole rows: `scores.amax(dim=-1, keepdim=True)` finds the largest of each row"
ONE_NUMBER = "math.exp takes a single number; torch.exp takes a whole tensor: use torch.exp"
THEIRS = "the weights are right, but PyTorch's own softmax made them; write the exps and the division yourself"


@of_steps
def _less(scores, *, largest):
    exps = (scores - largest(scores)).exp()
    return exps / exps.sum(dim=-1, keepdim=True)


@of_steps
def _wrong(scores, *, message):
    return wrong_softmaxes(scores)[message]


SOFTMAX = {message: _wrong(message) for message in wrong_softmaxes(torch.zeros(2, 2))} | {
    LAST_AXIS: partial(torch.softmax, dim=1),
    OVERFLOW: _less(lambda scores: 0),
    SHARED: _less(torch.max),
    ONE_NUMBER: lambda scores: torch.tensor(math.exp(scores)),
    PAIR: _less(lambda scores: scores.max(dim=-1)),
    THEIRS: RIGHT,
}
SOFTMAX_STOPS = {"return_types.max": PAIR, "Boolean value of Tensor": BUILT_IN, "Python scalars": ONE_NUMBER}


@compared_with(RIGHT, SOFTMAX, SOFTMAX_STOPS)
def check_softmax(softmax):
    """each row sums to 1, whatever the axes in front, and large scores do not overflow."""
    sample, batch = torch.randn(4, 4), torch.randn(2, 3, 5)
    large = torch.tensor([[1000.0, 980.0, 0.0], [-1000.0, -1020.0, -2000.0]])
    yield "softmax of 4 rows of scores", (sample,)
    if softmax(large).isnan().any():
        alone = torch.cat([softmax(row) for row in large.split(1)])
        raise Mistake(OVERFLOW if alone.isnan().any() else SHARED)
    yield "softmax of scores of 1000", (large,), {}
    yield "softmax of a batch (2, 3, 5)", (batch,), {LAST_AXIS: SOFTMAX[LAST_AXIS]}
    yield "softmax of a single row (4,)", (sample[0],), {}
    expect(not any("softm" in name for name in calls(softmax, batch)), THEIRS)
