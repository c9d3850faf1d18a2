import math
import re

import pytest
import torch
from hypothesis import given, settings
from hypothesis import strategies as st
from matplotlib.colors import to_rgb
from matplotlib.patches import PathPatch, Rectangle

from utils.pictures.figures import heatmap, lines
from utils.pictures.style import ROLES, ink_on

QUERIES = ["Life", "is"]
KEYS = ["eat", "dessert", "first"]
WEIGHTS = torch.tensor([[0.2, 0.5, 0.3], [0.9, 0.01, 0.09]])
PAIRS = {(query, key): float(WEIGHTS[i, j]) for i, query in enumerate(QUERIES) for j, key in enumerate(KEYS)}
SCORES = torch.tensor([[2.0, -5.0, 0.0], [-1.0, 10.0, -math.inf]])
BLUE = to_rgb(ROLES["weight"].fill)
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
def test_every_weight_stands_in_the_row_of_its_query_and_the_column_of_its_key(drawn):
    weights, _ = drawn
    queries, keys = [f"query {i}" for i in range(len(weights))], [f"key {j}" for j in range(weights.shape[1])]
    axes = axes_of(heatmap(weights, queries, keys))
    wanted = {(i, j): f"{w:.2f}" for i, row in enumerate(weights.tolist()) for j, w in enumerate(row)}
    assert numbers_in_cells(axes) == wanted
    assert labels_along(axes.yaxis) == {i + 0.5: query for i, query in enumerate(queries)}
    assert labels_along(axes.xaxis) == {j + 0.5: key for j, key in enumerate(keys)}
    assert axes.yaxis_inverted() and not axes.xaxis_inverted()


@FEW
@given(weights_and_masks())
def test_masked_cells_are_hatched_and_only_the_others_carry_a_number(drawn):
    weights, mask = drawn
    axes = axes_of(heatmap(weights, ["query"] * len(mask), ["key"] * mask.shape[1], mask))
    allowed = set(map(tuple, mask.nonzero().tolist()))
    assert {place for place, cell in cells(axes).items() if not cell.get_hatch()} == allowed
    assert set(numbers_in_cells(axes)) == allowed
    assert len(cells(axes)) == mask.numel()


def test_every_row_of_weights_shows_its_sum_and_scores_do_not():
    weights = torch.tensor([[0.2, 0.5, 0.3], [0.6, 0.0, 0.0]])
    sums = [(text.get_position()[1], text.get_text()) for text in axes_of(heatmap(weights, QUERIES, KEYS)).texts]
    assert {(0.5, "Σ 1.00"), (1.5, "Σ 0.60")} <= set(sums)
    assert not any("Σ" in text.get_text() for text in axes_of(heatmap(SCORES, QUERIES, KEYS, signed=True)).texts)


@pytest.mark.parametrize("focus", [0, 1])
def test_the_row_in_focus_is_framed_and_no_other(focus):
    frames = [patch for patch in axes_of(heatmap(WEIGHTS, QUERIES, KEYS, focus=focus)).patches if not patch.get_fill()]
    assert [frame.get_bbox().bounds for frame in frames] == [(0, focus, len(KEYS), 1)]
    assert all(patch.get_fill() for patch in axes_of(heatmap(WEIGHTS, QUERIES, KEYS)).patches)


def test_a_larger_weight_is_darker_and_its_number_stands_out():
    axes = axes_of(heatmap([[step / 10 for step in range(11)]], ["is"], [str(step) for step in range(11)]))
    faces = [cell.get_facecolor()[:3] for _, cell in sorted(cells(axes).items())]
    assert all(sum(darker) < sum(lighter) for lighter, darker in zip(faces, faces[1:]))
    numbers = sorted((text for text in axes.texts if "Σ" not in text.get_text()), key=lambda t: t.get_position())
    assert [text.get_color() for text in numbers] == [ink_on(face) for face in faces]


def test_positive_scores_are_blue_negative_ones_brown_and_zero_almost_white():
    axes = axes_of(heatmap(SCORES, QUERIES, KEYS, signed=True))
    assert [numbers_in_cells(axes)[1, j] for j in range(3)] == ["−1.00", "10.00", "−inf"]
    for (i, j), cell in cells(axes).items():
        red, _, blue, _ = cell.get_facecolor()
        assert (blue - red) * SCORES[i, j] > 0 if SCORES[i, j] else min(red, blue) > 0.95


def curves_of(picture):
    """Each drawn curve by the (query, key) whose names stand at its ends."""
    axes = axes_of(picture)
    left = {text.get_position()[1]: text.get_text() for text in axes.texts if text.get_ha() == "right"}
    right = {text.get_position()[1]: text.get_text() for text in axes.texts if text.get_position()[0] == 1.035}
    curves = [patch for patch in axes.patches if isinstance(patch, PathPatch)]
    ends = [curve.get_path().vertices[[0, -1]].tolist() for curve in curves]
    assert all(start[0] == 0 and end[0] == 1 for start, end in ends)
    return {(left[start[1]], right[end[1]]): curve for (start, end), curve in zip(ends, curves)}


def test_a_curve_joins_each_query_to_each_key_that_it_attends_to():
    assert set(curves_of(lines(WEIGHTS, QUERIES, KEYS))) == {pair for pair, weight in PAIRS.items() if weight > 0.02}


@pytest.mark.parametrize("focus", [None, 0])
def test_curves_are_wider_where_weights_are_larger(focus):
    curves = curves_of(lines(WEIGHTS, QUERIES, KEYS, focus=focus))
    asked = [pair for pair in sorted(curves, key=PAIRS.get) if focus is None or pair[0] == QUERIES[focus]]
    widths = [curves[pair].get_linewidth() for pair in asked]
    assert len(widths) > 2 and all(thin < wide for thin, wide in zip(widths, widths[1:]))


def test_only_the_curves_of_the_query_in_focus_are_coloured():
    for focus, followed in ((None, {"Life", "is"}), (0, {"Life"}), (1, {"is"})):
        curves = curves_of(lines(WEIGHTS, QUERIES, KEYS, focus=focus))
        assert {query for query, _ in curves} == {"Life", "is"}
        assert all((curve.get_edgecolor()[:3] == BLUE) == (query in followed) for (query, _), curve in curves.items())


def test_the_weights_in_focus_stand_beside_their_keys_as_numbers_and_bars():
    axes = axes_of(lines(WEIGHTS, QUERIES, KEYS, focus=1))
    places = {text.get_text(): text.get_position()[1] for text in axes.texts}
    assert "weights of “is”" in places
    assert [places[number] for number in ("0.90", "0.01", "0.09")] == [places[key] for key in KEYS]
    bars = [patch for patch in axes.patches if isinstance(patch, Rectangle)]
    blue = [bar.get_width() for bar in bars if bar.get_facecolor()[:3] == BLUE]
    assert blue == pytest.approx([bars[0].get_width() * weight for weight in WEIGHTS[1].tolist()])


@FEW
@given(weights_and_masks())
def test_the_words_name_the_largest_key_that_each_query_may_see(drawn):
    weights, mask = drawn
    queries, keys = [f"query {i}" for i in range(len(mask))], [f"key {j}" for j in range(mask.shape[1])]
    caption = heatmap(weights, queries, keys, mask).caption
    best = weights.masked_fill(~mask, -1).argmax(-1).tolist()
    for i, query in enumerate(queries):
        seen = f"{keys[best[i]]} {weights[i, best[i]]:.2f}" if mask[i].any() else "nothing, all masked"
        assert f"{query} → {seen}" in caption


def test_the_words_beside_scores_call_them_scores():
    caption = heatmap(SCORES, QUERIES, KEYS, signed=True).caption
    assert re.search("Largest score of each query: Life → eat 2.0+, is → dessert 10.0+.$", caption)


@pytest.mark.parametrize("draw", [heatmap, lines])
def test_the_words_follow_the_query_in_focus_alone(draw):
    assert draw(WEIGHTS, QUERIES, KEYS).caption.endswith("Life → dessert 0.50, is → eat 0.90.")
    assert draw(WEIGHTS, QUERIES, KEYS, focus=1).caption == "2 queries by 3 keys. Largest weight of “is”: eat 0.90."


@pytest.mark.parametrize("draw", [heatmap, lines])
@pytest.mark.parametrize("queries, keys", [(KEYS, QUERIES), (QUERIES, KEYS[:2]), (QUERIES[:1], KEYS), (QUERIES, None)])
def test_labels_that_do_not_fit_are_refused(draw, queries, keys):
    with pytest.raises(ValueError, match="the matrix is 2 × 3, but there are"):
        draw(WEIGHTS, queries, keys)


def test_one_list_of_labels_serves_queries_and_keys():
    axes = axes_of(heatmap(WEIGHTS[:, :2], QUERIES))
    assert list(labels_along(axes.xaxis).values()) == list(labels_along(axes.yaxis).values()) == QUERIES


def test_drawing_changes_nothing_that_it_is_given():
    mask, plain = torch.tensor([[True, False, True]] * 2), [[0.5, 0.5], [1.0, 0.0]]
    everything = (WEIGHTS, SCORES, QUERIES, KEYS, mask, plain)
    before = repr(everything)
    heatmap(WEIGHTS, QUERIES, KEYS, mask, focus=0)
    heatmap(SCORES, QUERIES, KEYS, mask, signed=True)
    lines(WEIGHTS, QUERIES, KEYS, focus=0)
    lines(plain, QUERIES)
    assert repr(everything) == before


def test_a_query_that_attends_to_nothing_can_be_followed():
    caption = lines([[0.0, 0.0], [0.3, 0.7]], QUERIES, KEYS[:2], focus=0).caption
    assert caption.startswith("2 queries by 2 keys.")


def test_whole_number_weights_have_the_colours_of_decimals():
    whole, decimal = heatmap([[1, 0], [0, 1]], QUERIES), heatmap([[1.0, 0.0], [0.0, 1.0]], QUERIES)
    assert whole.png() == decimal.png()
