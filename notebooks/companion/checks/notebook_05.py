"""Checks of the exercises in notebook 05 (softmax)."""

import math

import torch

from companion.checks.exercise import exercise
from companion.checks.feedback import Mistake, calls, expect, expect_tensor
from companion.checks.mistakes import LAST_AXIS, OVERFLOW, wrong_softmaxes
from utils.attention import masked_softmax


@exercise
def check_softmax(softmax):
    """each row sums to 1, whatever stands in front, and large scores do not overflow."""
    sample = torch.randn(4, 4)
    by_column = (sample - sample.amax(0)).exp()
    mistakes = wrong_softmaxes(sample) | {
        "each column's largest is subtracted; subtract each row's own": by_column / by_column.sum(-1, keepdim=True)
    }
    expect_tensor(softmax(sample), masked_softmax(sample), "softmax of 4 rows of scores", mistakes)
    large = torch.tensor([[1000.0, 980.0, 0.0], [-1000.0, -1020.0, -2000.0]])
    given = softmax(large)
    if given.isnan().any():
        alone = torch.cat([softmax(row) for row in large.split(1)])
        expect(alone.isnan().any(), "large scores give nan: all rows share one maximum; subtract each row's own")
        raise Mistake(OVERFLOW)
    expect_tensor(given, masked_softmax(large), "softmax of scores of 1000")
    batch = torch.randn(2, 3, 5)
    mistakes = {LAST_AXIS: torch.softmax(batch, 1)}
    expect_tensor(softmax(batch), masked_softmax(batch), "softmax of a batch (2, 3, 5)", mistakes)
    expect_tensor(softmax(sample[0]), masked_softmax(sample)[0], "softmax of a single row (4,)")
    message = "the weights are right, but PyTorch's own softmax made them; write the exps and the division yourself"
    expect(not any("softm" in name for name in calls(softmax, batch)), message)


@exercise
def check_spread(spread):
    """one key counts as 1, n equal ones as n, and zeros do no harm."""
    sample = masked_softmax(torch.randn(3, 4))
    entropy = -(sample * sample.log()).sum(-1)
    mistakes = {
        "this is the entropy; take exp of it to get a number of keys": entropy,
        "this is the entropy in bits; take 2 to its power to get a number of keys": entropy / math.log(2),
        "the sign is turned: entropy is minus the sum": (-entropy).exp(),
        "this is a mean over the keys; entropy is a sum": (entropy / sample.shape[-1]).exp(),
        "exp comes last, after the sum": (-sample * sample.log()).exp().sum(-1),
        "exp undoes the natural logarithm, not log2: use the same base twice": (entropy / math.log(2)).exp(),
        "this is one number for all rows (picking `weights[weights > 0]` flattens them); give each row its own": (
            entropy.sum().exp()
        ),
        "this is the average row's; give each row its own": entropy.mean().exp(),
    }
    for small in (1e-2, 1e-3, 1e-4, 1e-5):  # a finer one lies within the tolerance
        message = f"the {small:g} that is added inside log changes every weight; let it change only those of 0"
        mistakes[message] = (-(sample * (sample + small).log()).sum(-1)).exp()
    expect_tensor(spread(sample), entropy.exp(), "spread of 3 rows of weights", mistakes)
    expect_tensor(spread(torch.full((1, 8), 1 / 8)), torch.tensor([8.0]), "spread over 8 equal weights")
    given = spread(torch.tensor([[1.0, 0.0, 0.0], [0.5, 0.5, 0.0]]))
    expect(
        not given.isnan().any(),
        "a weight of 0 gives nan, because log(0) is -inf and 0 · -inf is nan; 0 · log 0 counts as 0",
    )
    expect_tensor(given, torch.tensor([1.0, 2.0]), "spread of rows in which some weights are 0")


@exercise
def check_softmax_gradient(softmax_gradient):
    """these are autograd's numbers: each row of them sums to 0, and a saturated row hands on nothing."""
    sample, upstream = masked_softmax(torch.randn(4, 4)), torch.randn(4, 4)
    doing, mistakes = "the gradient of 4 rows", _wrong_gradients(sample, upstream)
    expect_tensor(softmax_gradient(sample, upstream), _by_autograd(sample, upstream), doing, mistakes)
    batch, upstream = masked_softmax(torch.randn(2, 3, 5)), torch.randn(2, 3, 5)
    other_axis = "the sum runs over axis 1, which is the last one of a matrix only: use axis -1, the keys"
    mistakes = {other_axis: batch * (upstream - (batch * upstream).sum(1, keepdim=True))}
    doing = "the gradient of a batch (2, 3, 5)"
    expect_tensor(softmax_gradient(batch, upstream), _by_autograd(batch, upstream), doing, mistakes)
    saturated = torch.tensor([[0.0, 1.0, 0.0], [0.5, 0.5, 0.0]])
    given = softmax_gradient(saturated, torch.tensor([[3.0, 2.0, -1.0], [3.0, 2.0, -1.0]]))
    expect(not given.isnan().any(), "a weight of 0 gives nan: divide by no weight, and take no log of one")
    expect_tensor(given, torch.tensor([[0.0, 0, 0], [0.25, -0.25, 0]]), "the gradient of rows with weights of 0")


def _by_autograd(weights, upstream):
    scores = weights.log().requires_grad_()  # softmax of the logs of weights gives the weights again
    (masked_softmax(scores) * upstream).sum().backward()
    return scores.grad


def _wrong_gradients(weights, upstream):
    """Return {message: what a gradient of softmax written by hand gives with this mistake}."""
    product = weights * upstream
    average = product.sum(-1, keepdim=True)
    return {
        "this is upstream alone, as if the weights were the scores": upstream,
        "weights times upstream alone: raising one score also lowers all other weights of its row": product,
        "only each score's own weight is counted, α (1 − α); the others of its row fall": product * (1 - weights),
        "only the other weights are counted; the raised score's own weight rises by α (1 − α)": (
            weights * (product - average)
        ),
        "the weight in front is missing: upstream minus its average, times α": upstream - average,
        "α stands only before upstream; it belongs before the average, too: α (upstream - average)": product - average,
        "each score's own upstream is taken off twice: in (1 - α) and in the sum over all": (
            product * (1 - weights) - weights * average
        ),
        "the other weights fall, so what they count is taken off, not added": (
            weights * (upstream + average - 2 * product)
        ),
        "the sign is turned: upstream minus the average": weights * (average - upstream),
        "the average is added; it is taken off, because the other weights fall": weights * (upstream + average),
        "the plain mean is taken off; weigh each upstream with its α": (
            weights * (upstream - upstream.mean(-1, keepdim=True))
        ),
        "the plain sum is taken off; weigh each upstream with its α": (
            weights * (upstream - upstream.sum(-1, keepdim=True))
        ),
        "all rows share one sum: sum along the last axis only": weights * (upstream - product.sum()),
        "the sum runs down the columns, over the queries: sum along dim=-1": (
            weights * (upstream - product.sum(-2, keepdim=True))
        ),
        "the sum lacks keepdim=True, so row i's sum is taken off column i": weights * (upstream - product.sum(-1)),
    }
