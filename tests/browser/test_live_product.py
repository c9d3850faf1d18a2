"""A matrix product, number by number: in the table that is stored, by mouse, by finger and by keyboard."""

import re
import xml.etree.ElementTree as ElementTree

import pytest
import torch
from lab import sentence
from live_pictures import twin_rows
from matplotlib.colors import to_hex
from playwright.sync_api import expect

from companion.pictures.live.product import product
from companion.pictures.palette import fills, ink_on

NAMES = ["input 1", "input 2", "input 3"]
INPUTS = torch.tensor([[1.0, 0, 1, 0], [0, 2, 0, 2], [1, 1, 1, 1]])
W_QUERY = torch.tensor([[1.0, 0, 1], [1, 0, 0], [0, 0, 1], [0, 1, 1]])
PICTURE = product(INPUTS, W_QUERY, rows=NAMES)
MARKED = "lines => lines.map(line => [...line.cells].map(cell => Number(cell.classList.contains('attn-{}'))))"
LOOKS = "all => all.map(one => [one.textContent, getComputedStyle(one).backgroundColor, getComputedStyle(one).color])"


def random(height, width):
    return torch.randn(height, width, generator=torch.Generator().manual_seed(height + width))


def cells(picture):
    return [list(line) for line in ElementTree.fromstring(picture.twin).iter("tr")]


def decimals(numbers):
    return [f"{number:z.2f}".replace("-", "−") for number in numbers]


def test_the_true_product_stands_where_left_and_right_cross():
    assert twin_rows(PICTURE) == [
        ["X @ W_query = Q", "", "W_query 4 × 3"],
        ["", "0", "1", "2"],
        *(["", *row] for row in ("101", "100", "001", "011")),
        ["", "X 3 × 4", "", "Q 3 × 3"],
        ["input 1", *"1010", "", *"102"],
        ["input 2", *"0202", "", *"222"],
        ["input 3", *"1111", "", *"213"],
    ]
    assert PICTURE.text == "Q[input 2, 0] = 0 · 1 + 2 · 1 + 0 · 0 + 2 · 0 = 2"


def test_without_a_script_only_one_sum_is_coloured():
    lit = [["background" in cell.get("style", "") for cell in line] for line in cells(product(INPUTS, W_QUERY))]
    gap = [False]
    assert lit[2:6] == [gap + [True, False, False]] * 4
    assert lit[7:] == [gap * 9, gap + [True] * 4 + gap + [True] + gap * 2, gap * 9]


def test_weights_have_their_shades_without_a_script_too():
    picture = product([[0.02, 0.98], [0.5, 0.5]], [[1], [2]], roles=("weight", "value", "context"))
    looks = [cell.get("style") for cell in cells(picture)[-2][1:3]]
    faces = [f"background:{to_hex(fills([[weight]])[0][0])}" for weight in (0.02, 0.98)]
    assert looks == [f"{faces[0]};color:#000", f"{faces[1]};color:#FFF"]


def test_numbers_that_are_not_whole_are_those_of_torch_to_two_decimals():
    left, right = random(5, 7), random(7, 4)
    drawn = twin_rows(product(left, right))
    assert [line[1:] for line in drawn[2:9]] == [decimals(row) for row in right.tolist()]
    pairs = zip(left.tolist(), (left @ right).tolist())
    assert [line[1:] for line in drawn[10:]] == [decimals(row) + [""] + decimals(sums) for row, sums in pairs]


def test_of_a_long_sum_four_terms_are_written_and_the_total_of_all():
    left, right = random(6, 24), random(24, 6)
    picture, row, column = product(left, right, ("Q", "Kᵀ", "scores")), decimals(left[1]), decimals(right[:, 0])
    terms = [f"{row[k]} · {column[k]}" for k in (0, 1, 2, 23)]
    (total,) = decimals([(left @ right)[1, 0].item()])
    assert picture.text == f"scores[1, 0] = {' + '.join([*terms[:3], '…', terms[3]])} = {total}"
    assert [line[1] for line in twin_rows(picture)[2:7]] == [*column[:3], "⋮", column[23]]
    assert twin_rows(picture)[9][1:6] == [*row[:3], "…", row[23]]
    assert "…" not in product(random(2, 12), random(12, 2)).text


def test_labels_name_rows_columns_and_the_places_that_both_share():
    drawn = twin_rows(product([[0, 1]], [[1.5], [2]], rows=["is"], shared=["eat", "first"]))
    assert [line[0] for line in drawn[2:4]] == drawn[5][1:] == ["eat", "first"]
    assert drawn[1] == ["", "0"] and drawn[6][0] == "is"


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


def test_a_long_sum_is_cut_as_python_cuts_it(on_page):
    left, right = random(2, 24), random(24, 2)
    page = on_page(product(left, right))
    number(page, 0, 1, columns=2).hover()
    turned = product(left.flip(0), right.flip(1))  # whose sum at the start is this one
    assert sentence(page) == turned.text.replace("Q[1, 0]", "Q[0, 1]")
