"""What is kept of a text: the slider lets the text grow, by mouse and keyboard."""

import pytest
from lab import drag_by_mouse, place_on, sentence, spoken
from playwright.sync_api import expect

from companion.pictures.live.kept import kept

WORDS = [*map(str, range(12))]
PICTURE = kept(WORDS, 4, 8, num_kv_heads=2, d_latent=6, window=3)
# The area of the boxes that are kept, of each way; 1.2 of each side are the gap between two of them.
AREAS = """[...document.querySelectorAll("figure")].map(way => [...way.querySelectorAll(".attn-full")]
  .map(box => ["width", "height"].map(side => Number(box.getAttribute(side)) + 1.2))
  .reduce((sum, [width, height]) => sum + width * height, 0))"""


def check(page, count, live="polite"):
    """Assert that the counts are those of so many tokens, and that what is drawn of the caches is in proportion."""
    counts = [64 * count, 32 * count, 6 * count, 64 * min(count, 3), 288]
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
