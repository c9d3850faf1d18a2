import math
import xml.etree.ElementTree as ElementTree

import numpy as np
import pytest
import torch
from hypothesis import given, settings
from hypothesis import strategies as st
from matplotlib.colors import to_rgb

from companion.pictures.palette import INK, PAPER, ROLES, SCORE_COLOURS, WEIGHT_COLOURS, ink_on
from companion.pictures.table import sheet, table

QUERIES, KEYS = ["Life", "is"], ["eat", "dessert", "first"]
WEIGHTS = torch.tensor([[0.2, 0.5, 0.3], [0.91, 0.0, 0.09]])
EYE = torch.eye(2)
CORNER = "query ↓ key →"


def rows_of(page):
    """The texts of a table's rows, header first. The parser also refuses any tag that is not closed."""
    return [["".join(cell.itertext()) for cell in row] for row in ElementTree.fromstring(page).iter("tr")]


def styles_of(page):
    """The style of each cell in the body, row by row, without the first of each row, which names it."""
    rows = ElementTree.fromstring(page).find("tbody")
    return [[dict(part.split(":") for part in cell.get("style").split(";")) for cell in row.iter("td")] for row in rows]


@settings(max_examples=25, deadline=None, derandomize=True)
@given(st.integers(1, 5), st.integers(1, 5), st.integers(0, 999))
def test_each_cell_shows_its_weight_and_each_row_its_sum(queries, keys, seed):
    weights = torch.rand(queries, keys, generator=torch.Generator().manual_seed(seed)).double()
    names = [f"query {i}" for i in range(queries)], [f"key {j}" for j in range(keys)]
    rows = [[name, *(f"{weight:.2f}" for weight in (*row, sum(row)))] for name, row in zip(names[0], weights.tolist())]
    assert rows_of(table(weights, *names)) == [[CORNER, *names[1], "Σ"], *rows]


def test_scores_have_true_minus_signs_and_infinities_and_no_sum():
    scores = [[2, -5, -0.001], [-1, math.inf, -math.inf]]
    rows = [[CORNER, *KEYS], ["Life", "2.00", "−5.00", "0.00"], ["is", "−1.00", "∞", "−∞"]]
    assert rows_of(table(scores, QUERIES, KEYS, signed=True)) == rows
    assert rows_of(table([[-math.inf] * 3] * 2, QUERIES, KEYS, signed=True))[1][1] == "−∞"


def test_each_weight_has_its_colour_and_ink_that_stands_out():
    page = table([[step / 10 for step in range(11)]], ["is"], [str(step) for step in range(11)])
    for step, style in enumerate(styles_of(page)[0][:11]):
        face = WEIGHT_COLOURS(step / 10)[:3]
        assert to_rgb(style["background"]) == pytest.approx(face, abs=0.003)
        assert style["color"] == ink_on(face)


@pytest.mark.parametrize("size", [0.01, -1000.0])
def test_scores_are_coloured_in_proportion_to_the_largest(size):
    scores, sign = [[size, -size / 2, 0.0, math.inf, -math.inf]], math.copysign(1, size)
    faces = [to_rgb(style["background"]) for style in styles_of(table(scores, ["is"], "abcde", signed=True))[0]]
    for face, place in zip(faces, [0.5 + sign / 2, 0.5 - sign / 4, 0.5, 1.0, 0.0], strict=True):
        assert face == pytest.approx(SCORE_COLOURS(place)[:3], abs=0.01)


@pytest.mark.parametrize(
    "same", [[[1, 0], [0, 1]], np.eye(2), EYE.long(), EYE.bfloat16(), torch.eye(2, requires_grad=True)]
)
def test_equal_matrices_of_any_type_have_equal_tables(same):
    assert table(same, QUERIES) == table(EYE, QUERIES, QUERIES)


def test_a_screen_reader_is_told_the_title_and_the_headers():
    page = ElementTree.fromstring(table(WEIGHTS, QUERIES, KEYS, title="my attention"))
    assert page.find("caption").text == "my attention"
    for scope, names, role in (("col", [*KEYS, "Σ"], "key"), ("row", QUERIES, "query")):
        headers = [header for header in page.iter("th") if header.get("scope") == scope]
        assert ["".join(header.itertext()) for header in headers] == names
        assert all(f";color:{ROLES[role].ink}" in header.get("style") for header in headers if header.find("bdi"))


def test_a_long_label_is_whole_in_its_tooltip_and_a_short_one_has_none():
    labels = ["twelve chars", "thirteen char"]
    headers = list(ElementTree.fromstring(table(EYE, labels)).find("tbody").iter("th"))
    assert [header.get("title") for header in headers] == [None, labels[1]]
    assert ["".join(header.itertext()) for header in headers] == labels


@pytest.mark.parametrize("token, seen", [(" ", "␣"), ("", "␣"), ("\n", "␣"), (" a", " a"), (7, "7")])
def test_every_label_can_be_seen(token, seen):
    assert rows_of(table([[1]], [token])) == [[CORNER, seen, "Σ"], [seen, "1.00", "1.00"]]


def test_a_sheet_is_white_paper_that_scrolls_by_keyboard_too():
    page = ElementTree.fromstring(sheet("<b>content</b>", "its <title>"))
    assert f"background-color:{PAPER};color:{INK};" in page.get("style") and "overflow:auto" in page.get("style")
    assert page.get("tabindex") == "0" and page.find("b").text == "content"
    assert (page.get("role"), page.get("aria-label")) == ("group", "its <title>")
