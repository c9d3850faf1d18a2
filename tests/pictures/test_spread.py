from companion.pictures.notebook_10_spread import spread
from companion.pictures.palette import FAINT


def test_numbers_are_dots_and_equal_ones_lie_beside_each_other():
    picture = spread({"as it is": [3, 1], "changed": [2, 2, 2]}, "right", (1, 3), "as it is")
    dots = [line for line in picture.figure.axes[0].lines if line.get_marker() == "o"]
    places = [(x, round(y)) for line in dots for x, y in zip(line.get_xdata(), line.get_ydata())]
    assert places == [(3, 0), (1, 0), (2, 1), (2, 1), (2, 1)]
    assert len({line.get_ydata()[0] for line in dots}) == 4
    assert picture.description == "right. as it is: 1 to 3; as it is 3, 1; changed 2, 2, 2."


def test_many_equal_numbers_are_one_dot_and_groups_have_headings():
    picture = spread({"minute": {"as trained": [15] * 10}}, "right", (11, 12), "a blind pick")
    axes = picture.figure.axes[0]
    assert [text.get_text() for text in axes.texts] == ["a blind pick", "minute", "all 10"]
    assert len([line for line in axes.lines if line.get_marker() == "o"]) == 1
    assert picture.description.startswith("right. a blind pick: 11 to 12; (minute); as trained 15, 15")


def inks(axes):
    dots = [line for line in axes.lines if line.get_marker() == "o"]
    return {(line.get_xdata()[0], round(line.get_ydata()[0])): line.get_color() for line in dots}


def test_a_stroke_marks_the_middle_and_a_step_leads_to_the_next_row():
    axes = spread(
        {"group": {"a": [3, 1, 1], "b": [2, 3], "c": [2, 2]}}, "right", (1, 3), "band", middle=True
    ).figure.axes[0]
    strokes = [stroke.get_segments()[0].mean(axis=0).tolist() for stroke in axes.collections]
    assert strokes == [[1, 1], [2.5, 2], [1.75, 1.5], [2, 3], [2.25, 2.5]]
    assert {*inks(axes).values()} == {FAINT}
    alone = spread({"a": [3, 1, 1], "b": [2, 3]}, "right", (1, 3), "band", middle=True).figure.axes[0]
    assert len(alone.collections) == 2  # rows without a group are not joined
