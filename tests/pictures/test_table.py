import xml.etree.ElementTree as ElementTree

import numpy as np
import pytest
import torch
from hostile import SHOWN
from hypothesis import given, settings
from hypothesis import strategies as st

from companion.pictures.notebook_01_boxes import boxes
from companion.pictures.notebook_02_vectors import vectors
from companion.pictures.notebook_09_cuts import cuts
from companion.pictures.palette import INK, PAPER, ROLES
from companion.pictures.table import html_sheet, label, table

QUERIES, KEYS = ["Life", "is"], ["eat", "dessert", "first"]
WEIGHTS = torch.tensor([[0.2, 0.5, 0.3], [0.91, 0.0, 0.09]])
EYE = torch.eye(2)
CORNER = "query ↓ key →"


def drawn(weights, queries, keys=None):
    """A table whose rows end at the second key, parsed, which refuses any tag that is not closed."""
    keys = queries if keys is None else keys
    return ElementTree.fromstring(table(weights, queries, keys, [2] * len(queries), "my attention"))


def rows_of(page):
    """The texts of a table's rows, header first."""
    return [["".join(cell.itertext()) for cell in row] for row in page.iter("tr")]


@settings(max_examples=10, deadline=None, derandomize=True)
@given(st.integers(1, 5), st.integers(1, 5), st.integers(0, 999))
def test_each_cell_shows_its_weight(queries, keys, seed):
    weights = torch.rand(queries, keys, generator=torch.Generator().manual_seed(seed)).double()
    names = [f"query {i}" for i in range(queries)], [f"key {j}" for j in range(keys)]
    rows = [[name, *(f"{weight:.2f}" for weight in row[:2])] for name, row in zip(names[0], weights.tolist())]
    assert rows_of(drawn(weights, *names)) == [[CORNER, *names[1]], *rows]


@pytest.mark.parametrize("same", [[[1, 0], [0, 1]], np.eye(2), torch.eye(2, requires_grad=True)])
def test_equal_matrices_of_any_type_have_equal_tables(same):
    assert table(same, QUERIES, QUERIES, [2, 2], "") == table(EYE, QUERIES, QUERIES, [2, 2], "")


def test_a_screen_reader_is_told_the_title_and_the_headers():
    page = drawn(WEIGHTS, QUERIES, KEYS)
    assert page.find("caption").text == "my attention"
    for scope, names, role in (("col", KEYS, "key"), ("row", QUERIES, "query")):
        headers = [header for header in page.iter("th") if header.get("scope") == scope]
        assert ["".join(header.itertext()) for header in headers] == names
        assert all(f";color:{ROLES[role].ink}" in header.get("style") for header in headers)


def test_a_long_label_is_whole_in_its_tooltip_and_a_short_one_has_none():
    labels = ["twelve chars", "thirteen char"]
    headers = list(drawn(EYE, labels).find("tbody").iter("th"))
    assert [header.get("title") for header in headers] == [None, labels[1]]
    assert ["".join(header.itertext()) for header in headers] == labels


@pytest.mark.parametrize("token, seen", [(" ", "␣"), ("", "␣"), (7, "7")])
def test_every_label_can_be_seen(token, seen):
    assert rows_of(drawn([[1]], [token])) == [[CORNER, seen], [seen, "1.00"]]


def test_a_sheet_is_white_paper_that_scrolls_by_keyboard_too():
    page = ElementTree.fromstring(html_sheet("<b>content</b>", "its <title>"))
    assert f"background-color:{PAPER};color:{INK};" in page.get("style") and "overflow:auto" in page.get("style")
    assert page.get("tabindex") == "0" and page.find("b").text == "content"
    assert (page.get("role"), page.get("aria-label")) == ("group", "its <title>")


TOKENS = [*(token.replace(" ", "_") for token in SHOWN), "<bdi>"]
SQUARE = torch.eye(len(TOKENS))
FEATURES = torch.arange(2 * len(TOKENS)).view(-1, 2)
DRAWN = {
    "boxes": lambda tokens: boxes({tokens[0]: tokens}, title=tokens[1]).content,
    "cuts": lambda tokens: cuts(FEATURES, {tokens[0]: FEATURES[None]}, tokens).content,
    "vectors": lambda tokens: vectors({tokens[0]: (tokens, SQUARE)}).content,
    "table": lambda tokens: table(SQUARE, tokens, tokens, [len(tokens)] * len(tokens), tokens[1]),
    "sheet": lambda tokens: html_sheet("".join(map(label, tokens)), tokens[0]),
}


@pytest.mark.parametrize("name", DRAWN)
@pytest.mark.parametrize("turn", range(2))  # what is a title, and what is a label
def test_a_token_is_text_and_never_markup(name, turn):
    tokens = TOKENS[turn:] + TOKENS[:turn]
    plain, hostile = (
        ElementTree.fromstring(f"<div>{DRAWN[name](each)}</div>".replace("&#160;", " "))
        for each in (["a", "b", "c", *map(str, range(len(tokens) - 3))], tokens)
    )
    assert {element.tag for element in hostile.iter()} == {element.tag for element in plain.iter()}
    texts = {element.text for element in hostile.iter("bdi")}
    assert texts <= set(tokens) and len(texts) >= min(2, len({element.text for element in plain.iter("bdi")}))
