"""Checks of the exercises in notebook 05 (softmax), and the course's own answer to one of them."""

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
ZERO = "a weight of 0 gives nan, because log(0) is -inf and 0 · -inf is nan; 0 · log 0 counts as 0"
OTHER_AXIS = "the sum runs over axis 1, which is the last one of a matrix only: use axis -1, the keys"
DIVIDED = "a weight of 0 gives nan: divide by no weight, and take no log of one"


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


def effective_keys(weights):
    """Return exp(entropy) of each row: at how many keys it looks, in effect."""
    return torch.special.entr(weights).sum(dim=-1).exp()


def _entropy(weights, log=torch.log):
    return -(weights * log(weights)).sum(dim=-1)


def _with(small):
    return lambda weights: _entropy(weights, lambda part: (part + small).log()).exp()


SPREAD = {
    "this is the entropy; take exp of it to get a number of keys": _entropy,
    "the sign is turned: entropy is minus the sum": lambda weights: (-_entropy(weights)).exp(),
    "exp comes last, after the sum": lambda weights: (-weights * weights.log()).exp().sum(dim=-1),
    "`weights[weights > 0]` gives one number for all rows": lambda weights: _entropy(weights).sum().exp(),
    ZERO: lambda weights: _entropy(weights).exp(),
} | {  # a finer one lies within the tolerance
    f"the {small:g} that is added inside log changes every weight; let it change only those of 0": _with(small)
    for small in (1e-2, 1e-3, 1e-4, 1e-5)
}


@compared_with(effective_keys, SPREAD)
def check_spread(spread):
    """one key counts as 1, n equal ones as n, and zeros do no harm."""
    zeros = torch.tensor([[1.0, 0.0, 0.0], [0.5, 0.5, 0.0]])
    yield "spread of 3 rows of weights", (RIGHT(torch.randn(3, 4)),)
    expect(not spread(zeros).isnan().any(), ZERO)
    yield "spread of rows in which some weights are 0", (zeros,), {}


def _by_autograd(weights, upstream):
    scores = weights.log().requires_grad_()  # softmax of the logs of weights gives the weights again
    (RIGHT(scores) * upstream).sum().backward()
    return scores.grad


def _average(weights, upstream, dim=-1, keepdim=True):
    return (weights * upstream).sum(dim, keepdim=keepdim)


def _taking(taken):
    """Subtract something other than the average."""
    return lambda weights, upstream: weights * (upstream - taken(weights, upstream))


GRADIENT = {
    "this is upstream alone, as if the weights were the scores": lambda weights, upstream: upstream,
    "weights times upstream alone: raising one score also lowers all other weights of its row": torch.mul,
    "only each score's own weight is counted, α (1 − α); the others of its row fall": _taking(torch.mul),
    "the weight α in front is missing": lambda weights, upstream: upstream - _average(weights, upstream),
    "α belongs before the average, too: α (upstream - average)": lambda *given: torch.mul(*given) - _average(*given),
    "the sign is turned: upstream minus the average": lambda *given: -_by_autograd(*given),
    "the average is added; it is taken off, because the other weights fall": _taking(lambda *row: -_average(*row)),
    "all rows share one sum: sum along the last axis only": _taking(lambda *row: _average(*row).sum()),
    "the sum lacks keepdim=True, so row i's sum is taken off column i": _taking(partial(_average, keepdim=False)),
    OTHER_AXIS: _taking(partial(_average, dim=1)),
    DIVIDED: lambda weights, upstream: weights * _by_autograd(weights, upstream) / weights,
}


@compared_with(_by_autograd, GRADIENT)
def check_softmax_gradient(softmax_gradient):
    """these are autograd's numbers: each row of them sums to 0, and a saturated row hands on nothing."""
    saturated = torch.tensor([[0.0, 1, 0], [0.5, 0.5, 0]]), torch.tensor([[3.0, 2, -1], [3, 2, -1]])
    rows, batch = ((RIGHT(torch.randn(size)), torch.randn(size)) for size in ((4, 4), (2, 3, 5)))
    yield "the gradient of 4 rows", rows
    yield "the gradient of a batch (2, 3, 5)", batch, {OTHER_AXIS: GRADIENT[OTHER_AXIS]}
    expect(not softmax_gradient(*saturated).isnan().any(), DIVIDED)
    yield "the gradient of rows with weights of 0", saturated, {}
