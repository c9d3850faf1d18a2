"""Checks of the exercises in notebook 15 (fast attention): online softmax, one row and then in tiles."""

import torch
from torch.nn import functional as F

from utils.attention import attention, causal_mask
from utils.checks import mistakes as known
from utils.checks.exercise import exercise
from utils.checks.feedback import PRODUCTS, calls, expect, expect_tensor
from utils.fast import tiled_attention

AT_ONCE = "softmax, or a finished attention, takes the whole row at once: keep three things, and take what comes"
ONE_PRODUCT = "the scores of all keys come from one product: multiply the queries with one tile of keys at a time"
MEETS_LARGER = "when a larger score comes: multiply it by exp(old largest - new largest)"
STEPS = {  # what goes wrong with the three things that are kept: {likely cause: the step of `_passed` that is wrong}
    f"the sum is not rescaled {MEETS_LARGER}": {"shrinks_total": False},
    "a query that sees none of a tile's keys gets nan: keep the larger of the old and the new largest score": {
        "own_largest": True
    },
    f"the context is not rescaled {MEETS_LARGER}": {"shrinks_context": False},
    "neither the sum nor the context is rescaled: both were measured by the old largest score": {
        "shrinks_total": False,
        "shrinks_context": False,
    },
    "the rescale is turned round: it is exp(old largest - new largest), and never above 1": {"turned": True},
    "the new weights are measured by the old largest score: find the new one first": {"late": True},
    "the division by the sum is missing at the end": {"divides": 0},
    "the context is divided at each step: divide once, at the end": {"divides": 2},
    "the sum adds scores: it adds weights, exp(score - largest)": {"adds_scores": True},
}
START = "scores far below 0 give nan: the largest score starts at 0, and every exp is 0; start at -inf"
OVERFLOW = "large scores give nan: exp overflows unless the largest score so far is subtracted first"


def by_row(scores, value):
    """Return one query's context from its scores (keys,) and value (keys, d_v): the course's own `online_softmax`."""
    return _passed(lambda keys: scores[None, keys], value, 1)[0]


def by_tiles(query, key, value, tile):
    """Return the causal context, tile by tile: the course's own `tiled`."""
    return tiled_attention(query, key, value, causal=True, tile=tile)


@exercise
def check_online_softmax(online_softmax):
    """one pass, three things kept, and the same context as from the whole row."""
    scores, value = torch.tensor([0.5, 2.0, -1.0, 3.0, 1.0]), torch.randn(5, 3)
    _expect_row(online_softmax, scores, value, "online_softmax")
    _expect_row(online_softmax, scores + 200, value, "online_softmax for large scores", OVERFLOW)
    _expect_row(online_softmax, scores - 200, value, "online_softmax for scores far below 0", START)
    _expect_row(online_softmax, scores.flip(0), value, "online_softmax for other scores")
    _expect_row(online_softmax, scores[:1], value[:1], "online_softmax for a single key")
    _expect_row(online_softmax, 3 * torch.randn(64), torch.randn(64, 7), "online_softmax for 64 keys")
    called = calls(online_softmax, scores, value)
    expect(not {"softmax", "logsumexp", "scaled_dot_product_attention"} & set(called), AT_ONCE)


def _expect_row(online_softmax, scores, value, doing, of_nan=None):
    wanted = torch.softmax(scores, dim=0) @ value
    mistakes = {cause: _passed(lambda keys: scores[None, keys], value, 1, **step)[0] for cause, step in STEPS.items()}
    mistakes["all keys weigh the same: each weight is exp(score - largest)"] = value.mean(dim=0)
    mistakes["only the last key is left: add it to what was kept"] = value[-1]
    if of_nan:
        mistakes = {of_nan: torch.full_like(wanted, torch.nan)}
    expect_tensor(online_softmax(scores, value), wanted, doing, mistakes)


@exercise
def check_tiled(tiled):
    """tile after tile, no query sees the future, and no map was ever whole."""
    query, key, value = torch.randn(10, 6), torch.randn(10, 6), torch.randn(10, 5)
    for tile, about in ((4, "in tiles of 4"), (5, "in tiles of 5"), (1, "in tiles of 1"), (16, "in one tile")):
        _expect_tiled(tiled, 2 * query, key, value, tile, f"tiled for 10 keys {about}")
    wider = F.pad(query, (0, 1), value=20.0)  # one more feature, which moves all scores by as much
    for size, about, cause in ((20.0, "large scores", OVERFLOW), (-20.0, "scores far below 0", START)):
        _expect_tiled(tiled, wider, F.pad(key, (0, 1), value=size), value, 4, f"tiled for {about}", cause)
    called = calls(tiled, query, key, value, 4)
    expect(not {"softmax", "scaled_dot_product_attention"} & set(called), AT_ONCE)
    expect(sum(name in PRODUCTS for name in called) != 1 + 3, ONE_PRODUCT)  # one for all scores, and three contexts


def _expect_tiled(tiled, query, key, value, tile, doing, of_nan=None):
    wanted = attention(query, key, value, causal_mask(len(query)))[0]
    given = tiled(query, key, value, tile)
    mistakes = {of_nan: torch.full_like(wanted, torch.nan)} if of_nan else _misread(query, key, value, tile)
    expect_tensor(given, wanted, doing, mistakes, atol=1e-4)


def _misread(query, key, value, tile):
    """Return {likely cause: the context that it gives}."""
    scores, past = query @ key.T / query.shape[-1] ** 0.5, causal_mask(len(query))
    places, whole = torch.arange(len(key)), len(key) // tile * tile
    hidden = scores.masked_fill(~past, -torch.inf)

    def passed(scores, **step):
        return _passed(lambda keys: scores[:, keys], value, tile, **step)

    return {
        **{cause: passed(hidden, **step) for cause, step in STEPS.items()},
        "the future is not hidden": attention(query, key, value)[0],
        "the keys' places begin anew in each tile: add the place at which the tile starts": passed(
            scores.masked_fill(places % tile > places[:, None], -torch.inf)
        ),
        "hidden scores are 0, and exp(0) is 1: use -inf": passed(scores.masked_fill(~past, 0.0)),
        "a token cannot see itself: its own place is at most its own place": passed(
            scores.masked_fill(~known.past(-1)(len(query)), -torch.inf)
        ),
        "the scale is missing: divide by the root of the head size": passed(hidden * query.shape[-1] ** 0.5),
        "the last tile, which is smaller, is left out": _passed(lambda keys: hidden[:, :whole][:, keys], value, tile),
        "only the first tile is read": _passed(lambda keys: hidden[:, :tile][:, keys], value, tile),
    }


def _passed(
    scores,
    value,
    tile,
    shrinks_total=True,
    shrinks_context=True,
    own_largest=False,
    turned=False,
    late=False,
    divides=1,
    adds_scores=False,
):
    """Take the keys tile by tile, each step right unless it is told to be wrong. scores: a function of their slice."""
    largest, total, context = torch.tensor(-torch.inf), torch.tensor(0.0), torch.tensor(0.0)
    for start in range(0, len(value), tile):
        measured = scores(slice(start, start + tile))
        if not measured.numel():  # this mistake leaves out what is left
            break
        larger = measured.amax(dim=-1, keepdim=True)
        larger = larger if own_largest else torch.maximum(largest, larger)
        shrink = (larger - largest if turned and start else largest - larger).exp()
        weights = (measured - (largest if late and start else larger)).exp()
        added = (measured if adds_scores else weights).sum(dim=-1, keepdim=True)
        total = (total * shrink if shrinks_total else total) + added
        context = (context * shrink if shrinks_context else context) + weights @ value[start : start + tile]
        context = context / total if divides == 2 else context
        largest = larger
    return context / total if divides == 1 else context
