"""Right and wrong answers to the exercises in notebook 07 (the self-attention module)."""

import torch

from utils.attention import causal_mask, padding_mask
from utils.checks.notebook_07 import check_mask_from_ids, check_window_mask


def window(sees):
    """Make a mask of a rule for how far back a query may see, which may be a wrong one."""
    return lambda num_tokens, width: torch.tensor(
        [[sees(i - j, width) for j in range(num_tokens)] for i in range(num_tokens)]
    )


def window_by_filling(num_tokens, width):
    mask = torch.zeros(num_tokens, num_tokens, dtype=torch.bool)
    for i in range(num_tokens):
        mask[i, max(0, i + 1 - width) : i + 1] = True
    return mask


def window_without_maximum(num_tokens, width):
    mask = torch.zeros(num_tokens, num_tokens, dtype=torch.bool)
    for i in range(num_tokens):
        mask[i, i + 1 - width : i + 1] = True
    return mask


def window_in_blocks(num_tokens, width):
    block = torch.arange(num_tokens) // width
    return causal_mask(num_tokens) & (block[:, None] == block)


def band(num_tokens, width):
    return torch.ones(num_tokens, num_tokens, dtype=torch.bool).tril().triu(1 - width)


def band_of_diagonals(num_tokens, width):
    return sum(torch.ones(num_tokens - back).diag(-back) for back in range(width)).bool()


def masked(differs=torch.ne, past=causal_mask, join=torch.logical_and, axis=1):
    """Compose the mask from its decisions, any of which may be a wrong one."""
    return lambda ids, pad_id: join(past(ids.shape[1]), differs(ids, pad_id).unsqueeze(axis))


def masked_by_loop(ids, pad_id):
    return torch.tensor(
        [[[j <= i and row[j] != pad_id for j in range(len(row))] for i in range(len(row))] for row in ids]
    )


def masked_by_counting(ids, pad_id):
    return causal_mask(ids.shape[1]) & padding_mask((ids != pad_id).sum(-1), ids.shape[1])


RIGHT = {
    check_window_mask: [
        window(lambda back, width: 0 <= back < width),
        window_by_filling,
        band,
        lambda num_tokens, width: causal_mask(num_tokens) ^ causal_mask(num_tokens).tril(-width),
    ],
    check_mask_from_ids: [
        masked(),
        masked_by_loop,
        lambda ids, pad_id: torch.stack([causal_mask(len(row)) * (row != pad_id) for row in ids]),
        lambda ids, pad_id: (ids != pad_id)[:, None].repeat(1, ids.shape[1], 1).tril(),
    ],
}
WRONG_WINDOWS = [
    (lambda back, width: 0 <= back <= width, "the window is one too wide"),
    (lambda back, width: 0 <= back < width - 1, "the window is one too narrow"),
    (lambda back, width: back >= 0, "there is no end to the window"),
    (lambda back, width: abs(back) < width, "the window looks ahead, too"),
    (lambda back, width: -width < back <= 0, "the window looks ahead only"),
    (lambda back, width: not 0 <= back < width, "the mask is turned round: True means 'may attend'"),
    (lambda back, width: 0 < back < width, "a token cannot see itself"),
    (lambda back, width: 0 < back <= width, "window_mask(6, 3) is False at (0, 0), but True was expected"),
    (lambda back, width: 0 <= back < 3, "window_mask(4, 1) is True at (1, 0), but False was expected"),
    (lambda back, width: 0 <= back < min(width, 3) - (width > 3), "window_mask(3, 9), wider than the text is False"),
    (lambda back, width: int(0 <= back < width), "window_mask(6, 3) has dtype torch.int64; a mask is boolean"),
    (lambda back, width: float(0 <= back < width), "window_mask(6, 3) has dtype torch.float32; a mask is boolean"),
]
WRONG = {
    check_window_mask: [
        *((window(sees), message) for sees, message in WRONG_WINDOWS),
        (lambda num_tokens, width: None, "window_mask(6, 3) gives None; did you forget `return`?"),
        (lambda num_tokens, width: band(num_tokens, width).tolist(), "window_mask(6, 3) gives a list, but a tensor"),
        (lambda num_tokens, width: band(6, width), "window_mask(4, 1) gives shape (6, 6), but (4, 4)"),
        (window_without_maximum, "window_mask(6, 3) is False at (0, 0), but True was expected"),
        (window_in_blocks, "window_mask(6, 3) is False at (3, 1), but True was expected"),
        (band_of_diagonals, "your function stopped with RuntimeError"),
    ],
    check_mask_from_ids: [
        (lambda *given: ~masked()(*given), "the mask is turned round: True means 'may attend'"),
        (masked(past=lambda num_tokens: torch.ones(num_tokens, 1) == 1), "the padding is hidden, but the future is"),
        (masked(differs=lambda ids, pad_id: ids == ids), "the future is hidden, but the padding is not"),
        (masked(differs=lambda ids, pad_id: ids != 0), "the future is hidden, but the padding is not"),
        (masked(join=torch.logical_or), "a token may attend if one OR the other mask allows it"),
        (masked(join=torch.add), "a token may attend if one OR the other mask allows it"),
        (masked(axis=2), "the padding is on the axis of the queries"),
        (masked(past=lambda num_tokens: causal_mask(num_tokens).T), "the future and the past are exchanged"),
        (masked(differs=torch.eq), "padding may be seen and words may not"),
        (lambda *given: masked()(*given) & masked(axis=2)(*given), "rows of padding are emptied, too"),
        (masked_by_counting, "the words are counted, which misses padding before them"),
        (masked(past=lambda num_tokens: causal_mask(num_tokens).tril(-1)), "mask_from_ids with 3 sentences of 4 ids"),
        (masked(differs=lambda ids, pad_id: ids != 9), "mask_from_ids with padding 0 is True at (0, 1, 1), but False"),
        (masked(differs=torch.lt), "mask_from_ids with padding 0 is False at (0, 0, 0), but True"),
        (
            masked(join=torch.mul, past=lambda n: causal_mask(n).long()),
            "mask_from_ids with 3 sentences of 4 ids, padding",
        ),
        (lambda ids, pad_id: (ids != pad_id)[:, None], "mask_from_ids with 3 sentences of 4 ids"),
        (lambda *given: masked()(*given).tolist(), "mask_from_ids with 3 sentences of 4 ids, padding 9 gives a list"),
        (lambda *given: None, "mask_from_ids with 3 sentences of 4 ids, padding 9 gives None; did you forget"),
        (lambda ids, pad_id: causal_mask(len(ids)) & (ids != pad_id), "your function stopped with RuntimeError"),
    ],
}
