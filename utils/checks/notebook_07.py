"""Checks of the exercises in notebook 07 (the self-attention module)."""

import torch

from utils.attention import causal_mask, padding_mask
from utils.checks.exercise import exercise
from utils.checks.feedback import expect_mask
from utils.checks.mistakes import INVERTED


@exercise
def check_window_mask(window_mask):
    """each token sees itself and the tokens right before it, as many as the window holds."""
    past = causal_mask(6)
    right = past & ~past.tril(-3)
    mistakes = {
        "the window is one too wide: width counts the token itself": past & ~past.tril(-4),
        "the window is one too narrow: width counts the token itself": past & ~past.tril(-2),
        "there is no end to the window: hide what lies `width` or more places back": past,
        "the window looks ahead, too: hide what comes after the token": right | right.T,
        "the window looks ahead only: rows are queries, columns are keys": right.T,
        INVERTED: ~right,
        "a token cannot see itself: keep the diagonal": right & ~torch.eye(6, dtype=torch.bool),
    }
    expect_mask(window_mask(6, 3), right, "window_mask(6, 3)", mistakes)
    expect_mask(window_mask(4, 1), torch.eye(4, dtype=torch.bool), "window_mask(4, 1)")
    expect_mask(window_mask(3, 9), causal_mask(3), "window_mask(3, 9), wider than the text")


@exercise
def check_mask_from_ids(mask_from_ids):
    """no look ahead, no look at padding, one mask for each sentence."""
    ids = torch.tensor([[5, 6, 7, 8], [3, 2, 9, 9], [9, 4, 4, 9]])  # 9 is padding
    real, past = ids != 9, causal_mask(4)
    right = past & real[:, None, :]
    mistakes = {
        INVERTED: ~right,
        "the padding is hidden, but the future is not": real[:, None, :].expand(3, 4, 4),
        "the future is hidden, but the padding is not": past.expand(3, 4, 4),
        "a token may attend if one OR the other mask allows it; both must: use &": past | real[:, None, :],
        "the padding is on the axis of the queries: nobody may look AT padding, so it belongs to the keys": past
        & real[:, :, None],
        "the future and the past are exchanged: rows are queries, columns are keys": past.T & real[:, None, :],
        "padding may be seen and words may not: ids that differ from pad_id are real": past & ~real[:, None, :],
        "rows of padding are emptied, too; only looking AT padding is forbidden": right & real[:, :, None],
        "the words are counted, which misses padding before them: compare each id with pad_id": past
        & padding_mask(real.sum(-1), 4),
    }
    expect_mask(mask_from_ids(ids, 9), right, "mask_from_ids with 3 sentences of 4 ids, padding 9", mistakes)
    ids = torch.tensor([[1, 0], [0, 0]])
    expect_mask(mask_from_ids(ids, 0), causal_mask(2) & (ids != 0)[:, None, :], "mask_from_ids with padding 0")
