"""`explore` in a real JupyterLab: its controls call the reader's function, which may fail as it likes."""

import torch
from lab import READY, drag_by_mouse
from playwright.sync_api import expect

PREPARED = """import sys
import torch
from companion.pictures.live.explore import explore

scores = torch.tensor([[1.0, 2.0], [3.0, 0.0]])
"""
SOFTENED = "def softened(temperature):\n    return torch.softmax(scores / temperature, -1)\n"
SLIDER = "explore(softened, ['Life', 'is'], temperature=(1.0, 4.0, 0.5, 1.0))"
CHOSEN = """def chosen(words, causal, start):
    tokens = words.split()
    weights = torch.zeros(len(tokens), len(tokens))
    weights[:, 0 if start == "first" else -1] = 1 if causal else 0.5
    return weights, tokens

explore(chosen, words="eat dessert", causal=False, start=["first", "last"])"""


def box_of(place):
    box = place.locator(".attention-explore")
    expect(box.locator("table")).to_be_visible()
    return box


def check(box, temperature):
    """Assert that the picture becomes that of this temperature."""
    weights = torch.softmax(torch.tensor([[1.0, 2.0], [3.0, 0.0]]) / temperature, -1).flatten().tolist()
    expect(box.locator("tbody td:not(:last-child)")).to_have_text([f"{weight:.2f}" for weight in weights])


def test_the_slider_follows_keyboard_and_mouse(show, bench):
    box = box_of(show(PREPARED + SOFTENED + SLIDER))
    check(box, 1.0)
    handle = box.locator(".noUi-handle")
    for key, temperature in (("ArrowRight", 1.5), ("ArrowUp", 2.0), ("ArrowLeft", 1.5), ("End", 4.0), ("Home", 1.0)):
        handle.press(key)
        check(box, temperature)
    place, track = handle.bounding_box(), box.locator(".noUi-base").bounding_box()
    x, y = place["x"] + place["width"] / 2, place["y"] + place["height"] / 2
    drag_by_mouse(bench, (x, y), (x + track["width"] / 2, y))
    check(box, 2.5)  # while it is held
    bench.mouse.move(x + track["width"] + 50, y, steps=5)
    bench.mouse.up()
    check(box, 4.0)


def test_check_box_menu_and_text_change_the_picture(show):
    box = box_of(show(PREPARED + CHOSEN))
    numbers = box.locator("tbody tr:first-child td:not(:last-child)")
    expect(numbers).to_have_text(["0.50", "0.00"])
    box.locator("input[type=checkbox]").check()
    expect(numbers).to_have_text(["1.00", "0.00"])
    box.locator("select").select_option("last")
    expect(numbers).to_have_text(["0.00", "1.00"])
    box.locator("input[type=text]").fill("Life is <b>short</b>")
    box.locator("input[type=text]").press("Enter")
    expect(numbers).to_have_text(["0.00", "0.00", "1.00"])
    expect(box.locator("tbody th")).to_have_text(["Life", "is", "<b>short</b>"])


def test_after_a_failure_picture_kernel_and_controls_go_on(show, bench):
    fragile = SOFTENED.replace("    return", "    if temperature == 2:\n        sys.exit()\n    return")
    box = box_of(show(PREPARED + fragile + SLIDER))
    for temperature, alerts in ((1.5, 0), (1.5, 1), (2.5, 0)):
        box.locator(".noUi-handle").press("ArrowRight")
        expect(box.get_by_role("alert")).to_have_count(alerts)
        check(box, temperature)
    bench.wait_for_function(READY, arg="bench.ipynb")
