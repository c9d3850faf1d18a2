import torch

from companion.pictures.dots import dots
from companion.pictures.palette import INK, PAPER

COLUMNS = {0: torch.zeros(3), 1: torch.tensor([0.1, -0.2, 0.3]), 2: torch.tensor([0.5, -0.4, -0.4])}
KINDS = {"a time": torch.tensor([True, False, False]), "tiny": torch.tensor([False, True, True])}


def drawn(picture, marker):
    lines = [line for line in picture.figure.axes[0].lines if line.get_marker() == marker]
    return [(round(*line.get_xdata()), *line.get_ydata()) for line in lines if len(line.get_ydata()) == 1]


def test_each_dot_stands_at_its_number_with_the_marker_of_its_kind():
    picture = dots(COLUMNS, KINDS, "blocks", "gap")
    heights = {marker: sorted(round(y, 4) for _, y in drawn(picture, marker)) for marker in "os"}
    assert heights == {"o": [0.1, 0.5], "s": [-0.4, -0.4, -0.2, 0.3]}
    for line in picture.figure.axes[0].lines[1:]:  # the first is at zero
        assert line.get_markerfacecolor() == {"o": INK, "s": PAPER}[line.get_marker()]
    assert picture.description == (
        "gap by blocks. 0: 0 of 3 dots above zero; 1: 2 of 3 dots above zero; 2: 1 of 3 dots above zero."
    )


def test_dots_in_the_wrong_half_are_full_and_counted_on_top_with_the_ties():
    picture = dots(COLUMNS, KINDS, "blocks", "gap", "nearest is")
    said = [text.get_text() for text in picture.figure.axes[0].texts]
    assert said[:2] == ["nearest is\na time", "nearest is\ntiny"]
    assert said[2:] == ["0", "3 ties\nat 0", "1", "0", "● wrong", "of 3", "○ right"]
    assert picture.description.endswith("2: 1 of 3 dots above zero, 0 in the wrong half.")
    alone = picture.figure.axes[0].lines[1:]
    assert [round(line.get_ydata()[0], 4) for line in alone if line.get_markerfacecolor() == INK] == [0.3]
    assert {line.get_marker() for line in alone} == {"o"}
