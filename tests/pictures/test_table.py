import math
import re
import xml.etree.ElementTree as ElementTree

import numpy as np
import pytest
import torch
from hostile import SHOWN
from hypothesis import given, settings
from hypothesis import strategies as st
from matplotlib.colors import to_rgb

from companion.pictures.palette import INK, PAPER, ROLES, SCORE_COLOURS, WEIGHT_COLOURS, ink_on
from companion.pictures.table import label, sheet, steps_table, table
from companion.pictures.words import describe_largest, describe_query

QUERIES, KEYS = ["Life", "is"], ["eat", "dessert", "first"]
WEIGHTS = torch.tensor([[0.2, 0.5, 0.3], [0.91, 0.0, 0.09]])
SCORES = torch.tensor([[2.0, -5.0, 0.0], [-1.0, 10.0, -math.inf]])
MASK = [[True, False, True], [False, False, False]]
EYE = torch.eye(2)
CORNER = "query ↓ key →"
TOKENS = [*SHOWN, "<bdi>"]


def rows_of(page):
    """The texts of a table's rows, header first. The parser also refuses any tag that is not closed."""
    return [["".join(cell.itertext()) for cell in row] for row in ElementTree.fromstring(page).iter("tr")]


def styles_of(page, tag="td"):
    """The style of each cell in the body, row by row, without the first of each row, which names it."""
    rows = ElementTree.fromstring(page).find("tbody")
    styles = [[cell.get("style").split(";") for cell in row.iter(tag)] for row in rows]
    return [[dict(part.split(":") for part in style) for style in row] for row in styles]


def faces_of(page, columns):
    return [[to_rgb(style["background"]) for style in row[:columns]] for row in styles_of(page)]


@settings(max_examples=25, deadline=None, derandomize=True)
@given(st.integers(1, 5), st.integers(1, 5), st.integers(0, 999))
def test_each_cell_shows_the_weight_of_its_query_and_key_and_each_row_its_sum(queries, keys, seed):
    weights = torch.rand(queries, keys, generator=torch.Generator().manual_seed(seed)).double()
    names = [f"query {i}" for i in range(queries)], [f"key {j}" for j in range(keys)]
    rows = [[name, *(f"{weight:.2f}" for weight in (*row, sum(row)))] for name, row in zip(names[0], weights.tolist())]
    assert rows_of(table(weights, *names)) == [[CORNER, *names[1], "Σ"], *rows]


def test_scores_have_true_minus_signs_and_infinities_and_no_sum():
    wanted = [[CORNER, *KEYS], ["Life", "2.00", "−5.00", "0.00"], ["is", "−1.00", "∞", "−∞"]]
    assert rows_of(table([[2, -5, 0], [-1, math.inf, -math.inf]], QUERIES, KEYS, signed=True)) == wanted


def test_one_list_of_labels_serves_queries_and_keys():
    assert table(torch.eye(2), QUERIES) == table(torch.eye(2), QUERIES, QUERIES)


@pytest.mark.parametrize("mask", [MASK, torch.tensor(MASK), np.array(MASK)], ids=["lists", "tensor", "array"])
@pytest.mark.parametrize("signed, sums", [(False, ["1.00", "1.00"]), (True, [])])
def test_what_a_query_may_not_attend_to_is_left_out(mask, signed, sums):
    page = table(WEIGHTS, QUERIES, KEYS, mask=mask, signed=signed)
    assert rows_of(page)[1:] == [["Life", "0.20", "–", "0.30", *sums[:1]], ["is", "–", "–", "–", *sums[1:]]]
    hidden = [cell.get("class") == "attn-hidden" for cell in ElementTree.fromstring(page).find("tbody").iter("td")]
    assert hidden.count(True) == 4


def test_each_weight_has_its_colour_and_ink_that_stands_out():
    page = table([[step / 10 for step in range(11)]], ["is"], [str(step) for step in range(11)])
    for step, style in enumerate(styles_of(page)[0][:11]):
        face = WEIGHT_COLOURS(step / 10)[:3]
        assert to_rgb(style["background"]) == pytest.approx(face, abs=0.003)
        assert style["color"] == ink_on(face)


def test_positive_scores_are_blue_negative_ones_violet_and_zero_almost_white():
    for row, faces in zip(SCORES.tolist(), faces_of(table(SCORES, QUERIES, KEYS, signed=True), 3)):
        for score, (red, green, blue) in zip(row, faces):
            assert (green - red) * score > 0 and blue > max(red, green) if score else min(red, blue) > 0.95


@pytest.mark.parametrize("size", [0.01, -1000.0])
def test_scores_are_coloured_in_proportion_to_the_largest_of_them_and_infinities_as_that(size):
    scores = [[size, -size / 2, 0.0, math.inf, -math.inf]]
    sign = math.copysign(1, size)
    places = [0.5 + sign / 2, 0.5 - sign / 4, 0.5, 1.0, 0.0]
    (faces,) = faces_of(table(scores, ["is"], list("abcde"), signed=True), 5)
    for face, place in zip(faces, places):
        assert face == pytest.approx(SCORE_COLOURS(place)[:3], abs=0.01)


@pytest.mark.parametrize("signed", [False, True])
@pytest.mark.parametrize(
    "same",
    [[[1, 0], [0, 1]], np.eye(2), EYE.long(), EYE.bfloat16(), EYE.double(), torch.eye(2, requires_grad=True)],
    ids=["whole numbers", "array", "integers", "half precision", "double precision", "with gradient"],
)
def test_equal_matrices_of_any_type_have_equal_tables(same, signed):
    assert table(same, QUERIES, signed=signed) == table(EYE, QUERIES, signed=signed)


def test_a_screen_reader_is_told_the_title_and_which_cells_are_headers():
    page = ElementTree.fromstring(table(WEIGHTS, QUERIES, KEYS, title="my attention"))
    assert page.find("caption").text == "my attention"
    for scope, names in (("col", [*KEYS, "Σ"]), ("row", QUERIES)):
        assert ["".join(header.itertext()) for header in page.iter("th") if header.get("scope") == scope] == names


def test_queries_and_keys_have_the_inks_of_their_roles():
    page = ElementTree.fromstring(table(SCORES, QUERIES, KEYS, signed=True))
    for header in page.iter("th"):
        role = "query" if header.get("scope") == "row" else "key"
        assert f";color:{ROLES[role].ink}" in header.get("style")


def test_a_long_label_is_whole_in_its_tooltip_and_a_short_one_has_none():
    labels = ["twelve chars", "thirteen char", TOKENS[0]]
    headers = list(ElementTree.fromstring(table(torch.eye(3), labels)).find("tbody").iter("th"))
    assert [header.get("title") for header in headers] == [None, *labels[1:]]
    assert ["".join(header.itertext()) for header in headers] == labels


@pytest.mark.parametrize("token, seen", [(" ", "␣"), ("", "␣"), ("\n", "␣"), (" a", " a"), (7, "7")])
def test_every_label_can_be_seen(token, seen):
    assert rows_of(table([[1]], [token])) == [[CORNER, seen, "Σ"], [seen, "1.00", "1.00"]]


@pytest.mark.parametrize("signed, name", [(False, "weights"), (True, "scores")])
@pytest.mark.parametrize("shape", [(3, 2), (2, 2), (1, 3), (6,), (), (1, 1, 2, 3)])
def test_a_matrix_that_does_not_fit_the_labels_is_refused(shape, signed, name):
    message = f"the {name} have shape {shape}, but 2 query labels and 3 key labels need (2, 3)"
    with pytest.raises(ValueError, match=re.escape(message)):
        table(torch.rand(shape), QUERIES, KEYS, signed=signed)


def test_a_mask_of_another_shape_is_refused():
    with pytest.raises(ValueError, match=r"the mask's entries have shape \(3, 3\)"):
        table(WEIGHTS, QUERIES, KEYS, mask=torch.ones(3, 3, dtype=torch.bool))


@pytest.mark.parametrize(
    "matrix, signed, message",
    [
        (torch.rand(1, 2, 3), False, r"have shape \(1, 2, 3\), .*; pick one head or sentence"),
        (WEIGHTS * math.nan, False, "is nan .not a number.: look for 0 / 0"),
        ([[0, math.nan, 1], [0, 0, 1]], True, "is nan"),
        (WEIGHTS * 4, False, r"run from 0\.00 to 3\.64; take the softmax of scores first"),
        (WEIGHTS - 0.01, False, "between 0 and 1"),
        ([[0, -math.inf, 1], [0, 0, 1]], False, "between 0 and 1"),
        ([[0, math.inf, 1], [0, 0, 1]], False, "between 0 and 1"),
    ],
)
def test_numbers_that_cannot_be_shown_are_refused(matrix, signed, message):
    with pytest.raises(ValueError, match=message):
        table(matrix, QUERIES, KEYS, signed=signed)


def test_more_than_64_by_64_cells_are_refused():
    assert len(rows_of(table(torch.eye(64), range(64)))) == 65
    with pytest.raises(ValueError, match="64 × 65 cells are too many to read; show at most 64 × 64"):
        table(torch.zeros(64, 65), range(64), range(65))


def test_a_sheet_is_white_paper_with_dark_ink_that_scrolls_and_can_be_reached_by_keyboard():
    page = ElementTree.fromstring(sheet("<b>content</b>", TOKENS[0]))
    assert f"background-color:{PAPER};color:{INK};" in page.get("style") and "overflow:auto" in page.get("style")
    assert page.get("tabindex") == "0" and page.find("b").text == "content"
    assert (page.get("role"), page.get("aria-label")) == ("group", TOKENS[0])


@pytest.mark.parametrize("token", TOKENS)
def test_tokens_in_a_sentence_are_text(token):
    for describe, said, times in (
        (describe_query, (token, [0.6, 0.4], [token, token], [1, 1]), 3),
        (describe_largest, ([[1.0]], [token], [token], "weight"), 2),
    ):
        sentence = ElementTree.fromstring(f"<p>{describe(*said, label)}</p>")
        assert "".join(sentence.itertext()) == describe(*said)
        assert [element.tag for element in sentence] == ["bdi"] * times


def test_the_steps_of_a_query_stand_above_its_weights_one_row_each():
    page = steps_table({"score": [2, -3.0, -0.001], "masked": [2, -3.0, -math.inf]}, [0.9, 0.1, 0], "is", KEYS)
    wanted = [["key →", *KEYS], ["score", "2.00", "−3.00", "0.00"], ["masked", "2.00", "−3.00", "−∞"]]
    assert rows_of(page) == [*wanted, ["weight", "0.90", "0.10", "–"]]
    weights = table([[0.9, 0.1, 0]], ["is"], KEYS, mask=[[True, True, False]])
    assert styles_of(page)[-1] == [row[:3] for row in styles_of(weights)][0]
    hidden = [
        [cell.get("class") == "attn-hidden" for cell in row.iter("td")] for row in ElementTree.fromstring(page)[2]
    ]
    assert hidden == [[False] * 3, [False, False, True], [False, False, True]]
    page = ElementTree.fromstring(page)
    assert [header.get("scope") for header in page.iter("th")] == ["col"] * 3 + ["row"] * 3
    assert "".join(page.find("caption").itertext()) == "The steps of “is”"
    assert "".join(page.find("caption/span[@class='attn-name']").itertext()) == "is"
