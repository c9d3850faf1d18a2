import torch

from companion.pictures.notebook_15_dots import dots
from companion.pictures.palette import INK

COLUMNS = {0: torch.zeros(3), 1: torch.tensor([0.1, -0.2, 0.3]), 2: torch.tensor([0.5, -0.4, -0.4])}
KINDS = {"a time": torch.tensor([True, False, False]), "tiny": torch.tensor([False, True, True])}


def test_each_dot_stands_at_its_number_and_those_in_the_wrong_half_are_full():
    picture = dots(COLUMNS, KINDS, "blocks", "gap", "nearest is")
    drawn = [line for line in picture.figure.axes[0].lines if line.get_marker() == "o"]
    heights = {line: round(line.get_ydata()[0], 4) for line in drawn}
    assert sorted(heights.values()) == [-0.4, -0.4, -0.2, 0.1, 0.3, 0.5]
    assert [heights[line] for line in drawn if line.get_markerfacecolor() == INK] == [0.3]


def test_what_is_wrong_is_counted_on_top_with_the_ties():
    picture = dots(COLUMNS, KINDS, "blocks", "gap", "nearest is")
    said = [text.get_text() for text in picture.figure.axes[0].texts]
    assert said[:2] == ["nearest is\na time", "nearest is\ntiny"]
    assert said[2:] == ["0", "3 ties\nat 0", "1", "0", "● wrong", "of 3", "○ right"]
    assert picture.description == (
        "gap by blocks. 0: 0 of 3 dots above zero, 0 in the wrong half; 1: 2 of 3 dots above zero, 1 in the wrong "
        "half; 2: 1 of 3 dots above zero, 0 in the wrong half."
    )
