import torch

from companion.pictures.marks import marks, readers

FOUND = {"one": ["left", "right"], "two": ["right"], "three": ["left", "right"]}


def test_a_mark_stands_where_a_column_finds_a_row():
    picture = marks(FOUND, ["left", "right"])
    (axes,) = picture.figure.axes
    squares = [list(line.get_xdata()) for line in axes.lines if line.get_marker() == "s"]
    assert squares == [[0, 1], [1], [0, 1]]
    assert [text.get_text() for text in axes.texts] == ["2", "3"]
    assert [label.get_fontweight() for label in axes.get_yticklabels()] == ["normal", "bold", "normal"]
    assert "two: right;" in picture.description and "left 2, right 3" in picture.description


RIGHT, WRONG = torch.tensor([[2.0, 0, 0], [1, 1, 0]]), torch.tensor([[2.0, 1, 0], [1, 0, 3]])


def test_plus_and_minus_mark_where_only_one_of_the_layers_reads():
    picture = readers(RIGHT, WRONG, ["a", "b", "pad"])
    assert [[text.get_text() for text in axes.texts] for axes in picture.figure.axes] == [
        ["●", "", "", "●", "●", ""],
        ["●", "+", "", "●", "−", "+"],
    ]
    assert "Only in the wrong one: a reads b, b reads pad. Only in the right one: b reads b." in picture.description
