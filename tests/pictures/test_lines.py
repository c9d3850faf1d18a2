import pytest
import torch
from matplotlib.colors import to_rgb
from matplotlib.patches import PathPatch, Rectangle

from companion.pictures.lines import lines
from companion.pictures.palette import ROLES

QUERIES = ["Life", "is"]
KEYS = ["eat", "dessert", "first"]
WEIGHTS = torch.tensor([[0.2, 0.5, 0.3], [0.9, 0.01, 0.09]])
PAIRS = {(query, key): float(WEIGHTS[i, j]) for i, query in enumerate(QUERIES) for j, key in enumerate(KEYS)}
BLUE = to_rgb(ROLES["weight"].fill)


def curves_of(picture):
    """Each drawn curve by the (query, key) whose names stand at its ends."""
    (axes,) = picture.figure.axes
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
    (axes,) = lines(WEIGHTS, QUERIES, KEYS, focus=1).figure.axes
    places = {text.get_text(): text.get_position()[1] for text in axes.texts}
    assert "weights of “is”" in places
    assert [places[number] for number in ("0.90", "0.01", "0.09")] == [places[key] for key in KEYS]
    bars = [patch for patch in axes.patches if isinstance(patch, Rectangle)]
    blue = [bar.get_width() for bar in bars if bar.get_facecolor()[:3] == BLUE]
    assert blue == pytest.approx([bars[0].get_width() * weight for weight in WEIGHTS[1].tolist()])


def test_the_words_follow_the_query_in_focus_alone():
    assert lines(WEIGHTS, QUERIES, KEYS).description.endswith("Life → dessert 0.50, is → eat 0.90.")
    assert (
        lines(WEIGHTS, QUERIES, KEYS, focus=1).description == "2 queries by 3 keys. Largest weight of “is”: eat 0.90."
    )


def test_a_query_that_attends_to_nothing_can_be_followed():
    description = lines([[0.0, 0.0], [0.3, 0.7]], QUERIES, KEYS[:2], focus=0).description
    assert description.startswith("2 queries by 2 keys.")


@pytest.mark.parametrize("queries, keys", [(KEYS, QUERIES), (QUERIES, KEYS[:2]), (QUERIES[:1], KEYS), (QUERIES, None)])
def test_labels_that_do_not_fit_are_refused(queries, keys):
    with pytest.raises(ValueError, match=r"the weights have shape \(2, 3\), but"):
        lines(WEIGHTS, queries, keys)


def test_drawing_lines_changes_nothing_that_it_is_given():
    before = repr((WEIGHTS, QUERIES, KEYS))
    lines(WEIGHTS, QUERIES, KEYS, focus=0)
    assert repr((WEIGHTS, QUERIES, KEYS)) == before
