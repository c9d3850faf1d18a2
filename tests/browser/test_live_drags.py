"""The end of an arrow in the plane, and a slider, are dragged by mouse and by finger."""

import torch
from lab import PHONE, drag_by_finger, drag_by_mouse, place_on, sentence, spoken
from playwright.sync_api import expect

from companion.pictures.live.notebook_04_turn_query import turn_query
from companion.pictures.live.notebook_05_softmax_machine import softmax_machine
from companion.pictures.live.notebook_06_mixture import mixture
from companion.worlds.which_minute.one_query import one_query

KEYS, LABELS = torch.tensor([[1.2, 0.3], [0.5, 2.5], [-1.0, 1.0]], dtype=torch.float64), ["a", "b", "c"]
WEIGHTS, VALUE = torch.tensor([0.44, 0.34, 0.22]), torch.tensor([[3.0, 1.0], [0.5, -2.0], [-1.5, 0.0]])


def places(page, reach, *points):
    """Return where points of the plane, which reaches so far, are on the page."""
    box = page.locator("svg").first.bounding_box()
    middle, scale = (box["x"] + box["width"] / 2, box["y"] + box["height"] / 2), box["width"] / 2 / reach
    return [(middle[0] + x * scale, middle[1] - y * scale) for x, y in points]


def test_the_mouse_drags_the_tip_and_stops_at_the_reach(on_page):
    page = on_page(turn_query([2, 1], KEYS, LABELS))
    start, goal = places(page, 3.3, (2, 1), (-1.5, -0.7))
    drag_by_mouse(page, start, goal)
    assert sentence(page) == turn_query([-1.5, -0.7], KEYS, LABELS).text and spoken(page) == "off"
    page.mouse.move(start[0] + 400, goal[1])  # over the words of the table, which it does not select
    page.mouse.up()
    page.mouse.move(*places(page, 3.3, (2.8, -0.7))[0])  # let go: over the handle, too, it follows no more
    assert sentence(page) == turn_query([3.0, -0.7], KEYS, LABELS).text
    assert page.evaluate("getSelection().toString()") == ""
    expect(page.locator(".attn-handle")).to_be_focused()  # the arrow keys go on from there


def test_a_finger_drags_a_corner_and_does_not_scroll(on_page):
    page, value = on_page(mixture(WEIGHTS, VALUE, LABELS), **PHONE), VALUE.clone()
    drag_by_finger(page, *places(page, 3.6, (0.5, -2.0), (1.5, 2.5)))
    value[1] = torch.tensor([1.5, 2.5])
    assert sentence(page) == mixture(WEIGHTS, value, LABELS).text and page.evaluate("scrollY") == 0


def test_mouse_and_finger_drag_a_slider_unless_the_finger_scrolls_the_page(on_page):
    page = on_page(softmax_machine([1.75, -1.5635, 0.66], LABELS), style="main { padding-bottom: 2000px }", **PHONE)
    slider = page.get_by_label("score of b", exact=True)
    start = place_on(slider, 0.9)
    drag_by_finger(page, start, (start[0], start[1] - 200))
    page.wait_for_function("scrollY > 50")
    assert "−1.56" in page.locator("table").text_content()  # to the number, which lies between two steps
    drag_by_finger(page, *(place_on(slider, share) for share in (0.7, 1.1)))
    assert sentence(page) == softmax_machine([1.75, 4.0, 0.66], LABELS).text
    drag_by_mouse(page, *(place_on(slider, share) for share in (1, -0.1)))
    assert sentence(page) == softmax_machine([1.75, -4.0, 0.66], LABELS).text and spoken(page) == "off"
    page.mouse.up()
    assert spoken(page) == "polite"


def test_a_query_is_dragged_to_another_key_until_another_word_asks(on_page):
    page = on_page(one_query())
    tip = page.locator(".attn-handle").bounding_box()
    drag_by_mouse(page, (tip["x"] + 12, tip["y"] + 12), places(page, 3, (-2.8, -2.2))[0])
    assert sentence(page).startswith("This query takes most from “minute”") and spoken(page) == "off"
    page.mouse.up()
    expect(page.get_by_text("This query among all keys")).to_be_visible()
    page.get_by_role("radio").nth(4).click()
    assert sentence(page) == one_query("pause", "pause").text
    page.locator(".attn-handle").press("ArrowUp")
    page.locator(".attn-handle").press("Home")
    assert sentence(page) == one_query("pause", "pause").text
