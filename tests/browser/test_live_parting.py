"""One word's two contexts: the slider parts them, by keyboard."""

import pytest
import torch
from lab import rows, sentence

from companion.pictures.live.parting import parting
from companion.pictures.words import shown

WEIGHTS = torch.tensor([[0.2, 0.3, 0.5], [0.6, 0.3, 0.1]], dtype=torch.float64)
VALUE = torch.tensor(
    [[[1.0, 2.0], [0.0, -1.0], [2.0, 1.0]], [[0.0, 0.5], [-3.0, 0.5], [2.0, 1.0]]], dtype=torch.float64
)
SENTENCES = [["It", "took", "minute"], ["was", "so", "minute"]]
PICTURE = parting(WEIGHTS, VALUE, SENTENCES, 2)
UNIT = 330 / 2 / (1.2 * 3)  # of the drawing, which shows the reach of 3 and a fifth more
TIPS = """[...document.querySelectorAll("svg path:not(.attn-line)")]
  .map(one => one.transform.baseVal.consolidate().matrix).map(({e, f}) => [e, -f])"""
DOTS = "all => all.map(one => [one.cx.baseVal.value, -one.cy.baseVal.value])"


def near(found, points):
    return torch.allclose(torch.tensor(found, dtype=torch.float64), UNIT * points, rtol=1e-4, atol=1e-3)


def check(page, attention):
    """Assert that numbers, bars and arrows are those of torch, the word's weights blended with itself alone."""
    weights = torch.lerp(torch.tensor([0.0, 0.0, 1.0], dtype=torch.float64).expand(2, 3), WEIGHTS, attention)
    contexts = (weights[:, None] @ VALUE)[:, 0]
    distance = shown((contexts[0] - contexts[1]).norm().item())
    angle = f"{torch.cosine_similarity(*contexts, dim=0).clamp(max=1).acos().rad2deg():.1f}°"
    assert page.locator("output").inner_text() == shown(attention)
    assert page.locator(".attn-controls > span").inner_text() == f"angle {angle}, distance {distance}"
    contexts_of = f"With attention at {shown(attention)}, the two contexts of “minute” are"
    assert sentence(page) == f"{contexts_of} {distance} apart, at an angle of {angle}."
    assert [row[1:] for row in rows(page.locator("table"))] == [
        [f"{shown(weight) if weight >= 0.005 else ''}{word}" for weight, word in zip(row, words)]
        for row, words in zip(weights.tolist(), SENTENCES)
    ]
    heights = page.locator(".attn-part").evaluate_all("all => all.map(one => parseFloat(one.style.height))")
    assert heights == pytest.approx((80 * weights).flatten().tolist(), abs=0.01)
    assert near(page.evaluate(TIPS), contexts)


def test_the_keyboard_parts_the_arrows_among_the_dots_of_the_values(on_page):
    page = on_page(PICTURE)
    check(page, 1.0)
    page.get_by_role("slider").press("Home")
    check(page, 0.0)
    for _ in range(3):
        page.keyboard.press("ArrowRight")
    check(page, 0.03)
    # The word's own value, and those of the words that differ.
    assert near(page.locator("circle").evaluate_all(DOTS), torch.cat([VALUE[0, 2:], VALUE[0, :2], VALUE[1, :2]]))
