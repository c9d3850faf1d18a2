"""Check of the exercise on the handbook's page "Softmax"."""

from functools import partial

import torch

from companion.checks.compared import compared_with
from companion.checks.feedback import expect
from companion.checks.notebook_05 import row_softmax

OTHER_AXIS = "the sum runs over axis 1, which is the last one of a matrix only: use axis -1, the keys"
DIVIDED = "a weight of 0 gives nan: divide by no weight, and take no log of one"


def _ask_autograd(weights, upstream):
    scores = weights.log().requires_grad_()  # softmax of the logs of weights gives the weights again
    (row_softmax(scores) * upstream).sum().backward()
    return scores.grad


def _average(weights, upstream, dim=-1, keepdim=True):
    return (weights * upstream).sum(dim, keepdim=keepdim)


def _gradient_with(average):
    """Subtract something other than the average."""
    return lambda weights, upstream: weights * (upstream - average(weights, upstream))


GRADIENT = {
    "this is upstream alone, as if the weights were the scores": lambda weights, upstream: upstream,
    "weights times upstream alone: raising one score also lowers all other weights of its row": torch.mul,
    "only each score's own weight is counted, α (1 − α); the others of its row fall": _gradient_with(torch.mul),
    "the weight α in front is missing": lambda weights, upstream: upstream - _average(weights, upstream),
    "the sum lacks keepdim=True, so row i's sum is taken off column i": _gradient_with(
        partial(_average, keepdim=False)
    ),
    OTHER_AXIS: _gradient_with(partial(_average, dim=1)),
    DIVIDED: lambda weights, upstream: weights * _ask_autograd(weights, upstream) / weights,
}


@compared_with(_ask_autograd, GRADIENT)
def check_softmax_gradient(softmax_gradient):
    """these are autograd's numbers: each row of them sums to 0, and a saturated row hands on nothing."""
    saturated = torch.tensor([[0.0, 1, 0], [0.5, 0.5, 0]]), torch.tensor([[3.0, 2, -1], [3, 2, -1]])
    rows, batch = ((row_softmax(torch.randn(size)), torch.randn(size)) for size in ((4, 4), (2, 3, 5)))
    yield "the gradient of 4 rows", rows
    yield "the gradient of a batch (2, 3, 5)", batch, {OTHER_AXIS: GRADIENT[OTHER_AXIS]}
    expect(not softmax_gradient(*saturated).isnan().any(), DIVIDED)
    yield "the gradient of rows with weights of 0", saturated, {}
