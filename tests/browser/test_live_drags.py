"""An end of an arrow in the plane is dragged by mouse and by finger."""

import torch
from lab import PHONE, drag_by_finger, drag_by_mouse, sentence, spoken
from playwright.sync_api import expect

from companion.pictures.live.notebook_04_turn_query import turn_query
from companion.pictures.live.notebook_06_mixture import mixture

KEYS, LABELS = torch.tensor([[1.2, 0.3], [0.5, 2.5], [-1.0, 1.0]], dtype=torch.float64), ["a", "b", "c"]
WEIGHTS, VALUE = torch.tensor([0.44, 0.34, 0.22]), torch.tensor([[3.0, 1.0], [0.5, -2.0], [-1.5, 0.0]])


def places(page, reach, *points):
    """Return where points of the plane, which reaches so far, are on the page."""
    box = page.locator("svg").bounding_box()
    middle, scale = (box["x"] + box["width"] / 2, box["y"] + box["height"] / 2), box["width"] / 2 / reach
    return [(middle[0] + x * scale, middle[1] - y * scale) for x, y in points]


def check(page, x, y):
    assert sentence(page) == turn_query([x, y], KEYS, LABELS).text


def test_the_mouse_drags_the_tip_and_stops_at_the_reach(on_page):
    page = on_page(turn_query([2, 1], KEYS, LABELS))
    start, goal = places(page, 3.3, (2, 1), (-1.5, -0.7))
    drag_by_mouse(page, start, goal)
    check(page, -1.5, -0.7)
    assert spoken(page) == "off"
    page.mouse.move(start[0] + 400, goal[1])  # over the words of the table, which it does not select
    page.mouse.up()
    check(page, 3.0, -0.7)
    assert page.evaluate("getSelection().toString()") == ""
    expect(page.locator(".attn-handle")).to_be_focused()  # the arrow keys go on from there
    page.mouse.move(*places(page, 3.3, (2.8, -0.7))[0])  # let go: over the handle, too, it follows no more
    check(page, 3.0, -0.7)
    page.locator(".attn-handle").press("ArrowUp")
    assert spoken(page) == "polite"


def test_a_finger_drags_a_corner_and_does_not_scroll(on_page):
    page, value = on_page(mixture(WEIGHTS, VALUE, LABELS), **PHONE), VALUE.clone()
    drag_by_finger(page, *places(page, 3.6, (0.5, -2.0), (1.5, 2.5)))
    value[1] = torch.tensor([1.5, 2.5])
    assert sentence(page) == mixture(WEIGHTS, value, LABELS).text and page.evaluate("scrollY") == 0
