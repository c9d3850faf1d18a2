"""What is kept of a text, in a real JupyterLab: the slider lets the text grow, by mouse, finger and keyboard."""

import pytest
from lab import check_undisturbed, drag_by_finger
from playwright.sync_api import expect

from companion.pictures.live.kept import kept

WORDS = [*map(str, range(12))]
SOURCE = f"""from companion.pictures.live.kept import kept

kept({WORDS}, 4, 8, num_kv_heads=2, d_latent=6, window=3)"""
# The area of the boxes that are kept, of each way; 1.2 of each side are the gap between two of them.
AREAS = """root => [...root.querySelectorAll("figure")].map(way => [...way.querySelectorAll(".attn-full")]
  .map(box => ["width", "height"].map(side => Number(box.getAttribute(side)) + 1.2))
  .reduce((sum, [width, height]) => sum + width * height, 0))"""


def check(picture, count, spoken=True):
    """Assert that the counts are those of so many tokens, and that what is drawn of the caches is in proportion."""
    counts = [64 * count, 32 * count, 6 * count, 64 * min(count, 3), 288]
    assert picture.locator("figure b").all_inner_texts() == [*map(str, counts)]
    sentence = picture.locator(".attn-sentence")
    assert sentence.inner_text().startswith(
        f"After {count} token{'s' * (count > 1)}, of all keys and values: 50% grouped "
    )
    assert sentence.evaluate("one => one.ariaLive") == ("polite" if spoken else "off")
    full, grouped, _, window, _ = picture.evaluate(AREAS)
    assert [grouped / full, window / full] == pytest.approx([1 / 2, min(count, 3) / count], rel=1e-3)
    assert picture.locator(".attn-now").inner_text() == WORDS[count - 1]


def test_mouse_and_keyboard_let_the_text_grow(show, bench):
    picture = show(SOURCE).locator("attn-kept")
    expect(picture.locator("figure")).to_have_count(5)
    check(picture, 12, spoken=False)
    picture.get_by_role("slider").focus()
    bench.keyboard.press("Home")
    check(picture, 1)
    bench.keyboard.press("ArrowRight")
    check(picture, 2)
    box = picture.get_by_role("slider").bounding_box()
    bench.mouse.move(box["x"] + 8, box["y"] + box["height"] / 2)
    bench.mouse.down()
    bench.mouse.move(box["x"] + box["width"], box["y"] + box["height"] / 2, steps=3)
    check(picture, 12, spoken=False)
    bench.mouse.up()
    check(picture, 12)
    check_undisturbed(bench)


def test_a_finger_lets_the_text_grow(pages, tmp_path):
    path = tmp_path / "page.html"
    drawn = kept(WORDS, 4, 8, num_kv_heads=2, d_latent=6, window=3)._repr_mimebundle_()["text/html"]
    path.write_text(drawn, encoding="utf-8")
    page = pages(has_touch=True, viewport={"width": 390, "height": 800})
    page.goto(path.as_uri())
    box = page.get_by_role("slider").bounding_box()
    height = box["y"] + box["height"] / 2
    drag_by_finger(page, (box["x"] + box["width"] - 8, height), (box["x"], height))
    check(page.locator("attn-kept"), 1)
    page.watch.check()
