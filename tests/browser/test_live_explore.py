"""`explore` in a real JupyterLab: its controls call the reader's function, which may fail as it likes."""

from lab import READY, drag_by_mouse
from playwright.sync_api import expect

PREPARED = """import sys
from companion.pictures.live.explore import explore

"""
SHARED = "def shared(share):\n    return {'a': share, 'b': 1 - share}\n"
SLIDER = "explore(shared, share=(0.25, 1.0, 0.125, 0.25))"
TYPED = """def typed(words):
    return {word: 0.5 for word in words.split()}

explore(typed, words="eat dessert")"""


def box_of(place):
    box = place.locator(".attention-explore")
    expect(box.locator("table")).to_be_visible()
    return box


def check(box, share):
    """Assert that the picture becomes that of this share."""
    expect(box.locator("tbody td")).to_have_text([f"{share:.2f}", f"{1 - share:.2f}"])


def test_the_slider_follows_keyboard_and_mouse(show, bench):
    box = box_of(show(PREPARED + SHARED + SLIDER))
    check(box, 0.25)
    handle = box.locator(".noUi-handle")
    for key, share in (("ArrowRight", 0.375), ("ArrowUp", 0.5), ("ArrowLeft", 0.375), ("End", 1.0), ("Home", 0.25)):
        handle.press(key)
        check(box, share)
    place, track = handle.bounding_box(), box.locator(".noUi-base").bounding_box()
    x, y = place["x"] + place["width"] / 2, place["y"] + place["height"] / 2
    drag_by_mouse(bench, (x, y), (x + track["width"] / 2, y))
    check(box, 0.625)  # while it is held
    bench.mouse.move(x + track["width"] + 50, y, steps=5)
    bench.mouse.up()
    check(box, 1.0)


def test_a_text_that_is_typed_changes_the_picture(show):
    box = box_of(show(PREPARED + TYPED))
    expect(box.locator("tbody th")).to_have_text(["eat", "dessert"])
    box.locator("input[type=text]").fill("Life is <b>short</b>")
    box.locator("input[type=text]").press("Enter")
    expect(box.locator("tbody th")).to_have_text(["Life", "is", "<b>short</b>"])


def test_after_a_failure_picture_kernel_and_controls_go_on(show, bench):
    fragile = SHARED.replace("    return", "    if share == 0.5:\n        sys.exit()\n    return")
    box = box_of(show(PREPARED + fragile + SLIDER))
    for share, alerts in ((0.375, 0), (0.375, 1), (0.625, 0)):
        box.locator(".noUi-handle").press("ArrowRight")
        expect(box.get_by_role("alert")).to_have_count(alerts)
        check(box, share)
    bench.wait_for_function(READY, arg="bench.ipynb")
