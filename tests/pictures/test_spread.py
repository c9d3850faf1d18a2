import pytest

from companion.pictures.spread import spread


def test_each_number_is_a_dot_in_its_row_and_equal_ones_lie_beside_each_other():
    picture = spread({"as it is": [3, 1], "changed": [2, 2, 2]}, "right", (1, 3), "as it is")
    dots = [line for line in picture.figure.axes[0].lines if line.get_marker() == "o"]
    places = [(x, round(y)) for line in dots for x, y in zip(line.get_xdata(), line.get_ydata())]
    assert places == [(3, 0), (1, 0), (2, 1), (2, 1), (2, 1)]
    assert len({*dots[-1].get_ydata()}) == 3
    assert picture.description == "right. as it is: 1 to 3; as it is 3, 1; changed 2, 2, 2."


def test_a_name_without_numbers_is_refused():
    with pytest.raises(ValueError, match="gate"):
        spread({"as it is": [1], "gate": []}, "right", (0, 1), "band")
