"""Checks of the exercises in notebook 15 (inside a real model)."""

import torch

from companion.checks.exercise import exercise
from companion.checks.feedback import IN_PLACE, Mistake, expect, expect_like
from companion.checks.mistakes import INVERTED
from companion.checks.tables import compared_with, of_steps
from companion.pretrained.minilm import mean_pool

AXES = "{error}. Give `real` an axis of size 1 after the tokens, real[..., None], and keep that of a sum, keepdim=True"


def _sums(stream, real):
    return (stream * real[..., None]).sum(dim=1)


POOLS = {  # {message: wrong my_pool}
    "the padding is averaged, too": lambda stream, real: stream.mean(dim=1),
    "the padding is still counted: divide by the real tokens": lambda x, real: _sums(x, real) / real.shape[1],
    "the sums are not divided by the number of real tokens": _sums,
    "the mean runs over the features: the tokens are axis 1": lambda stream, real: stream.mean(dim=2),
    "the padding is averaged, and the real tokens are not: real is True for them": lambda x, real: mean_pool(x, ~real),
    "this is the first token, [CLS], alone: average all that are real": lambda stream, real: stream[:, 0],
    "real meets the features: give it an axis of size 1 after the tokens, real[..., None]": lambda stream, real: (
        (stream * real[:, None]).sum(dim=1) / real.sum(dim=1, keepdim=True)
    ),
}


@compared_with(mean_pool, POOLS, {"at non-singleton dimension": AXES})
def check_my_pool(my_pool):
    """the real tokens of each sentence are averaged, and the padding counts neither above nor below the line."""
    stream, real = torch.randn(3, 5, 5), torch.arange(5) < torch.tensor([4, 3, 2])[:, None]
    yield "my_pool for a batch", (stream, real)
    yield "my_pool for one sentence without padding", (stream[:1, :4], real[:1, :4]), {}


@of_steps
def _mask(real, positions, *, change=lambda keys, row, own: torch.where(row, own, keys)):
    """Return the mask under which one token of each sentence reads itself alone.

    real: boolean (batch, tokens); positions: (batch,), the token's. Returns (batch, queries, keys), True = may attend.
    change: makes it of the keys that are real and of the row and the column of the token.
    """
    row = (torch.arange(real.shape[1]) == positions[:, None])[:, :, None]  # (batch, tokens, 1)
    return change(real[:, None, :].expand(-1, real.shape[1], -1), row, row.mT)


cut_off = _mask()  # the course's own `my_cut`
ALL_REAL = "the padding is read: keys that are not real stay hidden"
VIEW = "your mask is a view of `real` (as from expand), so writing into it changes `real`: take .repeat, or .clone() it"
MASKS = {  # {message: wrong my_cut}
    "nothing is cut: the token's row is as before": _mask(lambda keys, row, column: keys),
    "the column is cut, not the row mask[sentence, position]": _mask(lambda keys, row, own: keys & ~own | row & own),
    "the token reads nothing, not even itself": _mask(lambda keys, row, column: keys & ~row),
    ALL_REAL: lambda real, positions: cut_off(torch.ones_like(real), positions),
    "real belongs to the last axis, real[:, None, :]": _mask(lambda keys, row, own: torch.where(row, own, keys.mT)),
    INVERTED: lambda *given: ~cut_off(*given),
}


@exercise(mistakes=MASKS)
def check_my_cut(my_cut):
    """one row of each mask is cut down to the token itself; all others read what they read before."""
    real = torch.arange(6) < torch.tensor([6, 4, 5])[:, None]
    try:
        expect_like(my_cut, cut_off, (real, torch.tensor([2, 0, 4])), "my_cut", MASKS)
    except Mistake as mistake:
        expect(str(mistake) != IN_PLACE, VIEW)
        raise
