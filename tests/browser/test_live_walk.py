"""The walk: a word followed by mouse, keyboard and finger."""

import pytest
from lab import PHONE, sentence, spoken
from playwright.sync_api import expect

from companion.pictures.live.walk import walk
from companion.pictures.words import shown
from companion.sentence import running_sentence
from utils.attention import attention, scores

TOKENS, QUERY, KEY, VALUE = running_sentence()
CONTEXT, WEIGHTS = attention(QUERY, KEY, VALUE)
SCORES = scores(QUERY, KEY)
PICTURE = walk(QUERY, KEY, VALUE, TOKENS)
SPOKEN = "all => all.map(one => one.querySelector('.attn-spoken')?.textContent ?? '')"


def written(vector):
    return ", ".join(map(shown, vector[:3].tolist())) + ", …"


def check(page, word):
    """Assert that choice, labels, numbers, bars and ribbons are all this word's, and equal to torch's."""
    weights, token = WEIGHTS[word].tolist(), TOKENS[word]
    most = weights.index(max(weights))
    expect(page.locator("th[scope=col]").nth(word)).to_have_class("attn-asking")
    expect(page.locator(".attn-asking")).to_have_count(1)
    steps = page.locator(".attn-step").all_inner_texts()
    assert steps[0] == f"“{token}” asks" and steps[-1] == f"add: the context of “{token}”"
    score = f"with a score: {shown(SCORES[word].max().item())} for “{TOKENS[most]}”"
    assert steps[3:5] == [score, f"softmax: {shown(weights[most])} for “{TOKENS[most]}”"]
    for name, numbers in (("score", SCORES[word].tolist()), ("weight", weights)):
        assert page.locator(f".attn-row-{name} td").all_inner_texts() == [*map(shown, numbers)]
    for cells, vectors in (
        ("query th[scope=col]", {word: QUERY[word]}),
        ("key td", dict(enumerate(KEY))),
        ("value td", dict(enumerate(VALUE))),
        ("context td", {word: CONTEXT[word]}),
    ):
        texts = [written(vectors[j]) if j in vectors else "" for j in range(6)]
        assert page.locator(f".attn-row-{cells}").evaluate_all(SPOKEN) == texts
    parts = page.locator(".attn-row-value .attn-part")
    heights = parts.evaluate_all("all => all.map(one => parseFloat(one.style.height))")
    assert heights == pytest.approx([100 * weight for weight in weights for _ in range(3)], abs=0.01)
    # A style that glides has its end in the attribute's text, not yet in what is drawn.
    widths = page.locator(".attn-ribbon").evaluate_all("all => all.map(one => parseFloat(one.style.strokeWidth))")
    column = page.locator(".attn-row-ribbons svg").evaluate("one => one.clientWidth") / 6
    ribbons = [max(0.8 * column * weight, 1) if weight >= 0.005 else 0 for weight in weights]
    assert widths == pytest.approx(ribbons, abs=0.1)
    assert sentence(page) == walk(QUERY, KEY, VALUE, TOKENS, follow=word).text


def test_the_mouse_follows_every_word_and_leaving_keeps_it(on_page):
    page = on_page(PICTURE)
    check(page, 1)
    for word in (0, 2, 3, 4, 5):
        page.locator("label").nth(word).hover()
        check(page, word)
    page.mouse.move(0, 0)
    check(page, 5)
    expect(page.locator("input").nth(5)).to_be_checked()


def test_the_keyboard_follows_words_and_goes_on_from_where_the_mouse_is(on_page):
    page = on_page(PICTURE)
    page.locator("input").nth(1).focus()
    for key, word in (("ArrowRight", 2), ("ArrowDown", 3), ("ArrowLeft", 2), ("End", 5), ("Home", 0)):
        page.keyboard.press(key)
        check(page, word)
        expect(page.locator("input").nth(word)).to_be_focused()
    page.locator("label").nth(3).hover()
    page.keyboard.press("ArrowRight")
    check(page, 4)


def test_a_finger_or_a_screen_readers_click_follows_a_word(on_page):
    page = on_page(PICTURE, **PHONE)
    for word in (4, 0):
        page.locator("label").nth(word).tap()
        check(page, word)
    page.locator("input").nth(4).evaluate("one => one.click()")
    check(page, 4)
    assert spoken(page) == "polite"
