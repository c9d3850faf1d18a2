import pytest
import torch
from matplotlib.colors import to_rgba

from companion.pictures.notebook_20_marks import TESTS, readers, shares, ten_tests
from companion.pictures.notebook_20_marks import WRONG as RED
from utils import properties

RIGHT, WRONG = torch.tensor([[2.0, 0, 0], [1, 1, 0]]), torch.tensor([[2.0, 1, 0], [1, 0, 3]])


def test_plus_and_minus_mark_where_only_one_of_the_layers_reads():
    picture = readers(RIGHT, WRONG)
    assert [[text.get_text() for text in axes.texts[:6]] for axes in picture.figure.axes] == [
        ["●", "", "", "●", "●", ""],
        ["●", "+", "", "●", "−", "+"],
    ]
    assert "Only in the wrong one: 0 reads 1, 1 reads pad. Only in the right one: 1 reads 1." in picture.description


def frame(axes):
    """The sides of all frames, each ((x, y), (x, y))."""
    return {tuple(zip(*line.get_data())) for line in axes.lines if line.get_color() == RED}


SQUARE = {((1, 0), (2, 0)), ((1, 0), (1, 1)), ((2, 0), (2, 1))}


def test_what_is_read_in_error_or_no_longer_is_framed_once_around():
    right, wrong = readers(RIGHT, WRONG).figure.axes
    below = {((1, 1), (1, 2)), ((1, 2), (2, 2)), ((2, 1), (3, 1)), ((2, 2), (3, 2)), ((3, 1), (3, 2))}
    assert frame(wrong) == SQUARE | below and not frame(right)  # no side between (0, 1) and (1, 1), (1, 1) and (1, 2)


def test_the_legend_of_readers_has_only_what_occurs():
    figure = readers(torch.tensor([[1.0, 0]]), torch.tensor([[1.0, 1.0]]), columns="memory", sentence=2).figure
    assert [axes.get_xlabel() for axes in figure.axes] == ["sentence 2: ● moves", "+ moves in error"]
    assert figure.axes[0].texts[-1].get_text() == "output ↓\nmemory →"
    assert readers(RIGHT, WRONG).figure.axes[1].get_xlabel() == "+ moves in error\n− no longer moves"


@pytest.mark.parametrize("draw", [readers, shares])
def test_maps_of_other_shapes_are_refused(draw):
    with pytest.raises(ValueError, match=r"shapes \(2, 3\) and \(2, 2\)"):
        draw(RIGHT, WRONG[:, :2])


def test_shares_stand_in_percent_beside_a_sum_that_is_framed_unless_it_is_1():
    picture = shares(torch.tensor([[0.25, 0.75, 0]]), torch.tensor([[0.25, 0.5, 0]]), of="head 0")
    right, wrong = ([text.get_text() for text in axes.texts] for axes in picture.figure.axes)
    assert (right, wrong) == (["25", "75", "", "query ↓\nkey →", "100%"], ["25", "50", "", "75%"])
    sums = [axes.texts[-1].get_bbox_patch() for axes in picture.figure.axes]
    assert sums[0] is None and sums[1].get_edgecolor() == to_rgba(RED)
    assert [axes.get_xlabel() for axes in picture.figure.axes] == [
        "head 0: weights in %",
        "framed: a sum that is not 100%",
    ]
    assert "Right 0: 25, 75, 0, sums 100%. Wrong 0: 25, 50, 0, sums 75%." in picture.description


@pytest.mark.parametrize(
    "wrong, framed, rule",
    [
        ([[0.4, 0.5, 0.1]], {2}, "framed: empty in one layer"),
        ([[0.4, 0.5, 0.2]], {2}, "framed: empty in one layer\nframed: a sum that is not 100%"),
        ([[0.4, 0.5, 0.0]], set(), "framed: a sum that is not 100%"),
        ([[0.38, 0.62, 0]], {0, 1}, "framed: another weight"),
        ([[0.401, 0.599, 0]], set(), ""),
    ],
)
def test_the_line_below_says_which_rule_the_frames_follow(wrong, framed, rule):
    axes = shares(torch.tensor([[0.4, 0.6, 0]]), torch.tensor(wrong)).figure.axes[1]
    tops = {start[0] for start, end in frame(axes) if start[1] == end[1] == 0}
    assert tops == framed and axes.get_xlabel() == rule


def test_each_test_of_examine_is_drawn():
    assert all(callable(getattr(properties, name)) for name in TESTS) and len(TESTS) == 10
    assert [text.get_text() for text in ten_tests().figure.axes[0].texts if text.get_text() in TESTS] == [*TESTS]
