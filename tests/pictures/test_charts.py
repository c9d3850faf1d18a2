import pytest
import torch
from matplotlib.colors import to_hex, to_rgb

from companion.pictures.charts import bars, curves, dots, plane
from companion.pictures.palette import INK, PAPER, ROLES

VECTORS = {"value 1": (2.0, 0.5), "value 2": (-1.0, 1.0), "value 3": (0.0, -2.0), "context": (0.2, 0.1)}
SERIES = {"scaled": [1.0, 0.9, 0.8], "unscaled": [1.0, 0.4, 0.0123]}


def arrows(picture):
    return [text for text in picture.figure.axes[0].texts if getattr(text, "arrow_patch", None)]


def labels(axes):
    return {text.get_text().strip(): text for text in axes.texts if text.get_text()}


def test_each_arrow_runs_from_the_origin_to_its_vector_in_the_colour_of_its_role():
    drawn = arrows(plane(VECTORS, ["value"] * 3 + ["context"]))
    assert [arrow.xy for arrow in drawn] == list(VECTORS.values())
    assert {arrow.xyann for arrow in drawn} == {(0, 0)}
    colours = [arrow.arrow_patch.get_facecolor()[:3] for arrow in drawn]
    assert colours == [to_rgb(ROLES[role].fill) for role in ("value", "value", "value", "context")]


def test_each_vector_is_named_beyond_its_own_head():
    named = labels(plane(VECTORS, ["value"] * 4).figure.axes[0])
    for label, (x, y) in VECTORS.items():
        beyond_x, beyond_y = named[label].get_position()
        assert beyond_x * y == pytest.approx(beyond_y * x)
        assert beyond_x * x + beyond_y * y > x * x + y * y


def test_every_vector_lies_inside_the_plane_that_is_shown():
    axes = plane({"far": (30.0, -70.0)}, ["query"]).figure.axes[0]
    assert axes.get_xlim()[1] > 70 and axes.get_ylim()[0] < -70
    assert axes.get_aspect() == 1


def test_the_words_beside_the_plane_give_every_vector():
    assert plane({"q": (1, 2), "k": (-0.5, 0)}, ["query", "key"]).description == (
        "Arrows from the origin to q (1.00, 2.00); k (−0.50, 0.00)."
    )


def test_each_curve_passes_its_points_and_is_named_at_its_end():
    axes = curves([1, 4, 16], SERIES, ["query", "key"], "head size", "entropy").figure.axes[0]
    named = labels(axes)
    for line, (name, row) in zip(axes.lines, SERIES.items()):
        assert list(line.get_xdata()) == [1, 4, 16] and list(line.get_ydata()) == row
        assert named[name].get_position() == (16, row[-1])
    assert (axes.get_xlabel(), axes.get_ylabel()) == ("head size", "entropy")


def test_curves_of_one_role_differ_by_marker_and_stroke():
    axes = curves([1, 2], {name: [1, 2] for name in "abcd"}, ["query"] * 4, "x", "y").figure.axes[0]
    assert len({line.get_marker() for line in axes.lines}) == len({line.get_linestyle() for line in axes.lines}) == 4


def test_a_curve_has_the_colour_of_its_role():
    axes = curves([1, 4, 16], SERIES, ["query", "key"], "x", "y").figure.axes[0]
    assert [line.get_color() for line in axes.lines] == [ROLES["query"].fill, ROLES["key"].fill]


def test_equal_steps_of_a_curve_have_equal_room():
    axes = curves([0, 70, 140], SERIES, ["query", "key"], "x", "y").figure.axes[0]
    assert (axes.get_xscale(), axes.get_yscale()) == ("linear", "linear")


def test_curves_refuse_another_number_of_points():
    with pytest.raises(ValueError):
        curves([1, 2], SERIES, ["query", "key"], "x", "y")


@pytest.mark.parametrize(
    "series, roles", [({"a": [1, 2]}, ["query", "key"]), (dict.fromkeys("abcde", [1, 2]), ["key"] * 5)]
)
def test_no_curve_is_left_out_for_lack_of_a_role_or_a_marker(series, roles):
    with pytest.raises(ValueError, match="give each its own"):
        curves([1, 2], series, roles, "x", "y")


def test_the_words_beside_the_curves_give_both_ends_of_each():
    assert curves([1, 4, 16], SERIES, ["query", "key"], "head size", "entropy").description == (
        "entropy against head size, from 1 to 16. scaled: from 1 to 0.8; unscaled: from 1 to 0.0123."
    )


def test_drawing_a_chart_changes_nothing_that_it_is_given():
    given = ({"a": (1, 2)}, ["query"]), ([1, 2], {"d": [3, 4]}, ["key"], "x", "y")
    before = repr(given)
    for draw, inputs in zip((plane, curves), given):
        draw(*inputs)
    assert repr(given) == before


def test_a_vector_without_a_role_is_refused_and_not_left_out():
    with pytest.raises(ValueError, match="2 vectors need as many roles, but 1 were given"):
        plane({"a": (1, 0), "b": (0, 1)}, ["query"])


NUMBERS = {"with": torch.tensor([[0.1, -0.2, 0.3], [0.5, 0.0, 0.4]]), "without": torch.zeros(2, 3)}
KINDS = {"time": torch.tensor([True, False, False]), "size": torch.tensor([False, True, True])}


def test_each_dot_stands_at_its_number_filled_above_zero_with_the_marker_of_its_kind():
    picture = dots(NUMBERS, KINDS, "blocks", "nearer")
    with_axes, without = picture.figure.axes
    drawn = [line for line in with_axes.lines if len(line.get_ydata()) == 1]
    heights = {"o": [0.1, 0.5], "s": [-0.2, 0.3, 0.4], "x": [0.0]}  # a tie is a cross
    for marker, wanted in heights.items():
        of_kind = [line for line in drawn if line.get_marker() == marker]
        assert [line.get_ydata()[0] for line in of_kind] == pytest.approx(wanted)
        for line in of_kind:
            assert (line.get_markerfacecolor() == PAPER) == (line.get_ydata()[0] < 0)
    assert with_axes.get_ylim() == without.get_ylim()
    assert (
        picture.description == "nearer by blocks. with: 2, 2 of 3 dots above zero; without: 0, 0 of 3 dots above zero."
    )


def test_kinds_that_do_not_fit_the_dots_are_refused():
    with pytest.raises(ValueError, match="equally many members"):
        dots(NUMBERS, {"time": torch.tensor([True])}, "blocks", "nearer")


def test_bars_begin_at_zero_one_below_the_other_and_only_those_in_focus_are_dark():
    picture = bars({"nothing": 0, "half": 0.5, "all of it": 1}, "share", "weight", ["half"])
    drawn = picture.figure.axes[0].patches
    assert [bar.get_x() for bar in drawn] == [0, 0, 0] and [bar.get_width() for bar in drawn] == [0, 0.5, 1]
    tops = [bar.get_window_extent().y1 for bar in drawn]
    assert tops == sorted(tops, reverse=True)
    grey = ROLES["input"].fill
    assert [to_hex(bar.get_facecolor()).upper() for bar in drawn] == [grey, INK, grey]
    assert picture.description == "share: nothing 0.00, half 0.50, all of it 1.00."


def test_bars_refuse_a_number_below_zero():
    with pytest.raises(ValueError, match="bars begin at 0, but one number is -2"):
        bars({"loss": -2}, "nats")
