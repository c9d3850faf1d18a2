"""What is kept of a text: at its end, in the table that is stored, and while it grows, by mouse and keyboard."""

import pytest
from lab import drag_by_mouse, place_on, sentence, spoken
from live_pictures import twin_rows
from playwright.sync_api import expect

from companion.pictures.live.notebook_17_kept import kept

WORDS = [*map(str, range(12))]
SIZES = {"num_heads": 4, "head_dim": 8, "num_kv_heads": 2, "d_latent": 6, "window": 3}
PICTURE = kept(WORDS, **SIZES)
# Of 12 tokens with four heads of size 8: two numbers of 8 for a head, or a square of 8 · 8.
COUNTS = {"keys and values": 12 * 64, "grouped heads": 12 * 32, "latent": 72, "window of 3": 192, "state": 4 * 64}
# The area of the boxes that are kept, of each way; 1.2 of each side are the gap between two of them.
AREAS = """[...document.querySelectorAll("figure")].map(way => [...way.querySelectorAll(".attn-full")]
  .map(box => ["width", "height"].map(side => Number(box.getAttribute(side)) + 1.2))
  .reduce((sum, [width, height]) => sum + width * height, 0))"""


def test_the_table_and_the_sentence_tell_how_much_is_kept():
    assert {name: int(count) for name, _, count in twin_rows(PICTURE)[1:]} == COUNTS
    shares = "50% grouped heads, 9% latent, 25% window of 3, 33% state"
    assert PICTURE.text == f"After 12 tokens, of all keys and values: {shares}."


def test_a_window_longer_than_the_text_keeps_the_whole_text():
    text = kept(["one"], **SIZES).text
    assert text.startswith("After 1 token,") and "100% window of 3," in text


def check(page, count, live="polite"):
    """Assert that the counts are those of so many tokens, and that what is drawn of the caches is in proportion."""
    counts = [64 * count, 32 * count, 6 * count, 64 * min(count, 3), 256]
    assert page.locator("figure b").all_inner_texts() == [*map(str, counts)]
    said = f"After {count} token{'s' * (count > 1)}, of all keys and values: 50% grouped "
    assert sentence(page).startswith(said) and spoken(page) == live
    full, grouped, _, window, _ = page.evaluate(AREAS)
    assert [grouped / full, window / full] == pytest.approx([1 / 2, min(count, 3) / count], rel=1e-3)
    assert page.locator(".attn-now").inner_text() == WORDS[count - 1]


def test_mouse_and_keyboard_let_the_text_grow(on_page):
    page = on_page(PICTURE)
    expect(page.locator("figure")).to_have_count(5)
    check(page, 12, live="off")
    slider = page.get_by_role("slider")
    slider.press("Home")
    check(page, 1)
    slider.press("ArrowRight")
    check(page, 2)
    drag_by_mouse(page, place_on(slider, 0), place_on(slider, 1))
    check(page, 12, live="off")
    page.mouse.up()
    check(page, 12)
