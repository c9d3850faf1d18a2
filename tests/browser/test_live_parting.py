"""One word's two contexts: in the table that is stored, and parted by keyboard."""

import pytest
import torch
from lab import rows, sentence
from live_pictures import twin_rows

from companion.pictures.live.notebook_06_parting import parting
from companion.pictures.words import shown

WEIGHTS = torch.tensor([[0.2, 0.3, 0.5], [0.6, 0.3, 0.1]], dtype=torch.float64)
VALUE = torch.tensor(
    [[[1.0, 2.0], [0.0, -1.0], [2.0, 1.0]], [[0.0, 0.5], [-3.0, 0.5], [2.0, 1.0]]], dtype=torch.float64
)
SENTENCES = [["It", "took", "minute"], ["was", "so", "minute"]]
UNIT = 330 / 2 / (1.2 * 3)  # of the drawing, which shows the reach of 3 and a fifth more
TIPS = """[...document.querySelectorAll("svg path:not(.attn-line)")]
  .map(one => one.transform.baseVal.consolidate().matrix).map(({e, f}) => [e, -f])"""
DOTS = "all => all.map(one => [one.cx.baseVal.value, -one.cy.baseVal.value])"


def truth(weights, value=VALUE):
    """Return the contexts by torch, and how their angle and their distance are written."""
    contexts = (weights[:, None] @ value)[:, 0]
    angle = torch.cosine_similarity(*contexts, dim=0).clamp(max=1).acos().rad2deg()
    return contexts, f"{angle:.1f}°", shown((contexts[0] - contexts[1]).norm().item())


def said(attention, angle, distance):
    contexts_of = f"With attention at {attention}, the two contexts of “minute” are"
    return f"{contexts_of} {distance} apart, at an angle of {angle}."


def near(found, points):
    return torch.allclose(torch.tensor(found, dtype=torch.float64), UNIT * points, rtol=1e-4, atol=1e-3)


@pytest.mark.parametrize("which", [[0, 1], [0, 0]])
def test_table_and_sentence_hold_torchs_angle_and_distance(which):
    picture = parting(WEIGHTS[which], VALUE[which], SENTENCES, 2)
    contexts, angle, distance = truth(WEIGHTS[which], VALUE[which])
    assert f">attention 1.00: angle {angle}, distance {distance}</caption>" in picture.twin
    assert twin_rows(picture)[::2] == [[*words, ""] for words in SENTENCES]
    lengths = [f"length {shown(context.norm().item())}" for context in contexts]
    assert twin_rows(picture)[1::2] == [
        [*map(shown, row), length] for row, length in zip(WEIGHTS[which].tolist(), lengths)
    ]
    assert picture.text == said("1.00", angle, distance)


def check(page, attention):
    """Assert that numbers, bars and arrows are those of torch, the word's weights blended with itself alone."""
    weights = torch.lerp(torch.tensor([0.0, 0.0, 1.0], dtype=torch.float64).expand(2, 3), WEIGHTS, attention)
    contexts, angle, distance = truth(weights)
    assert page.locator("output").inner_text() == shown(attention)
    assert page.locator(".attn-controls > span").inner_text() == f"angle {angle}, distance {distance}"
    assert sentence(page) == said(shown(attention), angle, distance)
    assert [row[1:] for row in rows(page.locator("table"))] == [
        [f"{shown(weight) if weight >= 0.005 else ''}{word}" for weight, word in zip(row, words)]
        for row, words in zip(weights.tolist(), SENTENCES)
    ]
    heights = page.locator(".attn-part").evaluate_all("all => all.map(one => parseFloat(one.style.height))")
    assert heights == pytest.approx((80 * weights).flatten().tolist(), abs=0.01)
    assert near(page.evaluate(TIPS), contexts)


def test_the_keyboard_parts_the_arrows_among_the_dots_of_the_values(on_page):
    page = on_page(parting(WEIGHTS, VALUE, SENTENCES, 2))
    check(page, 1.0)
    page.get_by_role("slider").press("Home")
    check(page, 0.0)
    for _ in range(3):
        page.keyboard.press("ArrowRight")
    check(page, 0.03)
    # The word's own value, and those of the words that differ.
    assert near(page.locator("circle").evaluate_all(DOTS), torch.cat([VALUE[0, 2:], VALUE[0, :2], VALUE[1, :2]]))
