"""Softmax in one pass: keys come one by one, in the table that is stored and by keyboard."""

import pytest
import torch
from live_pictures import twin_rows
from playwright.sync_api import expect

from companion.pictures.live.notebook_16_one_pass import one_pass
from companion.pictures.words import shown

SCORES = torch.tensor([0.5, -1.0, 2.0, 2.0, 3.5], dtype=torch.float64)
VALUES = torch.tensor([8.0, 16.0, 4.0, 0.0, 1.0], dtype=torch.float64)


def kept(read):
    """Return by torch the weights of the keys read so far, the largest score, the sum and the context."""
    seen = SCORES[:read]
    weights = (seen - seen.max()).exp()
    return weights, seen.max().item(), weights.sum().item(), (weights @ VALUES[:read]).item()


def test_each_row_holds_what_torch_finds_in_the_keys_so_far():
    head, *body = twin_rows(one_pass(SCORES, VALUES))
    assert head == ["key", "score", "largest", "factor", "sum", "context"]
    for number, (row, score) in enumerate(zip(body, SCORES.tolist())):
        largest, total, context = map(shown, kept(number + 1)[1:])
        factor = shown((SCORES[:number].max() - kept(number + 1)[1]).exp().item()) if number else "–"
        assert row == [f"{number}", shown(score), largest, factor, total, context]


def test_the_sentence_tells_the_moment_at_which_most_is_lost():
    said = "Key 2 has a larger score: all that was kept shrinks by exp(0.50 − 2.00) = 0.22, and then its weight, 1.00,"
    assert one_pass(SCORES, VALUES).text == f"{said} is added."
    assert "All keys are read: 8.00 / 1.00 = 8.00." in one_pass(SCORES[:1], VALUES[:1]).text


def check(page, read):
    """Assert that blocks, table and result are those of torch, over the keys read so far."""
    (weights, largest, total, context), left = kept(read), len(SCORES) - read
    texts = page.locator(".attn-block > :last-child").all_text_contents()
    assert texts == [*map(shown, weights.tolist()), *["0.00"] * left]
    now = page.locator("tr > :last-child").all_text_contents()
    assert now == ["now", *map(shown, (largest, total, context))]
    expect(page.locator(".attn-result")).to_have_text(f"context / sum =\u00a0{shown(context / total)}")
    states = page.locator(".attn-comer").evaluate_all("all => all.map(one => one.dataset.state)")
    assert states == ["gone"] * (read - 1) + ["here"] + ["coming"] * left
    widths = page.locator(".attn-block").evaluate_all("all => all.map(one => parseFloat(one.style.width))")
    assert widths[:read] == pytest.approx((weights * widths[0] / weights[0]).tolist(), rel=1e-3)


def test_the_keyboard_lets_the_keys_come(on_page):
    page = on_page(one_pass(SCORES, VALUES))
    check(page, 3)  # at first the moment at which most is lost
    for key, read in (("ArrowRight", 4), ("Home", 1), ("ArrowRight", 2)):
        page.get_by_role("slider").press(key)
        check(page, read)
