"""Checks of the exercises in notebook 05 (softmax)."""

import math

import torch

from utils.attention import masked_softmax
from utils.checks.exercise import exercise
from utils.checks.feedback import calls, expect, expect_tensor
from utils.checks.mistakes import LAST_AXIS, OVERFLOW, wrong_softmaxes


@exercise
def check_tempered_softmax(tempered_softmax):
    """each row sums to 1, the temperature divides, and large scores do not overflow."""
    sample = torch.randn(4, 4)
    right = masked_softmax(sample)
    expect_tensor(tempered_softmax(sample, 1.0), right, "tempered_softmax at temperature 1", wrong_softmaxes(sample))
    mistakes = {
        "the temperature has no effect": right,
        "the scores are multiplied by the temperature; divide them": masked_softmax(sample * 2),
        "the weights are divided by the temperature; divide the scores, before softmax": right / 2,
    }
    expect_tensor(tempered_softmax(sample, 2.0), masked_softmax(sample / 2), "tempered_softmax at 2", mistakes)
    large = torch.tensor([[1000.0, 980.0, 0.0], [-1000.0, -1020.0, -2000.0]])
    given = tempered_softmax(large, 1.0)
    expect(not given.isnan().any(), OVERFLOW)
    expect_tensor(given, masked_softmax(large), "tempered_softmax on scores of 1000")
    batch = torch.randn(2, 3, 5)
    mistakes = {LAST_AXIS: torch.softmax(batch, 1)}
    given = tempered_softmax(batch, 1.0)
    expect_tensor(given, masked_softmax(batch), "tempered_softmax on a batch (2, 3, 5)", mistakes)
    message = "the weights are right, but PyTorch's own softmax made them; write the exps and the division yourself"
    expect(not any("softm" in name for name in calls(tempered_softmax, batch, 1.0)), message)


@exercise
def check_spread(spread):
    """one token counts as 1, n equal ones as n, and zeros do no harm."""
    sample = masked_softmax(torch.randn(3, 4))
    entropy = -(sample * sample.log()).sum(-1)
    mistakes = {
        "this is the entropy; take exp of it to get a number of tokens": entropy,
        "this is the entropy in bits; take 2 to its power to get a number of tokens": entropy / math.log(2),
        "the sign is turned: entropy is minus the sum": (-entropy).exp(),
        "exp undoes the natural logarithm, not log2: use the same base twice": (entropy / math.log(2)).exp(),
    }
    expect_tensor(spread(sample), entropy.exp(), "spread of 3 rows of weights", mistakes)
    expect_tensor(spread(torch.full((1, 8), 1 / 8)), torch.tensor([8.0]), "spread over 8 equal weights")
    given = spread(torch.tensor([[1.0, 0.0, 0.0], [0.5, 0.5, 0.0]]))
    expect(
        not given.isnan().any(),
        "a weight of 0 gives nan, because log(0) is -inf and 0 · -inf is nan; 0 · log 0 counts as 0",
    )
    expect_tensor(given, torch.tensor([1.0, 2.0]), "spread of rows in which some weights are 0")
