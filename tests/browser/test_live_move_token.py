"""A token that is moved: four score matrices follow, and say which scores have changed."""

import pytest
import torch
from lab import PHONE, drag_by_finger, drag_by_mouse, rows, sentence, spoken
from live_pictures import twin_rows

from companion.pictures.live.move_token import move_token
from companion.pictures.words import shown
from utils.attention import scores
from utils.positions import alibi, rotate, sinusoidal

TOKENS = ["the", "dog", "bites", "a", "man"]
torch.manual_seed(0)
INPUTS, (W_QUERY, W_KEY) = torch.randn(5, 16), torch.randn(2, 16, 8) / 3


def moved(token=1, to=1):
    return move_token(INPUTS, W_QUERY, W_KEY, TOKENS, follow=token, to=to)


def four(inputs):
    """Each kind of position's scores, by torch and the course's own encodings."""
    inputs, W_query, W_key = (each.double() for each in (inputs, W_QUERY, W_KEY))
    added, query, key = inputs + sinusoidal(5, 16), inputs @ W_query, inputs @ W_key
    return {
        "no positions": scores(query, key),
        "sinusoidal": scores(added @ W_query, added @ W_key),
        "rotary": scores(rotate(query), rotate(key)),
        "ALiBi": scores(query, key) + alibi(8, 5)[0],
    }


@pytest.mark.parametrize("options, order", [({}, [0, 1, 2, 3, 4]), ({"to": 3}, [0, 2, 3, 1, 4])])
def test_twin_and_words_have_torchs_scores_of_the_sentence_in_its_order(options, order):
    picture = moved(**options)
    words, start, counts, tables = [TOKENS[token] for token in order], four(INPUTS), {}, []
    for name, now in four(INPUTS[order]).items():
        before = start[name][order][:, order].flatten().tolist()
        counts[name] = sum(shown(one) != shown(other) for one, other in zip(before, now.flatten().tolist()))
        tables += [["", *words], *([word, *map(shown, row)] for word, row in zip(words, now.tolist()))]
        assert f">{name}: {counts[name]} changed</caption>" in picture.twin
    assert twin_rows(picture) == tables and picture.data["order"] == order
    said = ", ".join(f"{name} {count}" for name, count in counts.items())
    assert picture.text == f"“{' '.join(words)}”. Scores that have changed, of 25: {said}."
    assert counts["no positions"] == 0 and (counts["sinusoidal"] > 0) == bool(options)


def check(page, order, chosen=1):
    """Assert that sentence, matrices, marks and counts are those of Python for this order, and which is chosen."""
    words, start = [TOKENS[token] for token in order], [*range(5)]
    slots = page.locator(".attn-slots button")
    assert slots.all_inner_texts() == [f"{word}\nposition {place}" for place, word in enumerate(words)]
    pressed = slots.evaluate_all("all => all.map(one => one.ariaPressed === 'true')")
    assert pressed == [token == chosen for token in order]
    picture, before = moved(chosen, order.index(chosen)), twin_rows(moved())
    assert sentence(page) == picture.text
    tables = page.locator("table").all()
    assert [row for table in tables for row in rows(table)] == twin_rows(picture)
    for number, table in enumerate(tables):
        assert table.locator(".attn-chosen").all_inner_texts() == [TOKENS[chosen]] * 2
        now = [row[1:] for row in twin_rows(picture)[6 * number + 1 : 6 * number + 6]]
        then = [row[1:] for row in before[6 * number + 1 : 6 * number + 6]]
        # Of each two words of the first sentence: is their score no longer what it was?
        blue = table.locator("tbody td").evaluate_all("all => all.map(cell => cell.matches('.attn-changed'))")
        assert blue == [now[i][j] != then[order[i]][order[j]] for i in start for j in start]


def test_the_arrow_keys_move_the_chosen_word_and_the_scores_follow(on_page):
    page = on_page(moved())
    check(page, [0, 1, 2, 3, 4])
    page.locator(".attn-slots button").nth(1).focus()
    for key, order in (
        ("ArrowRight", [0, 2, 1, 3, 4]),
        ("ArrowRight", [0, 2, 3, 1, 4]),
        ("Home", [1, 0, 2, 3, 4]),
        ("End", [0, 2, 3, 4, 1]),
        ("ArrowRight", [0, 2, 3, 4, 1]),  # nothing is behind the last place
        ("ArrowLeft", [0, 2, 3, 1, 4]),
    ):
        page.keyboard.press(key)
        check(page, order)
    look = "cells => cells.map(getComputedStyle).map(({ backgroundColor, color }) => `${backgroundColor} ${color}`)"
    kinds = (".attn-changed", ":not(.attn-changed)")
    changed, same = (set(page.locator(f"tbody td{kind}").evaluate_all(look)) for kind in kinds)
    assert len(changed) == len(same) == 1 and changed != same
    page.locator(".attn-sentence").evaluate("one => { one.ariaLive = 'off'; }")
    page.get_by_role("button", name="as it was").click()
    check(page, [0, 1, 2, 3, 4])
    assert spoken(page) == "polite"


def test_the_mouse_drags_a_word_to_another_place(on_page):
    page = on_page(moved())
    slots = page.locator(".attn-slots button")
    start, goal = ((box["x"] + 9, box["y"] + 9) for box in (slots.nth(place).bounding_box() for place in (4, 0)))
    drag_by_mouse(page, start, goal)
    check(page, [4, 0, 1, 2, 3], chosen=4)
    page.mouse.move(start[0] + slots.nth(4).bounding_box()["width"], goal[1])  # beyond the last place
    check(page, [0, 1, 2, 3, 4], chosen=4)
    page.mouse.move(*goal)
    assert spoken(page) == "off"  # while it is dragged
    page.mouse.up()
    assert spoken(page) == "polite"
    page.mouse.move(*start)  # let go: it follows no more
    check(page, [4, 0, 1, 2, 3], chosen=4)
    page.keyboard.press("ArrowRight")  # the word that was dragged, not the one that took its place
    check(page, [0, 4, 1, 2, 3], chosen=4)


def test_a_finger_drags_a_word_to_another_place(on_page):
    page = on_page(moved(), **PHONE)
    boxes = [page.locator(".attn-slots button").nth(place).bounding_box() for place in (2, 0)]
    drag_by_finger(page, *((box["x"] + 9, box["y"] + 9) for box in boxes))
    check(page, [2, 0, 1, 3, 4], chosen=2)
