"""A token that is moved, in a real JupyterLab: four score matrices follow, and say which scores have changed."""

import pytest
import torch
from lab import check_undisturbed, drag_by_finger, rows

from companion.pictures.live.move_token import move_token
from companion.pictures.words import shown
from utils.attention import scores
from utils.positions import alibi, rotate, sinusoidal

TOKENS = ["the", "dog", "bites", "a", "man"]
SOURCE = f"""import torch
from companion.pictures.live.move_token import move_token

torch.manual_seed(0)
inputs, (W_query, W_key) = torch.randn(5, 16), torch.randn(2, 16, 8) / 3
move_token(inputs, W_query, W_key, {TOKENS}, follow=1)"""


@pytest.fixture
def picture(show):
    return show(SOURCE).locator(".attention-live")


def four(order):
    """The scores of the sentence in this order, by torch."""
    torch.manual_seed(0)
    inputs, (W_query, W_key) = torch.randn(5, 16).double(), torch.randn(2, 16, 8).double() / 3
    inputs = inputs[order]
    added, query, key = inputs + sinusoidal(5, 16), inputs @ W_query, inputs @ W_key
    plain = scores(query, key)
    turned = scores(rotate(query), rotate(key))
    return torch.stack([plain, scores(added @ W_query, added @ W_key), turned, plain + alibi(8, 5)[0]]).tolist()


def written(order):
    return [[[*map(shown, row)] for row in each] for each in four(order)]


def check(picture, order, chosen=1):
    """Assert that sentence, matrices, marks and counts are those of this order, and which token is chosen."""
    words, back = [TOKENS[token] for token in order], [order.index(token) for token in range(5)]
    slots = picture.locator(".attn-slots button")
    assert slots.all_inner_texts() == [f"{word}\nposition {place}" for place, word in enumerate(words)]
    pressed = slots.evaluate_all("all => all.map(one => one.ariaPressed === 'true')")
    assert pressed == [token == chosen for token in order]
    counts = []
    for table, now, start in zip(picture.locator("table").all(), written(order), written(list(range(5))), strict=True):
        assert rows(table) == [["", *words], *([word, *row] for word, row in zip(words, now))]
        assert table.locator(".attn-chosen").all_inner_texts() == [TOKENS[chosen]] * 2
        # Of each two words of the first sentence: is their score no longer what it was?
        changed = [(i, j) for i in range(5) for j in range(5) if start[i][j] != now[back[i]][back[j]]]
        blue = table.locator("tbody td").evaluate_all("all => all.map(cell => cell.matches('.attn-changed'))")
        assert blue == [(a, b) in changed for a in order for b in order]
        counts.append(len(changed))
    said = ", ".join(f"{name} {n}" for name, n in zip(("no positions", "sinusoidal", "rotary", "ALiBi"), counts))
    sentence = picture.locator(".attn-sentence").inner_text()
    assert sentence == f"“{' '.join(words)}”. Scores that have changed, of 25: {said}."
    return counts


def test_at_the_start_the_scores_are_those_of_torch_and_nothing_has_changed(picture):
    assert check(picture, [0, 1, 2, 3, 4]) == [0, 0, 0, 0]


def test_scores_that_have_changed_stand_out_from_the_others(picture, bench):
    picture.locator(".attn-slots button").nth(1).press("ArrowRight")
    look = "cells => cells.map(getComputedStyle).map(({ backgroundColor, color }) => `${backgroundColor} ${color}`)"
    changed, same = (
        set(picture.locator(f"tbody td{kind}").evaluate_all(look)) for kind in (".attn-changed", ":not(.attn-changed)")
    )
    assert len(changed) == len(same) == 1 and changed != same
    check_undisturbed(bench)


def test_the_arrow_keys_move_the_chosen_word_and_the_scores_follow(picture, bench):
    picture.locator(".attn-slots button").nth(1).focus()
    assert picture.locator(".attn-sentence").evaluate("one => one.ariaLive") == "polite"
    bench.keyboard.press("ArrowRight")
    check(picture, [0, 2, 1, 3, 4])
    bench.keyboard.press("ArrowRight")
    without, waves, turns, penalties = check(picture, [0, 2, 3, 1, 4])
    assert without == 0 and 0 < penalties <= turns < waves
    bench.keyboard.press("Home")
    check(picture, [1, 0, 2, 3, 4])
    bench.keyboard.press("End")
    check(picture, [0, 2, 3, 4, 1])
    bench.keyboard.press("ArrowRight")  # nothing is behind the last place
    check(picture, [0, 2, 3, 4, 1])
    bench.keyboard.press("ArrowLeft")
    check(picture, [0, 2, 3, 1, 4])
    picture.locator(".attn-sentence").evaluate("one => { one.ariaLive = 'off'; }")
    picture.get_by_role("button", name="as it was").click()
    assert check(picture, [0, 1, 2, 3, 4]) == [0, 0, 0, 0]
    assert picture.locator(".attn-sentence").evaluate("one => one.ariaLive") == "polite"
    check_undisturbed(bench)


def test_the_mouse_drags_a_word_to_another_place(picture, bench):
    slots = picture.locator(".attn-slots button")
    start, goal = (slots.nth(place).bounding_box() for place in (4, 0))
    bench.mouse.move(start["x"] + 9, start["y"] + 9)
    bench.mouse.down()
    bench.mouse.move(goal["x"] + 9, goal["y"] + 9, steps=3)
    check(picture, [4, 0, 1, 2, 3], chosen=4)
    bench.mouse.move(start["x"] + start["width"] + 9, goal["y"] + 9)  # beyond the last place
    check(picture, [0, 1, 2, 3, 4], chosen=4)
    bench.mouse.move(goal["x"] + 9, goal["y"] + 9)
    sentence = picture.locator(".attn-sentence")
    assert sentence.evaluate("one => one.ariaLive") == "off"  # while it is dragged
    bench.mouse.up()
    assert sentence.evaluate("one => one.ariaLive") == "polite"
    bench.mouse.move(start["x"] + 9, start["y"] + 9)  # let go: it follows no more
    check(picture, [4, 0, 1, 2, 3], chosen=4)
    assert slots.nth(0).evaluate("one => getComputedStyle(one).touchAction") == "none"
    bench.keyboard.press("ArrowRight")  # the word that was dragged, not the one that took its place
    check(picture, [0, 4, 1, 2, 3], chosen=4)


def test_a_finger_drags_a_word_to_another_place(pages, tmp_path):
    torch.manual_seed(0)
    inputs, (W_query, W_key) = torch.randn(5, 16), torch.randn(2, 16, 8) / 3
    path = tmp_path / "page.html"
    html = move_token(inputs, W_query, W_key, TOKENS, follow=1)._repr_mimebundle_()["text/html"]
    path.write_text(html, encoding="utf-8")
    page = pages(has_touch=True, viewport={"width": 390, "height": 800})
    page.goto(path.as_uri())
    places = [page.locator(".attn-slots button").nth(place).bounding_box() for place in (2, 0)]
    drag_by_finger(page, *((box["x"] + 9, box["y"] + 9) for box in places))
    check(page.locator(".attention-live"), [2, 0, 1, 3, 4], chosen=2)
    page.watch.check()
