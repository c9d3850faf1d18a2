"""One word's two contexts, in a real JupyterLab: the slider parts them, by mouse, finger and keyboard."""

import pytest
import torch
from lab import check_undisturbed, drag_by_finger, rows
from playwright.sync_api import expect

from companion.pictures.live.parting import parting
from companion.pictures.words import shown

WEIGHTS = torch.tensor([[0.2, 0.3, 0.5], [0.6, 0.3, 0.1]], dtype=torch.float64)
VALUE = torch.tensor(
    [[[1.0, 2.0], [0.0, -1.0], [2.0, 1.0]], [[0.0, 0.5], [-3.0, 0.5], [2.0, 1.0]]],
    dtype=torch.float64,
)
SENTENCES = [["It", "took", "minute"], ["was", "so", "minute"]]
SOURCE = f"""import torch
from companion.pictures.live.parting import parting

parting(torch.tensor({WEIGHTS.tolist()}), torch.tensor({VALUE.tolist()}), {SENTENCES}, 2)"""
UNIT = 330 / 2 / (1.2 * 3)  # of the drawing, which shows the reach of 3 and a fifth more
TIPS = """root => [...root.querySelectorAll("path:not(.attn-line)")]
  .map(one => one.transform.baseVal.consolidate().matrix).map(({e, f}) => [e, -f])"""


@pytest.fixture
def picture(show):
    place = show(SOURCE).locator("attn-parting")
    expect(place.locator("svg")).to_be_visible()
    return place


def check(picture, attention):
    """Assert that numbers, bars and arrows are those of torch, the word's weights blended with itself alone."""
    weights = torch.lerp(torch.tensor([0.0, 0.0, 1.0], dtype=torch.float64).expand(2, 3), WEIGHTS, attention)
    contexts = (weights[:, None] @ VALUE)[:, 0]
    distance = (contexts[0] - contexts[1]).norm()
    angle = torch.cosine_similarity(*contexts, dim=0).clamp(max=1).acos().rad2deg()
    if attention == 0:
        assert distance == 0 and angle < 1e-5
    assert picture.locator("output").inner_text() == shown(attention)
    told = picture.locator(".attn-controls > span").inner_text()
    assert told == f"angle {angle:.1f}°, distance {shown(distance.item())}"
    assert picture.locator(".attn-sentence").inner_text() == (
        f"With attention at {shown(attention)}, the two contexts of “minute” are {shown(distance.item())} apart, "
        f"at an angle of {angle:.1f}°."
    )
    assert [row[1:] for row in rows(picture.locator("table"))] == [
        [f"{shown(weight) if weight >= 0.005 else ''}{word}" for weight, word in zip(row, words)]
        for row, words in zip(weights.tolist(), SENTENCES)
    ]
    heights = picture.locator(".attn-part").evaluate_all("all => all.map(one => parseFloat(one.style.height))")
    assert heights == pytest.approx((80 * weights).flatten().tolist(), abs=0.01)
    tips = torch.tensor(picture.evaluate(TIPS), dtype=torch.float64)
    assert torch.allclose(tips, UNIT * contexts, rtol=1e-4, atol=1e-3)


def test_the_keyboard_parts_the_arrows(picture, bench):
    check(picture, 1.0)
    picture.get_by_role("slider").focus()
    bench.keyboard.press("Home")
    check(picture, 0.0)
    for _ in range(3):
        bench.keyboard.press("ArrowRight")
    check(picture, 0.03)
    assert picture.locator(".attn-sentence").evaluate("one => one.ariaLive") == "polite"
    for letter in "dd":  # JupyterLab deletes a cell
        bench.keyboard.press(letter)
    check_undisturbed(bench)


def test_dots_show_the_values_of_the_word_and_of_the_words_that_differ(picture):
    dots = picture.locator("circle").evaluate_all(
        "all => all.map(one => [one.cx.baseVal.value, -one.cy.baseVal.value])"
    )
    wanted = torch.cat([VALUE[0, 2:], VALUE[0, :2], VALUE[1, :2]])
    assert torch.allclose(torch.tensor(dots, dtype=torch.float64), UNIT * wanted, rtol=1e-4, atol=1e-3)


def test_the_mouse_parts_the_arrows(picture, bench):
    box = picture.get_by_role("slider").bounding_box()
    bench.mouse.move(box["x"] + box["width"] - 8, box["y"] + box["height"] / 2)
    bench.mouse.down()
    bench.mouse.move(box["x"] + box["width"] / 2, box["y"] + box["height"] / 2, steps=3)
    check(picture, 0.5)
    assert picture.locator(".attn-sentence").evaluate("one => one.ariaLive") == "off"
    bench.mouse.up()
    check(picture, 0.5)
    assert picture.locator(".attn-sentence").evaluate("one => one.ariaLive") == "polite"


def test_a_finger_parts_the_arrows(pages, tmp_path):
    path = tmp_path / "page.html"
    path.write_text(parting(WEIGHTS, VALUE, SENTENCES, 2)._repr_mimebundle_()["text/html"], encoding="utf-8")
    page = pages(has_touch=True, viewport={"width": 390, "height": 800})
    page.goto(path.as_uri())
    box = page.get_by_role("slider").bounding_box()
    height = box["y"] + box["height"] / 2
    drag_by_finger(page, (box["x"] + box["width"] - 8, height), (box["x"], height))
    check(page.locator("attn-parting"), 0.0)
    page.watch.check()
