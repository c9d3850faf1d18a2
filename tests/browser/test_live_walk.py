"""The walk in a real JupyterLab: a word followed by mouse, keyboard and finger; and the course's first three keys."""

import pytest
from lab import check_undisturbed
from playwright.sync_api import expect

from companion.pictures.live.walk import walk
from companion.pictures.words import shown
from companion.sentence import running_sentence
from utils.attention import attention, scores

TOKENS, QUERY, KEY, VALUE = running_sentence()
CONTEXT, WEIGHTS = attention(QUERY, KEY, VALUE)
SCORES = scores(QUERY, KEY)
SOURCE = """from companion.pictures.live.walk import walk
from companion.sentence import running_sentence

tokens, query, key, value = running_sentence()
walk(query, key, value, tokens)"""


@pytest.fixture
def picture(show):
    return show(SOURCE).locator("attn-walk")


def written(vector):
    return ", ".join(map(shown, vector[:3].tolist())) + ", …"


def check_followed(picture, word):
    """Assert that choice, labels, numbers, bars and ribbons are all this word's, and equal to torch's."""
    weights, token = WEIGHTS[word].tolist(), TOKENS[word]
    most = weights.index(max(weights))
    expect(picture.locator("th[scope=col]").nth(word)).to_have_class("attn-asking")
    expect(picture.locator(".attn-asking")).to_have_count(1)
    steps = picture.locator(".attn-step").all_inner_texts()
    assert steps[0] == f"“{token}” asks" and steps[-1] == f"add: the context of “{token}”"
    assert steps[3:5] == [
        f"with a score: {shown(SCORES[word].max().item())} for “{TOKENS[most]}”",
        f"softmax: {shown(weights[most])} for “{TOKENS[most]}”",
    ]
    assert numbers(picture, "score") == [*map(shown, SCORES[word].tolist())]
    assert numbers(picture, "weight") == [*map(shown, weights)]
    alone = [""] * word
    assert vectors(picture, "query th[scope=col]") == [*alone, written(QUERY[word]), *[""] * (5 - word)]
    assert vectors(picture, "context td") == [*alone, written(CONTEXT[word]), *[""] * (5 - word)]
    assert vectors(picture, "key td") == [*map(written, KEY)]
    assert vectors(picture, "value td") == [*map(written, VALUE)]
    parts = picture.locator(".attn-row-value .attn-part")
    heights = parts.evaluate_all("all => all.map(one => parseFloat(one.style.height))")
    assert heights == pytest.approx([100 * weight for weight in weights for _ in range(3)], abs=0.01)
    # A style that glides has its end in the attribute's text, not yet in what is drawn.
    widths = picture.locator(".attn-ribbon").evaluate_all("all => all.map(one => parseFloat(one.style.strokeWidth))")
    column = picture.locator("svg").evaluate("one => one.clientWidth") / 6
    assert widths == pytest.approx(
        [max(0.8 * column * weight, 1) if weight >= 0.005 else 0 for weight in weights], abs=0.1
    )
    assert picture.locator(".attn-sentence").inner_text().startswith(f"“{token}” attends most to “{TOKENS[most]}”")


def numbers(picture, name):
    return picture.locator(f".attn-row-{name} td").all_inner_texts()


def vectors(picture, cells):
    return picture.locator(f".attn-row-{cells}").evaluate_all(
        "all => all.map(one => one.querySelector('.attn-spoken')?.textContent ?? '')"
    )


def test_the_mouse_follows_every_word_and_leaving_keeps_it(picture, bench):
    check_followed(picture, 1)
    for word in (0, 2, 3, 4, 5):
        picture.locator("label").nth(word).hover()
        check_followed(picture, word)
    bench.mouse.move(0, 0)
    check_followed(picture, 5)
    expect(picture.locator("input").nth(5)).to_be_checked()
    assert picture.locator(".attn-sentence").evaluate("one => one.ariaLive") == "off"


def test_the_keyboard_follows_words_and_goes_on_from_where_the_mouse_is(picture, bench):
    picture.locator("input").nth(1).focus()
    for key, word in (("ArrowRight", 2), ("ArrowDown", 3), ("ArrowLeft", 2), ("End", 5), ("Home", 0)):
        bench.keyboard.press(key)
        check_followed(picture, word)
        expect(picture.locator("input").nth(word)).to_be_focused()
    assert picture.locator(".attn-sentence").evaluate("one => one.ariaLive") == "polite"
    picture.locator("label").nth(3).hover()
    bench.keyboard.press("ArrowRight")
    check_followed(picture, 4)
    for letter in "ddabxm":
        bench.keyboard.press(letter)
    check_undisturbed(bench)


def test_a_screen_readers_click_follows_a_word_without_taking_the_focus(picture):
    picture.locator("input").nth(4).evaluate("one => one.click()")
    check_followed(picture, 4)
    assert picture.locator(".attn-sentence").evaluate("one => one.ariaLive") == "polite"


def test_a_finger_follows_a_word(pages, tmp_path):
    path = tmp_path / "page.html"
    path.write_text(walk(QUERY, KEY, VALUE, TOKENS)._repr_mimebundle_()["text/html"], encoding="utf-8")
    page = pages(has_touch=True, viewport={"width": 390, "height": 800})
    page.goto(path.as_uri())
    for word in (4, 0):
        page.locator("label").nth(word).tap()
        check_followed(page.locator("attn-walk"), word)
    page.watch.check()
