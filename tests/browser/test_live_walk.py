"""The walk, a word followed through attention: in the table that is stored, and by mouse, keyboard and finger."""

import pytest
import torch
from lab import PHONE, sentence, spoken
from live_pictures import twin_rows
from playwright.sync_api import expect

from companion.pictures.live.walk import walk
from companion.pictures.words import shown
from companion.sentence import running_sentence
from utils.attention import attention, scores

TOKENS, QUERY, KEY, VALUE = running_sentence()
CONTEXT, WEIGHTS = attention(QUERY, KEY, VALUE)
SPOKEN = "all => all.map(one => one.querySelector('.attn-spoken')?.textContent ?? '')"


def followed(word=1):
    return walk(QUERY, KEY, VALUE, TOKENS, follow=word)


def written(vector):
    return ", ".join(map(shown, vector[:3].tolist())) + ", …"


@pytest.mark.parametrize("word", range(6))
def test_the_static_table_has_torchs_numbers_from_the_query_to_the_context(word):
    _, asks, *answers, adds = twin_rows(followed(word))
    assert asks == [f"“{TOKENS[word]}” asks: query", written(QUERY[word])]
    numbers = scores(QUERY, KEY)[word].tolist(), WEIGHTS[word].tolist()
    assert answers == [
        [token, written(key), shown(score), shown(weight), written(value)]
        for token, key, score, weight, value in zip(TOKENS, KEY, *numbers, VALUE)
    ]
    assert [adds[0], adds[-1]] == [f"add: the context of “{TOKENS[word]}”", written(CONTEXT[word])]


def test_short_vectors_are_shown_whole_and_without_an_ellipsis():
    _, asks, first, *_ = twin_rows(walk(torch.eye(2), torch.eye(2), torch.eye(2)[:, :1], ["a", "b"]))
    assert asks[1] == "0.00, 1.00" and first[-1] == "1.00"


def check(page, word):
    """Assert that choice, labels, numbers, bars and ribbons are all this word's, as in the static table."""
    weights, most = WEIGHTS[word].tolist(), WEIGHTS[word].argmax().item()
    _, (_, query), *answers, (adds, *_, context) = twin_rows(followed(word))
    columns = dict(zip(("key", "score", "weight", "value"), [*zip(*answers)][1:]))
    expect(page.locator("th[scope=col]").nth(word)).to_have_class("attn-asking")
    expect(page.locator(".attn-asking")).to_have_count(1)
    steps = page.locator(".attn-step").all_inner_texts()
    assert steps[0] == f"“{TOKENS[word]}” asks" and steps[-1] == adds
    softmax = f"softmax: {columns['weight'][most]} for “{TOKENS[most]}”"
    assert steps[3:5] == [f"with a score: {columns['score'][most]} for “{TOKENS[most]}”", softmax]
    for name in ("score", "weight"):
        assert page.locator(f".attn-row-{name} td").all_inner_texts() == [*columns[name]]
    for name in ("key", "value"):
        assert page.locator(f".attn-row-{name} td").evaluate_all(SPOKEN) == [*columns[name]]
    for cells, text in (("query th[scope=col]", query), ("context td", context)):
        texts = [text if place == word else "" for place in range(6)]
        assert page.locator(f".attn-row-{cells}").evaluate_all(SPOKEN) == texts
    parts = page.locator(".attn-row-value .attn-part")
    heights = parts.evaluate_all("all => all.map(one => parseFloat(one.style.height))")
    assert heights == pytest.approx([100 * weight for weight in weights for _ in range(3)], abs=0.01)
    # A style that glides has its end in the attribute's text, not yet in what is drawn.
    widths = page.locator(".attn-ribbon").evaluate_all("all => all.map(one => parseFloat(one.style.strokeWidth))")
    column = page.locator(".attn-row-ribbons svg").evaluate("one => one.clientWidth") / 6
    ribbons = [max(0.8 * column * weight, 1) if weight >= 0.005 else 0 for weight in weights]
    assert widths == pytest.approx(ribbons, abs=0.1)
    assert sentence(page) == followed(word).text


def test_the_mouse_follows_every_word_and_leaving_keeps_it(on_page):
    page = on_page(followed())
    check(page, 1)
    for word in (0, 2, 3, 4, 5):
        page.locator("label").nth(word).hover()
        check(page, word)
    page.mouse.move(0, 0)
    check(page, 5)
    expect(page.locator("input").nth(5)).to_be_checked()


def test_the_keyboard_follows_words_and_goes_on_from_where_the_mouse_is(on_page):
    page = on_page(followed())
    page.locator("input").nth(1).focus()
    for key, word in (("ArrowRight", 2), ("ArrowDown", 3), ("ArrowLeft", 2), ("End", 5), ("Home", 0)):
        page.keyboard.press(key)
        check(page, word)
        expect(page.locator("input").nth(word)).to_be_focused()
    page.locator("label").nth(3).hover()
    page.keyboard.press("ArrowRight")
    check(page, 4)


def test_a_finger_or_a_screen_readers_click_follows_a_word(on_page):
    page = on_page(followed(), **PHONE)
    for word in (4, 0):
        page.locator("label").nth(word).tap()
        check(page, word)
    page.locator("input").nth(4).evaluate("one => one.click()")
    check(page, 4)
    assert spoken(page) == "polite"
