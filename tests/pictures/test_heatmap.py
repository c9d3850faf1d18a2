import math

import pytest
import torch
from hypothesis import given, settings
from hypothesis import strategies as st

from companion.pictures.heatmap import heatmap
from companion.pictures.palette import MUTED

LABELS = ["query"], ["one key", "other key"]


def labels_along(axis):
    return dict(zip(axis.get_ticklocs().tolist(), (label.get_text() for label in axis.get_ticklabels())))


@st.composite
def weights_and_masks(draw):
    queries, keys = draw(st.integers(1, 4)), draw(st.integers(1, 4))
    generator = torch.Generator().manual_seed(draw(st.integers(0, 999)))
    weights = torch.softmax(3 * torch.randn(queries, keys, generator=generator), -1)
    return weights, torch.rand(queries, keys, generator=generator) < 0.6


@settings(max_examples=15, deadline=None, derandomize=True)
@given(weights_and_masks())
def test_each_weight_stands_at_its_query_and_key_or_is_hatched(drawn):
    weights, mask = drawn
    queries, keys = [f"query {i}" for i in range(len(mask))], [f"key {j}" for j in range(mask.shape[1])]
    picture = heatmap(weights, queries, keys, mask)
    (axes,) = picture.figure.axes
    written = {
        (i, j): "–" if not mask[i, j] else "0" if f"{weight:.2f}" == "0.00" else f"{weight:.2f}"
        for i, row in enumerate(weights.tolist())
        for j, weight in enumerate(row)
    }
    middles = {(i + 0.5, j + 0.5): text for (i, j), text in written.items()}
    texts = {text.get_position()[::-1]: text.get_text() for text in axes.texts}
    assert middles == {place: text for place, text in texts.items() if place[0] % 1 == place[1] % 1 == 0.5}
    cells = [patch for patch in axes.patches if patch.get_fill()]
    hatched = {(int(cell.get_y()), int(cell.get_x())): bool(cell.get_hatch()) for cell in cells}
    assert hatched == {place: text == "–" for place, text in written.items()}
    assert labels_along(axes.yaxis) == {i + 0.5: query for i, query in enumerate(queries)}
    assert labels_along(axes.xaxis) == {j + 0.5: key for j, key in enumerate(keys)}
    assert axes.yaxis_inverted() and not axes.xaxis_inverted()
    for i, query in enumerate(queries):
        numbers = [float(f"{weight:.2f}") if may else -1 for weight, may in zip(weights[i].tolist(), mask[i])]
        best = numbers.index(max(numbers))  # by the digits shown, the first of equals
        seen = f"{keys[best]} {numbers[best]:.2f}" if mask[i].any() else "nothing, all masked"
        assert f"{query} → {seen}" in picture.description


def test_columns_of_a_group_are_told_apart_by_its_name():
    picture = heatmap(torch.eye(4)[:2], ["a", "b"], {"first": ["x", "y"], "last": ["x", "y"]})
    assert "a → x, first 1.00, b → y, first 1.00" in picture.description
    written = [text.get_text() for text in picture.figure.axes[0].texts]
    assert {"first", "last"} <= {*written}


@pytest.mark.parametrize(
    "where, box, pale",
    [({"focus": 0}, (0, 0, 2, 1), {"0.30", "0.70"}), ({"column": 0}, (0, 0, 1, 2), {"0.40", "0.70"})],
)
def test_what_is_looked_at_is_framed_and_a_half_is_bold_and_a_sum_that_is_not_1(where, box, pale):
    (axes,) = heatmap([[0.5, 0.4], [0.3, 0.7]], ["a", "b"], **where).figure.axes
    (frame,) = (patch for patch in axes.patches if not patch.get_fill())
    assert (*frame.get_xy(), frame.get_width(), frame.get_height()) == box
    assert {text.get_text() for text in axes.texts if text.get_fontweight() == "bold"} == {"0.50", "0.70", "0.90"}
    assert pale == {text.get_text() for text in axes.texts if text.get_color() == MUTED and text.get_fontsize() == 9.5}


def test_weights_with_the_same_digits_look_the_same():
    picture = heatmap([[0.4999, 0.5001]], *LABELS)
    (axes,) = picture.figure.axes
    one, other = [text for text in axes.texts if text.get_text() == "0.50"]
    assert one.get_fontweight() == other.get_fontweight()


@pytest.mark.parametrize("row, seen", [([100.0, 0.25], ["100", "0"]), ([99.5, -math.inf], ["99.50", "−∞"])])
def test_beside_a_hundred_there_are_no_hundredths(row, seen):
    (axes,) = heatmap([row], *LABELS, signed=True).figure.axes
    assert [text.get_text() for text in axes.texts][:2] == seen


@pytest.mark.parametrize("weights", [[1 + 5e-7, 0], [1, -5e-7]])
def test_weights_that_rounding_takes_out_of_0_to_1_are_drawn(weights):
    assert heatmap([weights], *LABELS)
