"""The softmax machine: every number that it stores, and that it shows after a change, is torch's."""

import pytest
import torch
from lab import PHONE, drag_by_finger, drag_by_mouse, place_on, rows, sentence, spoken
from live_pictures import twin_rows
from playwright.sync_api import expect

from companion.pictures.live.notebook_05_softmax_machine import softmax_machine
from companion.pictures.words import shown

TOKENS = ["Life", "is", "short", "eat", "dessert", "first"]
ROW = [1.7515, -1.5635, 0.6646, 0.2122, 2.2753, -0.098]


def made(scores=ROW, temperature=1):
    """Return the picture of these scores, without the keys whose score is −∞, which were clicked away."""
    left = [(score, key) for score, key in zip(scores, TOKENS) if score != -torch.inf]
    return softmax_machine(*zip(*left), "is", temperature)


def truth(scores, temperature):
    """Return the exps and the shares of scores, by torch."""
    scores = torch.tensor(scores, dtype=torch.float64)
    return torch.exp(scores / temperature), torch.softmax(scores / temperature, dim=-1)


@pytest.mark.parametrize("row", [ROW, [1000.0, 1001, 3, -2, 0, 0]])
@pytest.mark.parametrize("temperature, name", [(1, "exp(ω)"), (5, "exp(ω / 5.00)")])
def test_the_twin_shows_torchs_numbers(row, temperature, name):
    picture = made(row, temperature)
    head, *body, foot = twin_rows(picture)
    exps, shares = truth(row, temperature)
    assert head == ["key", "score ω", name, "weight α = exp / sum"] and picture.data["temperature"] == temperature
    assert body == [[key, *map(shown, numbers)] for key, *numbers in zip(TOKENS, row, exps.tolist(), shares.tolist())]
    assert foot == ["sum", "", shown(exps.sum().item()), "1.00"]
    assert made().text == "For “is”: “dessert” gets 0.49 of 1, “Life” 0.29."


def check(page, scores, temperature=1, before=""):
    """Assert that table and sentence are Python's of these scores; before: what the sentence begins with."""
    _, *body, foot = twin_rows(made(scores, temperature))
    left = {key: texts for key, *texts in body}
    figures = page.locator("tbody .attn-figure").all_inner_texts()
    assert figures == [text for key in TOKENS for text in left.get(key, ["−∞", "0.00", "–"])]
    assert page.locator("tfoot .attn-figure").all_inner_texts() == foot[2:]
    assert sentence(page) == before + made(scores, temperature).text


def changed(place, score):
    return [score if j == place else each for j, each in enumerate(ROW)]


def handle(page, key):
    return page.get_by_label(f"score of {key}", exact=True)


def test_scores_are_dragged_and_bars_shares_and_sentence_follow(on_page):
    page = on_page(made())
    check(page, ROW)
    start = place_on(handle(page, "is"), (4 + ROW[1]) / 9)  # on its scale, from −4 to 5
    drag_by_mouse(page, start, place_on(handle(page, "is"), 1.1))
    page.mouse.up()
    check(page, changed(1, 5.0))
    drag_by_mouse(page, place_on(handle(page, "is"), 1), place_on(handle(page, "is"), -0.1))
    page.mouse.up()
    check(page, changed(1, -4.0))


def test_a_finger_moves_a_score_unless_it_scrolls_the_page(on_page):
    page = on_page(made(), style="main { padding-bottom: 2000px }", **PHONE)
    start = place_on(handle(page, "is"), 0.9)
    drag_by_finger(page, start, (start[0], start[1] - 200))
    page.wait_for_function("scrollY > 50")
    check(page, ROW)  # to the number, which lies between two steps
    drag_by_finger(page, *(place_on(handle(page, "eat"), share) for share in (4.2 / 9, 1.1)))
    check(page, changed(3, 5.0))


def test_keys_move_a_score_and_only_then_it_is_spoken(on_page):
    page = on_page(made())
    for key, score in (("ArrowLeft", 2.2), ("End", 5.0), ("Home", -4.0)):
        handle(page, "dessert").press(key)
        check(page, changed(4, score))
        expect(handle(page, "dessert")).to_have_attribute("aria-valuetext", shown(score))
        assert spoken(page) == "polite"
    handle(page, "dessert").evaluate("e => e.dispatchEvent(new Event('input'))")
    assert spoken(page) == "off"


def test_adding_one_to_all_scores_changes_no_share_and_says_so(on_page):
    page = on_page(made())
    more, less = (page.get_by_role("button", name=f"{sign} 1 to all") for sign in "+−")
    more.click()
    check(page, [each + 1 for each in ROW], before="All scores rose by 1, and no share changed. ")
    for by in (0, -1):
        less.press("Enter")
        check(page, [each + by for each in ROW], before="All scores fell by 1, and no share changed. ")
    for _ in range(2):
        less.press("Space")
    check(page, [each - 2 for each in ROW], before="The scale ends here. ")


def test_a_key_is_clicked_away_and_the_others_share_what_it_had(on_page):
    page = on_page(made())
    page.get_by_role("checkbox").nth(4).click()
    check(page, changed(4, -torch.inf))
    expect(handle(page, "dessert")).to_be_disabled()
    page.get_by_role("checkbox").nth(4).press("Space")
    check(page, ROW)
    for key in range(6):
        page.locator("label").nth(key).click()
    assert sentence(page) == "All keys are hidden: the row becomes zeros, and nothing is shared out."
    assert page.locator("tbody .attn-figure").all_inner_texts() == ["−∞", "0.00", "–"] * 6
    assert page.locator("tfoot .attn-figure").all_inner_texts() == ["0.00", "0.00"]


def test_the_temperature_divides_the_scores_and_reset_puts_everything_back(on_page):
    page = on_page(made(temperature=5))
    check(page, ROW, temperature=5)
    heads = [head.replace("\u00a0", " ") for head in rows(page.locator("table"))[0]]
    assert heads == ["key", "score ω", "exp(ω / 5.00)", "weight α = exp / sum"]
    temperature = page.get_by_label("temperature")
    page.mouse.click(*place_on(temperature, 0.5))
    check(page, ROW, temperature=1)
    for key, power in (("ArrowLeft", -0.1), ("Home", -1)):
        temperature.press(key)
        check(page, ROW, temperature=5**power)
        expect(temperature).to_have_attribute("aria-valuetext", shown(5**power))
        assert spoken(page) == "polite"
    handle(page, "Life").press("End")
    page.get_by_role("checkbox").nth(2).click()
    page.get_by_role("button", name="reset").press("Enter")
    check(page, ROW, temperature=5)
    expect(temperature).to_have_attribute("aria-valuetext", "5.00")
    expect(page.get_by_role("checkbox").nth(2)).to_be_checked()
