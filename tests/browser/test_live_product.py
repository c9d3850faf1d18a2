"""A matrix product, number by number: by mouse, by finger and by keyboard."""

import re

import pytest
import torch
from lab import sentence
from playwright.sync_api import expect

from companion.pictures.live.product import product
from companion.pictures.palette import fills, ink_on

NAMES = ["input 1", "input 2", "input 3"]
INPUTS = torch.tensor([[1.0, 0, 1, 0], [0, 2, 0, 2], [1, 1, 1, 1]])
W_QUERY = torch.tensor([[1.0, 0, 1], [1, 0, 0], [0, 0, 1], [0, 1, 1]])
PICTURE = product(INPUTS, W_QUERY, rows=NAMES)
MARKED = "lines => lines.map(line => [...line.cells].map(cell => Number(cell.classList.contains('attn-{}'))))"
LOOKS = "all => all.map(one => [one.textContent, getComputedStyle(one).backgroundColor, getComputedStyle(one).color])"


def number(page, row, column, columns=3):
    return page.locator("button").nth(columns * row + column)


def check(page, row, column):
    """Assert that the row, the column and the number stand out, and that their sum is that of torch."""
    left, right = INPUTS[row], W_QUERY[:, column]
    terms = " + ".join(f"{a:.0f} · {b:.0f}" for a, b in zip(left, right))
    said = f"Q[{NAMES[row]}, {column}] = {terms} = {left @ right:.0f}"
    expect(page.locator(".attn-sentence")).to_have_text(said)
    lit = page.locator("tr").evaluate_all(MARKED.format("lit"))
    places = [int(place == column) for place in range(3)]
    assert lit[2:6] == [[0, *places]] * 4
    assert lit[7:] == [[0, 1, 1, 1, 1, 0, *places] if place == row else [0] * 9 for place in range(3)]
    assert page.locator("button").evaluate_all("all => all.findIndex(one => one.tabIndex === 0)") == 3 * row + column


def test_pointing_or_a_tap_lights_a_number_and_its_sum_with_pale_zeros(on_page):
    page = on_page(PICTURE)
    check(page, 1, 0)
    lit = "all => all.map(one => one.classList.contains('attn-lit'))"
    terms = page.locator(".attn-sentence .attn-cell").evaluate_all(lit)
    assert terms == [False] * 2 + [True] * 2 + [False] * 4 + [True]
    number(page, 0, 1).hover()
    faded = [sum(line) for line in page.locator("tr").evaluate_all(MARKED.format("faded"))]
    assert faded[2:6] == [0, 3, 0, 3] and faded[7:] == [2, 0, 0]  # input 1 is (1, 0, 1, 0)
    page.mouse.move(0, 0)
    check(page, 0, 1)
    number(page, 0, 2).dispatch_event("click")
    check(page, 0, 2)
    box = number(page, 0, 2).bounding_box()
    assert min(box["width"], box["height"]) >= 24


def test_keys_walk_the_numbers_and_each_says_its_row_and_column(on_page):
    page = on_page(PICTURE)
    number(page, 1, 0).focus()
    keys = ["ArrowRight", "ArrowDown", "ArrowDown", "ArrowLeft", "ArrowLeft", "End", "ArrowRight", "Home", "ArrowUp"]
    for key, place in zip(keys, [(1, 1), (2, 1), (2, 1), (2, 0), (2, 0), (2, 2), (2, 2), (2, 0), (1, 0)]):
        page.keyboard.press(key)
        expect(number(page, *place)).to_be_focused()
        check(page, *place)
    expect(number(page, 2, 1)).to_have_accessible_name("Q, input 3, 1: 1")


def test_each_weight_has_its_shade_in_the_table_and_in_the_sum(on_page):
    weights = [[0.02, 0.98]]
    names, roles = ("weights", "values", "contexts"), ("weight", "value", "context")
    page = on_page(product(weights, [[1], [2]], names, roles))
    cells = page.locator("td.attn-lit").evaluate_all(LOOKS)[2:4]
    for looks in (cells, page.locator(".attn-sentence .attn-cell").evaluate_all(LOOKS)[::2][:2]):
        for (text, face, ink), weight, colour in zip(looks, weights[0], fills(weights)[0]):
            assert text == f"{weight:.2f}"
            assert [int(each) for each in re.findall(r"\d+", face)] == pytest.approx([255 * c for c in colour], abs=1)
            assert ink == {"#000": "rgb(0, 0, 0)", "#FFF": "rgb(255, 255, 255)"}[ink_on(colour)]


def test_a_long_sum_is_cut_and_its_total_is_that_of_torch(on_page):
    torch.manual_seed(0)
    left, right = torch.randn(2, 24), torch.randn(24, 2)
    page = on_page(product(left, right))
    number(page, 0, 1, columns=2).hover()
    terms = [f"{left[0, k]:.2f} · {right[k, 1]:.2f}" for k in (0, 1, 2, 23)]
    said = f"Q[0, 1] = {' + '.join([*terms[:3], '…', terms[3]])} = {left[0] @ right[:, 1]:.2f}"
    assert sentence(page) == said.replace("-", "−")
