import re
import xml.etree.ElementTree as ElementTree

import torch

from companion.pictures.notebook_02_vectors import vectors

GROUPS = {"a time": (["minute", "pause"], torch.tensor([[1.0, -2.0], [0.04, -0.04]])), "tiny": (["crack"], [[0.5, 4]])}


def drawn(picture):
    """Each group's rows: the label, the numbers in the tooltips, the cells, and the style of the row."""
    page = ElementTree.fromstring(f"<div>{picture._repr_mimebundle_()['text/html']}</div>".replace("&#160;", ""))
    return [
        [
            (
                row.find("th/bdi").text,
                [cell.get("title") for cell in row.iter("td")],
                [*row.iter("td")],
                row.get("style"),
            )
            for row in grid.iter("tr")
        ]
        for grid in page.iter("table")
    ]


def square(cell):
    """The side of a square, and whether it is full."""
    style = cell.find("div").get("style")
    return int(re.search(r"width:(\d+)px", style)[1]), "background" in style


def test_each_vector_is_a_row_with_one_decimal_and_no_negative_zero():
    assert [[row[:2] for row in group] for group in drawn(vectors(GROUPS))] == [
        [("minute", ["1.0", "−2.0"]), ("pause", ["0.0", "0.0"])],
        [("crack", ["0.5", "4.0"])],
    ]


def test_a_square_grows_with_its_number_and_is_full_above_zero():
    (first, small), (second,) = drawn(vectors(GROUPS))
    half, whole = (square(cell) for cell in second[2])
    assert half[0] < square(first[2][0])[0] < square(first[2][1])[0] == whole[0]
    assert [square(cell)[1] for cell in first[2] + small[2]] == [True, False, True, False]


def test_only_the_marked_label_has_a_frame_and_numbers():
    rows = [row for group in drawn(vectors(GROUPS, mark="minute")) for row in group]
    assert ["border" in style for *_, style in rows] == [True, False, False]
    assert [["".join(cell.itertext()) for cell in cells] for _, _, cells, _ in rows] == [
        ["1.0", "−2.0"],
        ["", ""],
        ["", ""],
    ]


def test_the_legend_names_only_signs_that_occur():
    assert "below" not in vectors({"one": (["a"], [[1.0]])})._repr_mimebundle_()["text/html"]


def test_it_says_the_same_in_words():
    assert vectors(GROUPS)._repr_mimebundle_()["text/plain"] == "vectors: a time: minute, pause; tiny: crack"
