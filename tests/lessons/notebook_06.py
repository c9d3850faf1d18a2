"""Checks for the tests of the reader's file, as those of notebook 06 are."""

import torch

from companion.checks.exercise import exercise
from companion.checks.feedback import expect_equal, expect_tensor


@exercise
def check_triple(triple):
    """well tripled."""
    expect_equal(triple(3), 9, "triple(3)")


@exercise
def check_soften(soften):
    """well softened."""
    expect_tensor(soften(torch.zeros(2)), torch.tensor([0.5, 0.5]), "soften")


@exercise
def check_Layer(Layer):
    """well built."""
    expect_equal(Layer()(torch.ones(2)).shape, torch.Size([3]), "Layer()")
