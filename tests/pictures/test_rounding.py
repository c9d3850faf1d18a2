"""Numbers that differ by rounding alone are neither refused nor drawn differently."""

import pytest
import torch

from companion.pictures.heatmap import heatmap


def test_weights_with_the_same_digits_look_the_same():
    picture = heatmap(torch.tensor([[0.4999, 0.5001]]), ["query"], ["one key", "other key"])
    (axes,) = picture.figure.axes
    one, other = [text for text in axes.texts if text.get_text() == "0.50"]
    assert one.get_fontweight() == other.get_fontweight()


@pytest.mark.parametrize("weights", [[1 + 5e-7, 0], [1, -5e-7]])
def test_weights_that_rounding_takes_out_of_0_to_1_are_drawn(weights):
    assert heatmap(torch.tensor([weights], dtype=torch.float64), ["query"], ["one key", "other key"])
