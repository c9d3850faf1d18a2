"""Checks of the assignment a2_masks_and_modules: the causal mask and the padding mask."""

import torch

from classroom.checks.graded import graded, table_of
from companion.checks.feedback import expect_mask
from companion.checks.mistakes import CAUSAL, INVERTED, given_by
from utils.attention import causal_mask, padding_mask


@graded(of="causal_mask", mistakes=CAUSAL)
def check_causal_mask(student, draw):
    """each token sees itself and what stands before it."""
    for n in (draw.randint(3, 9), 1, draw.randint(20, 30)):
        expect_mask(student.call("causal_mask", n), causal_mask(n), f"causal_mask({n})", given_by(CAUSAL, n))


def _wrong_paddings(lengths, n):
    right, counts = padding_mask(lengths, n), torch.tensor(lengths)[:, None, None]
    return {
        INVERTED: ~right,
        "one token of padding may be seen: places count from 0, so real ones are below the length": (
            torch.arange(n) <= counts
        ),
        "the middle axis is missing: without it, a mask cannot stretch over the queries": right.squeeze(1),
        "the padding is on the axis of the queries; nobody may look AT padding, so the keys come last": right.mT,
    }


@graded(of="padding_mask", mistakes=table_of(_wrong_paddings, [1], 2))
def check_padding_mask(student, draw):
    """the real tokens may be seen, and the padding behind them may not."""
    n = draw.randint(5, 8)
    all_kinds = [*draw.sample(range(1, n - 1), 2), n, 0]
    draw.shuffle(all_kinds)
    for lengths in (all_kinds, draw.sample(range(1, n), 3), [draw.randint(1, n - 1)]):
        given, doing = student.call("padding_mask", lengths, n), f"padding_mask({lengths}, {n})"
        expect_mask(given, padding_mask(lengths, n), doing, _wrong_paddings(lengths, n))
