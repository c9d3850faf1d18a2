from matplotlib.colors import to_hex

from companion.pictures.charts import bars, curves, descent
from companion.pictures.palette import ROLES

SERIES = {"scaled": [1.0, 0.9, 0.8], "unscaled": [1.0, 0.4, 0.0123]}


def labels(axes):
    return {text.get_text().strip(): text for text in axes.texts if text.get_text()}


def test_each_curve_passes_its_points_and_is_named_at_its_end():
    picture = curves([1, 4, 16], SERIES, ["query", "key"], "head size", "entropy")
    axes, named = picture.figure.axes[0], labels(picture.figure.axes[0])
    assert [line.get_color() for line in axes.lines] == [ROLES["query"].fill, ROLES["key"].fill]
    for line, (name, row) in zip(axes.lines, SERIES.items()):
        assert list(line.get_xdata()) == [1, 4, 16] and list(line.get_ydata()) == row
        assert named[name].xy == (1, row[-1])
    assert axes.get_xlabel() == "head size" and "entropy" in named
    ends = "scaled: from 1 to 0.8; unscaled: from 1 to 0.0123."
    assert picture.description == f"entropy against head size, from 1 to 16. {ends}"


def test_curves_of_one_role_differ_by_marker_and_stroke():
    axes = curves([1, 2], {name: [1, 2] for name in "abc"}, ["query"] * 3, "x", "y").figure.axes[0]
    assert len({line.get_marker() for line in axes.lines}) == len({line.get_linestyle() for line in axes.lines}) == 3


def test_bars_begin_at_zero_and_only_those_in_focus_are_dark():
    picture = bars({"nothing": 0, "half": 0.5, "all of it": 1}, "share", ["half"])
    dark, pale = ROLES["input"].ink, ROLES["input"].fill
    drawn = picture.figure.axes[0].patches
    assert [bar.get_x() for bar in drawn] == [0, 0, 0] and [bar.get_width() for bar in drawn] == [0, 0.5, 1]
    tops = [bar.get_window_extent().y1 for bar in drawn]
    assert tops == sorted(tops, reverse=True)
    assert [to_hex(bar.get_facecolor()).upper() for bar in drawn] == [pale, dark, pale]
    assert picture.description == "share: nothing 0.00, half 0.50, all of it 1.00."


def test_bars_of_percentages_say_so_behind_each_number():
    (axes,) = bars({"a": 20, "b": 50}, "% right").figure.axes
    assert [text.get_text() for text in axes.texts] == ["20%", "50%"]


def test_a_rule_stands_at_its_number_with_its_name_across_bars_and_curves():
    picture = bars({"a": 2, "b": 5}, "right", rule={"a guess": 3})
    (axes,) = picture.figure.axes
    assert picture.description == "right: a 2, b 5; a line at a guess (3)."
    (line,) = axes.lines
    assert set(line.get_xdata()) == {3} and labels(axes)["a guess"].xy[0] == 3
    (axes,) = bars({"a": 2, "b": 5}, "right", rule={"a guess": 2.1}).figure.axes
    assert [labels(axes)[number].xyann for number in "25"] == [(7, 0), (4, 0)]  # no line before a number
    (axes,) = curves([1, 2], {"a": [4, 5]}, ["input"], "x", "y", rule={"a guess": 3}).figure.axes
    assert set(axes.lines[-1].get_ydata()) == {3} and labels(axes)["a guess"].xy[1] == 3


def test_groups_of_bars_have_a_heading_and_no_bar_of_its_own():
    (axes,) = bars({"one": {"a": 2, "b": 5}, "two": {"a": 1}}, "right").figure.axes
    assert [(bar.get_width(), bar.get_y() + bar.get_height() / 2) for bar in axes.patches] == [(2, 1), (5, 2), (1, 4)]
    assert [labels(axes)[name].get_fontweight() for name in ("one", "two")] == ["bold", "bold"]


def test_a_part_of_x_is_shaded_and_named():
    (axes,) = curves([0, 9], {"a": [4, 5]}, ["input"], "x", "y", shade={"trained": (2, 6)}).figure.axes
    (band,) = axes.patches
    assert (band.get_x(), band.get_width(), labels(axes)["trained"].xy[0]) == (2, 4, 4)


def test_a_descent_has_a_numbered_dot_on_the_curve_for_each_step():
    picture = descent([1, 3, 0.5], lambda w: (w - 2) ** 2, "w", "loss")
    axes = picture.figure.axes[0]
    curve, path = axes.lines
    assert list(path.get_xdata()) == [1, 3, 0.5] and list(path.get_ydata()) == [1, 1, 2.25]
    assert curve.get_color() != path.get_color() and min(curve.get_xdata()) < 0.5 and max(curve.get_xdata()) > 3
    assert {name: labels(axes)[name].xy for name in "012"} == {"0": (1, 1), "1": (3, 1), "2": (0.5, 2.25)}
    assert picture.description == "loss against w, a curve with dots for the steps: 0 at 1, 1 at 3, 2 at 0.5."
