"""`view` by mouse and by keyboard."""

import pytest
import torch
from lab import rows, sentence, spoken
from playwright.sync_api import expect

from companion.pictures.live.view import view

TOKENS = ["Life", "is", "short", "eat", "dessert", "first"]
SCORES = 3 * torch.randn(2, 6, 6, generator=torch.Generator().manual_seed(0))


@pytest.fixture
def page(on_page):
    return on_page(view(SCORES, TOKENS, head_dim=4, causal=False))


@pytest.fixture
def loose(on_page):
    """A page whose picture follows no query at the start."""
    return on_page(view(SCORES, TOKENS))


def row(page, query):
    return page.locator("table:not(.attn-steps) tbody tr").nth(query)


def numbers(page):
    return [line[1:-1] for line in rows(page.locator("table").first)[1:]]


def check(page, query):
    """Assert that table, sentence, lines and steps all follow this query, or that none does."""
    places = [place == query for place in range(len(TOKENS))]
    for parts in ("table:not(.attn-steps) tbody tr", ".attn-lines g > g", ".attn-lines text.attn-query"):
        marked = page.locator(parts).evaluate_all("all => all.map(one => one.classList.contains('attn-followed'))")
        assert marked == places, parts
    said = sentence(page).removeprefix("Head 0: ")
    assert said.startswith("Largest weight:" if query is None else f"“{TOKENS[query]}” attends most to")
    if page.locator(".attn-steps").count():
        assert page.locator(".attn-steps .attn-name").inner_text() == TOKENS[query]
        assert rows(page.locator(".attn-steps"))[-1][1:] == numbers(page)[query]


def pinned(page):
    return page.locator("tbody button").evaluate_all("all => all.findIndex(one => one.ariaPressed === 'true')")


def test_pointing_follows_a_query_unheard_and_leaving_ends_it(loose):
    check(loose, None)
    for query in (2, 5):
        row(loose, query).locator("td").nth(3).hover()
        check(loose, query)
        assert spoken(loose) == "off"
    loose.mouse.move(0, 0)
    check(loose, None)
    name = loose.locator(".attn-lines text.attn-query").nth(3)
    name.hover()
    check(loose, 3)
    name.click()
    loose.mouse.move(0, 0)
    check(loose, 3)
    assert pinned(loose) == 3


def test_a_click_pins_a_query_another_unpins_it_and_the_pin_stays_when_the_mouse_leaves(loose):
    row(loose, 3).locator("td").nth(1).click()
    row(loose, 1).hover()
    check(loose, 1)
    loose.mouse.move(0, 0)
    check(loose, 3)
    assert pinned(loose) == 3
    row(loose, 3).click()
    loose.mouse.move(0, 0)
    assert pinned(loose) == -1
    row(loose, 4).locator("button").click()
    assert pinned(loose) == 4


def test_tab_reaches_the_rows_and_comes_back_to_the_one_to_which_keys_walked(page):
    page.locator("[type=checkbox]").focus()
    page.keyboard.press("Tab")
    check(page, 0)
    keys = ["ArrowDown", "ArrowDown", "ArrowUp", "End", "ArrowDown", "Home", "ArrowUp", "ArrowDown"]
    for key, query in zip(keys, (1, 2, 1, 5, 5, 0, 0, 1)):
        page.keyboard.press(key)
        check(page, query)
        assert spoken(page) == "polite"
        expect(row(page, query).locator("button")).to_be_focused()
    page.keyboard.press("Shift+Tab")
    expect(page.locator("[type=checkbox]")).to_be_focused()
    page.keyboard.press("Tab")
    check(page, 1)


@pytest.mark.parametrize("key", ["Enter", "Space"])
def test_a_key_pins_and_unpins_the_row(key, loose):
    row(loose, 0).locator("button").press("ArrowDown")
    loose.keyboard.press(key)
    assert pinned(loose) == 1
    loose.keyboard.press("ArrowDown")
    check(loose, 2)
    loose.evaluate("document.activeElement.blur()")
    check(loose, 1)
    row(loose, 1).locator("button").press(key)
    assert pinned(loose) == -1


def test_the_temperature_goes_by_quarter_powers_of_two(page):
    start = numbers(page)
    slider = page.locator("[type=range]")
    for key, temperature in (("ArrowRight", "1.19"), ("ArrowUp", "1.41"), ("Home", "0.12"), ("End", "32.00")):
        before = numbers(page)
        slider.press(key)
        assert page.locator("output").inner_text() == temperature and numbers(page) != before
    assert {number for line in numbers(page) for number in line} < {f"0.{each}" for each in range(10, 25)}
    assert "÷ 32.00" in rows(page.locator(".attn-steps"))[2][0]
    for _ in range(20):
        slider.press("ArrowLeft")
    assert page.locator("output").inner_text() == "1.00" and numbers(page) == start


def test_the_causal_mask_hides_the_future_in_table_sentence_lines_and_steps(page):
    mask = page.locator("[type=checkbox]")
    mask.press("Space")
    expect(mask).to_be_checked()
    assert [[text == "–" for text in line] for line in numbers(page)] == [[j > i for j in range(6)] for i in range(6)]
    hidden = page.locator("td.attn-hidden").evaluate_all("all => all.map(one => one.style.background)")
    assert set(hidden) == {""}  # stripes, and no colour of a weight
    assert "5 of 6 keys are hidden" in sentence(page)
    assert rows(page.locator(".attn-steps"))[3][2:] == ["−∞"] * 5
    drawn = page.locator(".attn-lines g > g").nth(0).locator("path")
    assert drawn.evaluate_all("all => all.map(one => one.style.display)") == ["", *["none"] * 5]
    mask.click()
    assert "–" not in str(numbers(page))


def test_heads_are_chosen_and_lines_are_as_strong_as_the_weights(page):
    head_0 = numbers(page)
    page.locator("[type=radio]").nth(0).press("ArrowRight")
    expect(page.locator("[type=radio]").nth(1)).to_be_checked()
    assert numbers(page) != head_0 and sentence(page).startswith("Head 1: ")
    strengths = "all => all.map(one => parseFloat(one.style.strokeWidth))"
    widths = page.locator(".attn-lines path").evaluate_all(strengths)
    weights = [float(text) for line in numbers(page) for text in line]
    assert widths == pytest.approx([0.6 + 9 * weight for weight in weights], abs=0.05)
