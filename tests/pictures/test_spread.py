from companion.pictures.notebook_10_spread import spread


def test_numbers_are_dots_and_equal_ones_lie_beside_each_other():
    picture = spread({"as it is": [3, 1], "changed": [2, 2, 2]}, "right", (1, 3), "as it is")
    dots = [line for line in picture.figure.axes[0].lines if line.get_marker() == "o"]
    places = [(x, round(y)) for line in dots for x, y in zip(line.get_xdata(), line.get_ydata())]
    assert places == [(3, 0), (1, 0), (2, 1), (2, 1), (2, 1)]
    assert len({line.get_ydata()[0] for line in dots}) == 4
    assert picture.description == "right. as it is: 1 to 3; as it is 3, 1; changed 2, 2, 2."


def test_many_equal_numbers_are_one_dot():
    axes = spread({"as trained": [15] * 10}, "right", (11, 12), "a blind pick").figure.axes[0]
    assert [text.get_text() for text in axes.texts] == ["a blind pick", "all 10"]
    assert len([line for line in axes.lines if line.get_marker() == "o"]) == 1
