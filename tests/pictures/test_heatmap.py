import math

import pytest
import torch
from hypothesis import given, settings
from hypothesis import strategies as st
from matplotlib.colors import to_hex

from companion.pictures.heatmap import heatmap, hiding
from companion.pictures.palette import INK, PAPER, ROLES, ink_on

QUERIES = ["Life", "is"]
KEYS = ["eat", "dessert", "first"]
EVEN = torch.full((2, 2), 0.5)
WEIGHTS = torch.tensor([[0.2, 0.5, 0.3], [0.9, 0.01, 0.09]])
SCORES = torch.tensor([[2.0, -5.0, 0.0], [-1.0, 10.0, -math.inf]])
FEW = settings(max_examples=25, deadline=None, derandomize=True)


def axes_of(picture):
    (axes,) = picture.figure.axes
    return axes


def numbers_in_cells(axes):
    """The text in the middle of each cell, by (row, column)."""
    places = {text.get_position(): text.get_text() for text in axes.texts}
    return {(int(y), int(x)): text for (x, y), text in places.items() if x % 1 == y % 1 == 0.5}


def cells(axes):
    """The square of each cell, by (row, column)."""
    return {(int(patch.get_y()), int(patch.get_x())): patch for patch in axes.patches if patch.get_fill()}


def colors(axes):
    return {place: cell.get_facecolor() for place, cell in cells(axes).items()}


def labels_along(axis):
    return dict(zip(axis.get_ticklocs().tolist(), (label.get_text() for label in axis.get_ticklabels())))


@st.composite
def weights_and_masks(draw):
    queries, keys = draw(st.integers(1, 4)), draw(st.integers(1, 4))
    generator = torch.Generator().manual_seed(draw(st.integers(0, 999)))
    weights = torch.softmax(3 * torch.randn(queries, keys, generator=generator), -1)
    return weights, torch.rand(queries, keys, generator=generator) < 0.6


@FEW
@given(weights_and_masks())
def test_each_weight_stands_at_its_query_and_key_or_is_hatched(drawn):
    weights, mask = drawn
    queries, keys = [f"query {i}" for i in range(len(mask))], [f"key {j}" for j in range(mask.shape[1])]
    picture = heatmap(weights, queries, keys, mask)
    axes = axes_of(picture)
    written = {
        (i, j): "–" if not mask[i, j] else "0" if f"{weight:.2f}" == "0.00" else f"{weight:.2f}"
        for i, row in enumerate(weights.tolist())
        for j, weight in enumerate(row)
    }
    assert numbers_in_cells(axes) == written
    assert {place: bool(cell.get_hatch()) for place, cell in cells(axes).items()} == {
        place: text == "–" for place, text in written.items()
    }
    assert labels_along(axes.yaxis) == {i + 0.5: query for i, query in enumerate(queries)}
    assert labels_along(axes.xaxis) == {j + 0.5: key for j, key in enumerate(keys)}
    assert axes.yaxis_inverted() and not axes.xaxis_inverted()
    for i, query in enumerate(queries):
        numbers = [float(f"{weight:.2f}") if may else -1 for weight, may in zip(weights[i].tolist(), mask[i])]
        best = numbers.index(max(numbers))  # by the digits shown, the first of equals
        seen = f"{keys[best]} {numbers[best]:.2f}" if mask[i].any() else "nothing, all masked"
        assert f"{query} → {seen}" in picture.description


def test_every_row_of_weights_shows_its_sum_and_scores_do_not():
    weights = torch.tensor([[0.2, 0.5, 0.3], [0.6, 0.0, 0.0]])
    sums = [(text.get_position()[1], text.get_text()) for text in axes_of(heatmap(weights, QUERIES, KEYS)).texts]
    assert {(0.5, "1.00"), (1.5, "0.60")} <= set(sums)
    picture = heatmap(SCORES, QUERIES, KEYS, signed=True)
    assert not any("Σ" in text.get_text() for text in axes_of(picture).texts)
    assert [numbers_in_cells(axes_of(picture))[1, j] for j in range(3)] == ["−1", "10", "−∞"]
    assert picture.description.endswith("Largest score of each query: Life → eat 2.00, is → dessert 10.00.")


def frames(matrix=WEIGHTS, queries=QUERIES, keys=KEYS, **options):
    """The box of each frame, left, top, wide, high, and its ink."""
    patches = [patch for patch in axes_of(heatmap(matrix, queries, keys, **options)).patches if not patch.get_fill()]
    return [
        ([round(side) for side in patch.get_bbox().bounds], to_hex(patch.get_edgecolor()).upper()) for patch in patches
    ]


@pytest.mark.parametrize(
    "options, box, role, kept",
    [
        ({"focus": 0}, [0, 0, 3, 1], "query", {(0, 0), (0, 1), (0, 2)}),
        ({"focus": 1}, [0, 1, 3, 1], "query", {(1, 0), (1, 1), (1, 2)}),
        ({"column": 1}, [1, 0, 1, 2], "key", {(0, 1), (1, 1)}),
    ],
)
def test_the_row_or_column_in_focus_is_framed_and_the_others_are_pale(options, box, role, kept):
    assert frames(**options) == [(box, ROLES[role].fill)]
    bare, faces = (colors(axes_of(heatmap(WEIGHTS, QUERIES, KEYS, **more))) for more in ({}, options))
    assert {place for place, face in faces.items() if face == bare[place]} == kept
    assert all(sum(faces[place]) > sum(bare[place]) for place in faces.keys() - kept)


def test_the_right_key_is_framed_in_dashes_seen_on_every_cell():
    one, other, both = [1, 0, 1, 1], [0, 1, 1, 1], [1, 0, 1, 2]
    inks = PAPER, INK
    assert frames(EVEN, ["a", "b"], None, right=[1, 0]) == [(box, ink) for box in (one, other) for ink in inks]
    assert frames(EVEN, ["a", "b"], None, right=[1, 1]) == [(both, ink) for ink in inks]


def test_what_leads_from_row_to_row_stands_in_place_of_the_sums():
    texts = {text.get_text(): text.get_position()[1] for text in axes_of(heatmap(EVEN, "ab", between=["× 1"])).texts}
    assert texts["× 1"] == 1 and "Σ" not in texts


def test_a_larger_weight_is_darker_and_its_number_stands_out():
    axes = axes_of(heatmap([[step / 10 + 0.01 * (not step) for step in range(11)]], ["is"], [*map(str, range(11))]))
    faces = [cell.get_facecolor()[:3] for _, cell in sorted(cells(axes).items())]
    assert all(sum(darker) < sum(lighter) for lighter, darker in zip(faces, faces[1:]))
    numbers = sorted(axes.texts, key=lambda text: text.get_position())[1:12]  # from behind the corner to the sum
    assert [text.get_color() for text in numbers] == [ink_on(face) for face in faces]
    assert [text.get_fontweight() for text in numbers] == ["normal"] * 5 + ["bold"] * 6


def test_a_line_stands_before_rows_of_another_kind():
    axes = axes_of(heatmap(WEIGHTS[:, :2], QUERIES, lines=[1], corner="row ↓ key →"))
    (line,) = axes.collections[-1].get_segments()
    assert line.tolist() == [[0, 1], [2, 1]]
    inks = [axis.get_ticklabels()[0].get_color() for axis in (axes.xaxis, axes.yaxis)]
    assert inks == [ROLES["key"].ink, ROLES["input"].ink]


def test_a_mask_is_drawn_in_three_frames_and_a_row_without_weights_is_seen_and_said():
    scores = torch.tensor([[2.0, 4.0], [1.0, 3.0]])
    hidden = torch.tensor([[2.0, -math.inf], [-math.inf, -math.inf]])
    picture = hiding(scores, hidden, hidden.softmax(dim=-1), QUERIES)
    frames = [[*numbers_in_cells(axes).values()] for axes in picture.figure.axes]
    assert frames == [["2.00", "4.00", "1.00", "3.00"], ["2.00", *["−∞"] * 3], ["1.00", "0", "nan", "nan"]]
    assert "1 of 4 scores are left, the others are −∞; the weights of is are nan." in picture.description
