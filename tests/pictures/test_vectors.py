import re
import xml.etree.ElementTree as ElementTree

import pytest
import torch
from hostile import SHOWN

from companion.pictures.palette import fills, ink_on
from companion.pictures.vectors import vectors

GROUPS = {"a time": (["minute", "pause"], torch.tensor([[1.0, -2.0], [0.04, -0.04]])), "tiny": (["crack"], [[0.5, 4]])}


def drawn(picture):
    """Each group's rows: the label, the numbers, the style of each number, and that of the row."""
    page = ElementTree.fromstring(f"<div>{picture._repr_mimebundle_()['text/html']}</div>")
    return [
        [
            (row.find("th/bdi").text, [cell.text for cell in row.iter("td")], [*row.iter("td")], row.get("style"))
            for row in grid.iter("tr")
        ]
        for grid in page.iter("table")
    ]


def test_each_vector_is_a_row_with_one_decimal_and_no_negative_zero():
    assert [[row[:2] for row in group] for group in drawn(vectors(GROUPS))] == [
        [("minute", ["1.0", "−2.0"]), ("pause", ["0.0", "0.0"])],
        [("crack", ["0.5", "4.0"])],
    ]


def test_all_groups_share_one_scale_of_colours():
    faces = fills([[1.0, -2.0], [0.5, 4.0]], signed=True)
    (first, _), (second,) = drawn(vectors(GROUPS))
    for cell, face in zip(first[2] + second[2], faces[0] + faces[1]):
        assert f"color:{ink_on(face)}" in cell.get("style")
    assert first[2][0].get("style") != second[2][1].get("style")


def test_only_the_marked_label_has_a_frame():
    rows = [row for group in drawn(vectors(GROUPS, mark="minute")) for row in group]
    assert ["border" in style for *_, style in rows] == [True, False, False]


def test_it_says_the_same_in_words_and_a_token_is_never_markup():
    assert vectors(GROUPS)._repr_mimebundle_()["text/plain"] == "vectors: a time: minute, pause; tiny: crack"
    assert [row[0] for row in drawn(vectors({"hostile": (SHOWN, [[1.0]] * len(SHOWN))}))[0]] == SHOWN


def test_labels_that_do_not_fit_are_refused():
    with pytest.raises(ValueError, match=re.escape("the vectors have shape (1, 2), but 2 query labels")):
        vectors({"one": (["a", "b"], [[1.0, 2.0]])})
