"""Check of the exercise on the handbook's page "Softmax"."""

import torch

from companion.checks.compared import compared_with
from companion.checks.feedback import expect
from companion.checks.notebook_05 import row_softmax
from companion.slips import slips

OTHER_AXIS = "the sum runs over axis 1, which is the last one of a matrix only: use axis -1, the keys"
DIVIDED = "a weight of 0 gives nan: divide by no weight, and take no log of one"


def _ask_autograd(weights, upstream):
    scores = weights.log().requires_grad_()  # softmax of the logs of weights gives the weights again
    (row_softmax(scores) * upstream).sum().backward()
    return scores.grad


def _gradient(weights, upstream):
    return weights * (upstream - (weights * upstream).sum(-1, keepdim=True))


SLIPS = {  # {message: what a wrong softmax_gradient has instead}
    "this is upstream alone, as if the weights were the scores": {"return": "return upstream  # "},
    "weights times upstream alone: raising one score also lowers all other weights of its row": {
        " - (weights * upstream).sum(-1, keepdim=True)": ""
    },
    "only each score's own weight is counted, α (1 − α); the others of its row fall": {".sum(-1, keepdim=True)": ""},
    "the weight α in front is missing": {"weights * (upstream -": "(upstream -"},
    "the sum lacks keepdim=True, so row i's sum is taken off column i": {", keepdim=True": ""},
    OTHER_AXIS: {"-1": "1"},
    DIVIDED: lambda weights, upstream: weights * _ask_autograd(weights, upstream) / weights,
}
GRADIENT = slips(_gradient, SLIPS)


@compared_with(_ask_autograd, GRADIENT)
def check_softmax_gradient(softmax_gradient):
    """these are autograd's numbers: each row of them sums to 0, and a saturated row hands on nothing."""
    saturated = torch.tensor([[0.0, 1, 0], [0.5, 0.5, 0]]), torch.tensor([[3.0, 2, -1], [3, 2, -1]])
    rows, batch = ((row_softmax(torch.randn(size)), torch.randn(size)) for size in ((4, 4), (2, 3, 5)))
    yield "the gradient of 4 rows", rows
    yield "the gradient of a batch (2, 3, 5)", batch, {OTHER_AXIS: GRADIENT[OTHER_AXIS]}
    expect(not softmax_gradient(*saturated).isnan().any(), DIVIDED)
    yield "the gradient of rows with weights of 0", saturated, {}
