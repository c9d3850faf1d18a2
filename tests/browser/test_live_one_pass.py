"""Softmax in one pass, in a real JupyterLab: keys come one by one, by mouse, finger and keyboard."""

import pytest
import torch
from lab import check_undisturbed, drag_by_finger
from playwright.sync_api import expect

from companion.pictures.live.one_pass import one_pass
from companion.pictures.words import shown

SCORES = torch.tensor([0.5, -1.0, 2.0, 0.0], dtype=torch.float64)
VALUES = torch.tensor([8.0, 16.0, 4.0, 0.0], dtype=torch.float64)
SOURCE = f"""import torch
from companion.pictures.live.one_pass import one_pass

one_pass(torch.tensor({SCORES.tolist()}), torch.tensor({VALUES.tolist()}))"""


@pytest.fixture
def picture(show):
    return show(SOURCE).locator("attn-one-pass")


def check(picture, read):
    """Assert that blocks, table and result are those of torch, over the keys read so far."""
    seen = SCORES[:read]
    weights = (seen - seen.max()).exp()
    total, context = weights.sum().item(), (weights @ VALUES[:read]).item()
    texts = picture.locator(".attn-block > :last-child").all_text_contents()
    assert texts == [*map(shown, weights.tolist()), *["0.00"] * (len(SCORES) - read)]
    now = picture.locator("tr > :last-child").all_text_contents()
    assert now == ["now", *map(shown, (seen.max().item(), total, context))]
    expect(picture.locator(".attn-result")).to_have_text(f"context / sum =\u00a0{shown(context / total)}")
    states = picture.locator(".attn-comer").evaluate_all("all => all.map(one => one.dataset.state)")
    assert states == ["gone"] * (read - 1) + ["here"] + ["coming"] * (len(SCORES) - read)
    widths = picture.locator(".attn-block").evaluate_all("all => all.map(one => parseFloat(one.style.width))")
    assert widths[:read] == pytest.approx((weights * widths[0] / weights[0]).tolist(), rel=1e-3)


def test_the_keyboard_lets_the_keys_come(picture, bench):
    check(picture, 3)  # at first the moment at which most is lost
    picture.get_by_role("slider").focus()
    for key, read in (("ArrowRight", 4), ("Home", 1), ("ArrowRight", 2)):
        bench.keyboard.press(key)
        check(picture, read)
    expect(picture.locator(".attn-sentence")).to_have_attribute("aria-live", "polite")
    check_undisturbed(bench)


def test_a_finger_lets_the_keys_come(pages, tmp_path):
    path = tmp_path / "page.html"
    path.write_text(one_pass(SCORES, VALUES)._repr_mimebundle_()["text/html"], encoding="utf-8")
    page = pages(has_touch=True, viewport={"width": 390, "height": 800})
    page.goto(path.as_uri())
    box = page.get_by_role("slider").bounding_box()
    height = box["y"] + box["height"] / 2
    drag_by_finger(page, (box["x"] + 0.66 * box["width"], height), (box["x"] + box["width"], height))
    check(page.locator("attn-one-pass"), 4)
    page.watch.check()
