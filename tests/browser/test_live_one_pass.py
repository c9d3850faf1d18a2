"""Softmax in one pass: keys come one by one, by keyboard."""

import pytest
import torch
from playwright.sync_api import expect

from companion.pictures.live.one_pass import one_pass
from companion.pictures.words import shown

SCORES = torch.tensor([0.5, -1.0, 2.0, 0.0], dtype=torch.float64)
VALUES = torch.tensor([8.0, 16.0, 4.0, 0.0], dtype=torch.float64)


def check(page, read):
    """Assert that blocks, table and result are those of torch, over the keys read so far."""
    seen = SCORES[:read]
    weights = (seen - seen.max()).exp()
    total, context = weights.sum().item(), (weights @ VALUES[:read]).item()
    texts = page.locator(".attn-block > :last-child").all_text_contents()
    assert texts == [*map(shown, weights.tolist()), *["0.00"] * (len(SCORES) - read)]
    now = page.locator("tr > :last-child").all_text_contents()
    assert now == ["now", *map(shown, (seen.max().item(), total, context))]
    expect(page.locator(".attn-result")).to_have_text(f"context / sum =\u00a0{shown(context / total)}")
    states = page.locator(".attn-comer").evaluate_all("all => all.map(one => one.dataset.state)")
    assert states == ["gone"] * (read - 1) + ["here"] + ["coming"] * (len(SCORES) - read)
    widths = page.locator(".attn-block").evaluate_all("all => all.map(one => parseFloat(one.style.width))")
    assert widths[:read] == pytest.approx((weights * widths[0] / weights[0]).tolist(), rel=1e-3)


def test_the_keyboard_lets_the_keys_come(on_page):
    page = on_page(one_pass(SCORES, VALUES))
    check(page, 3)  # at first the moment at which most is lost
    for key, read in (("ArrowRight", 4), ("Home", 1), ("ArrowRight", 2)):
        page.get_by_role("slider").press(key)
        check(page, read)
