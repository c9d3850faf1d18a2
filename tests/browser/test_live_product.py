"""`product` in a real JupyterLab, by mouse, by finger and by keyboard."""

import re

import pytest
import torch
from lab import check_undisturbed
from playwright.sync_api import expect

from companion.pictures.palette import fills, ink_on

NAMES = ["input 1", "input 2", "input 3"]
PREPARED = f"""import torch
from companion.pictures.live.product import product
names = {NAMES}
"""
INPUTS = [[1.0, 0, 1, 0], [0, 2, 0, 2], [1, 1, 1, 1]]
W_QUERY = [[1.0, 0, 1], [1, 0, 0], [0, 0, 1], [0, 1, 1]]
SEEDED = "torch.manual_seed(0)\nleft, right = torch.randn(2, 24), torch.randn(24, 2)\n"


@pytest.fixture
def picture(show):
    return show(f"{PREPARED}product({INPUTS}, {W_QUERY}, rows=names)").locator(".attention-live")


def number(picture, row, column, columns=3):
    return picture.locator("button").nth(columns * row + column)


def check_lit(picture, row, column):
    """Assert that the row, the column and the number stand out, and that their sum is that of torch."""
    left, right = torch.tensor(INPUTS)[row], torch.tensor(W_QUERY)[:, column]
    terms = " + ".join(f"{a:.0f} · {b:.0f}" for a, b in zip(left, right))
    sentence = f"Q[{NAMES[row]}, {column}] = {terms} = {left @ right:.0f}"
    expect(picture.locator(".attn-sentence")).to_have_text(sentence)
    lit = picture.locator("tr").evaluate_all(
        "lines => lines.map(line => [...line.cells].map(cell => Number(cell.classList.contains('attn-lit'))))"
    )
    places = [int(place == column) for place in range(3)]
    assert lit[2:6] == [[0, *places]] * 4
    wanted = [[0] * 9 for _ in NAMES]
    wanted[row] = [0, 1, 1, 1, 1, 0, *places]
    assert lit[7:] == wanted
    assert picture.locator("button").evaluate_all("all => all.findIndex(one => one.tabIndex === 0)") == 3 * row + column


def test_pointing_lights_a_number_without_a_word_and_a_click_says_it(picture, bench):
    check_lit(picture, 1, 0)
    number(picture, 2, 2).hover()
    check_lit(picture, 2, 2)
    sentence = picture.locator(".attn-sentence")
    assert sentence.evaluate("one => one.ariaLive") == "off"
    number(picture, 2, 2).click()
    assert sentence.evaluate("one => one.ariaLive") == "polite"
    bench.mouse.move(0, 0)
    check_lit(picture, 2, 2)
    check_undisturbed(bench)


def test_a_finger_lights_a_number(picture):
    number(picture, 0, 2).dispatch_event("click")
    check_lit(picture, 0, 2)
    box = number(picture, 0, 2).bounding_box()
    assert min(box["width"], box["height"]) >= 24


def test_the_arrow_keys_home_and_end_walk_the_numbers_and_each_says_its_row_and_column(picture, bench):
    number(picture, 1, 0).focus()
    keys = ["ArrowRight", "ArrowDown", "ArrowDown", "ArrowLeft", "ArrowLeft", "End", "ArrowRight", "Home", "ArrowUp"]
    for key, place in zip(keys, [(1, 1), (2, 1), (2, 1), (2, 0), (2, 0), (2, 2), (2, 2), (2, 0), (1, 0)]):
        bench.keyboard.press(key)
        expect(number(picture, *place)).to_be_focused()
        check_lit(picture, *place)
    assert picture.locator(".attn-sentence").evaluate("one => one.ariaLive") == "polite"
    expect(number(picture, 2, 1)).to_have_accessible_name("Q, input 3, 1: 1")
    for key in "ddabxm":  # JupyterLab's own shortcuts
        bench.keyboard.press(key)
    check_undisturbed(bench)


def test_zeros_are_pale_in_the_sum(picture):
    lit = picture.locator(".attn-sentence .attn-cell").evaluate_all(
        "all => all.map(one => one.classList.contains('attn-lit'))"
    )
    assert lit == [False] * 2 + [True] * 2 + [False] * 4 + [True]


def test_rows_that_count_0_times_fade_and_those_that_are_added_up_stay(picture):
    number(picture, 0, 1).hover()
    faded = picture.locator("tr").evaluate_all(
        "lines => lines.map(line => [...line.cells].filter(cell => cell.classList.contains('attn-faded')).length)"
    )
    assert faded[2:6] == [0, 3, 0, 3] and faded[7:] == [2, 0, 0]  # input 1 is (1, 0, 1, 0)


def test_each_weight_has_its_shade_in_the_table_and_in_the_sum_and_is_framed_like_the_others(show):
    weights, names = [[0.02, 0.98]], ("weights", "values", "contexts")
    source = f"product({weights}, [[1], [2]], {names}, ('weight', 'value', 'context'))"
    picture = show(f"{PREPARED}{source}").locator(".attention-live")
    looks = (
        "all => all.map(one => [one.textContent, getComputedStyle(one).backgroundColor, getComputedStyle(one).color])"
    )
    (faint, deep), other = fills(weights)[0], picture.locator(".attn-sentence .attn-cell").evaluate_all(looks)[::2][:2]
    for shown in (picture.locator("td.attn-lit").evaluate_all(looks)[2:4], other):
        for (text, face, ink), number, wanted in zip(shown, weights[0], (faint, deep)):
            assert text == f"{number:.2f}"
            assert [int(each) for each in re.findall(r"\d+", face)] == pytest.approx([255 * c for c in wanted], abs=1)
            assert ink == {"#000": "rgb(0, 0, 0)", "#FFF": "rgb(255, 255, 255)"}[ink_on(wanted)]


def test_a_long_sum_is_cut_and_its_total_is_that_of_torch(show, bench):
    picture = show(f"{PREPARED}{SEEDED}product(left, right)").locator(".attention-live")
    torch.manual_seed(0)
    left, right = torch.randn(2, 24), torch.randn(24, 2)
    number(picture, 0, 1, columns=2).hover()
    terms = [f"{left[0, k]:.2f} · {right[k, 1]:.2f}" for k in (0, 1, 2, 23)]
    sentence = f"Q[0, 1] = {' + '.join([*terms[:3], '…', terms[3]])} = {left[0] @ right[:, 1]:.2f}"
    expect(picture.locator(".attn-sentence")).to_have_text(sentence.replace("-", "−"))
