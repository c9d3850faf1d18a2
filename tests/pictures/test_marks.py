import pytest
import torch

from companion.pictures.marks import TESTS, labels, marks, readers, shares, ten_tests
from utils import properties

FOUND = {"one": ["left", "right"], "two": ["right"], "three": ["left", "right"]}


def test_a_mark_stands_where_a_column_finds_a_row():
    picture = marks(FOUND, ["left", "right"], {"one": [], "two": ["left"], "three": []})
    (axes,) = picture.figure.axes
    squares = [list(line.get_xdata()) for line in axes.lines if line.get_marker() == "s"]
    assert squares == [[0, 1], [1], [0, 1]]
    dots = [list(line.get_xdata()) for line in axes.lines if line.get_marker() == "."]
    assert dots == [[0, 1], [1], [0, 1]]
    assert [text.get_text() for text in axes.texts] == ["2", "3"]
    assert [label.get_fontweight() for label in axes.get_yticklabels()] == ["normal", "normal", "bold", "normal"]
    assert "two: right;" in picture.description and "left 2, right 3" in picture.description


RIGHT, WRONG = torch.tensor([[2.0, 0, 0], [1, 1, 0]]), torch.tensor([[2.0, 1, 0], [1, 0, 3]])


def test_plus_and_minus_mark_where_only_one_of_the_layers_reads():
    picture = readers(RIGHT, WRONG)
    assert [[text.get_text() for text in axes.texts] for axes in picture.figure.axes] == [
        ["●", "", "", "●", "●", ""],
        ["●", "+", "", "●", "−", "+"],
    ]
    assert "Only in the wrong one: 0 reads 1, 1 reads pad. Only in the right one: 1 reads 1." in picture.description


def test_what_is_read_in_error_is_framed_and_other_texts_stand_behind_a_line():
    right, wrong = readers(RIGHT, WRONG, starts=[2]).figure.axes
    frames = [(round(each.get_x()), round(each.get_y())) for each in wrong.patches if not each.get_fill()]
    assert frames == [(1, 0), (2, 1)] and all(each.get_fill() for each in right.patches)
    assert [label.get_text() for label in wrong.get_xticklabels()] == ["a0", "a1", "b0"]
    assert [list(line.get_xdata()) for line in wrong.lines] == [[2, 2]]


def test_the_legend_of_readers_has_only_what_occurs():
    one_shade = torch.tensor([[1.0, 0]]), torch.tensor([[1.0, 1.0]])
    legends = [axes.get_xlabel() for axes in readers(*one_shade, columns="memory").figure.axes]
    assert legends == ["rows: outputs, columns: memory", "● read, as it should be\n+ read in error"]
    shades, marks_used = (axes.get_xlabel() for axes in readers(RIGHT, WRONG).figure.axes)
    assert "stronger green: moves more" in shades and marks_used.endswith("− no longer read")


@pytest.mark.parametrize("draw", [readers, shares])
def test_maps_of_other_shapes_are_refused(draw):
    with pytest.raises(ValueError, match=r"shapes \(2, 3\) and \(2, 2\)"):
        draw(RIGHT, WRONG[:, :2])


def test_shares_stand_in_percent_beside_a_sum_that_is_bold_unless_it_is_1():
    picture = shares(torch.tensor([[0.25, 0.75, 0]]), torch.tensor([[0.25, 0.5, 0]]))
    right, wrong = ([text.get_text() for text in axes.texts] for axes in picture.figure.axes)
    assert (right, wrong) == (["25", "75", "", "Σ", "100%"], ["25", "50", "", "Σ", "75%"])
    assert [axes.texts[-1].get_fontweight() for axes in picture.figure.axes] == ["normal", "bold"]
    assert "Right 0: 25, 75, 0, sums 100%. Wrong 0: 25, 50, 0, sums 75%." in picture.description


def test_columns_are_summed_below_on_demand():
    (axes, _) = shares(torch.eye(2), torch.eye(2), down=True).figure.axes
    assert [text.get_text() for text in axes.texts][-5:-2] == ["100", "100", "Σ"]


def test_a_label_that_differs_is_framed():
    picture = labels([["q0", 1]], [["q0", -1]], "rows: heads")
    right, wrong = picture.figure.axes
    assert [text.get_text() for text in wrong.texts] == ["q0", "−1"]
    (frame,) = (patch for patch in wrong.patches if not patch.get_fill())
    assert frame.get_x() > 1 and all(patch.get_fill() for patch in right.patches)
    assert picture.description == "Right: q0 1; wrong: q0 −1 (rows: heads)."


def test_labels_of_other_shapes_are_refused():
    with pytest.raises(ValueError, match=r"\[2\] cells in the right layer and \[1\] in the wrong one"):
        labels([[1, 2]], [[1]], "")


def test_each_test_of_examine_is_drawn():
    assert all(callable(getattr(properties, name)) for name in TESTS) and len(TESTS) == 10
    assert [text.get_text() for text in ten_tests().figure.axes[0].texts if text.get_text() in TESTS] == [*TESTS]
