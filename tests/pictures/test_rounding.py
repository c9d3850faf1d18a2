"""Numbers that differ by rounding alone are neither refused nor drawn differently."""

import math

import pytest
import torch

from companion.pictures.heatmap import heatmap


def test_weights_with_the_same_digits_look_the_same():
    picture = heatmap(torch.tensor([[0.4999, 0.5001]]), ["query"], ["one key", "other key"])
    (axes,) = picture.figure.axes
    one, other = [text for text in axes.texts if text.get_text() == "0.50"]
    assert one.get_fontweight() == other.get_fontweight()


@pytest.mark.parametrize("row, seen", [([100.0, 0.25], ["100", "0"]), ([99.5, -math.inf], ["99.50", "−∞"])])
def test_beside_a_hundred_there_are_no_hundredths(row, seen):
    (axes,) = heatmap([row], ["query"], ["one key", "other key"], signed=True).figure.axes
    assert [text.get_text() for text in axes.texts][:2] == seen


@pytest.mark.parametrize("weights", [[1 + 5e-7, 0], [1, -5e-7]])
def test_weights_that_rounding_takes_out_of_0_to_1_are_drawn(weights):
    assert heatmap(torch.tensor([weights], dtype=torch.float64), ["query"], ["one key", "other key"])
