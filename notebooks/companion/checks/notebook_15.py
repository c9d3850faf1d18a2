"""Checks of the exercises in notebook 15 (fast attention): online softmax, one row and then in tiles."""

import weakref

import torch
from torch.nn import functional as F

from companion.checks import mistakes as known
from companion.checks.exercise import exercise
from companion.checks.feedback import calls, close, expect, expect_tensor
from utils.attention import attention, causal_mask

KEPT = "what comes is kept until the row is whole: use each part as it comes, and keep three things only"
TWICE = "the keys are read a second time, but they come only once: find the largest score on the way"
FEW = 4  # parts that may be alive when the next are asked for: two that came last, and a score that is the largest
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
ONE_LARGEST = "queries with low scores get nan: one largest score serves all queries, and each needs its own"
PER_TILE = (
    "each tile has a softmax of its own, so its weights are shares of the tile, not of the row: keep three things"
)


class _Once:
    """Hands out a row's parts one by one and once only, and refuses an answer that keeps them or asks again."""

    def __init__(self, *parts):
        self.parts, self.given, self.over = zip(*parts), [], False

    def __iter__(self):
        return self

    def __next__(self):
        expect(not self.over, TWICE)
        self.given = [part for part in self.given if part() is not None]
        expect(len(self.given) <= FEW, KEPT)
        parts = tuple(part.clone() for part in next(self.parts, ()))
        self.given += map(weakref.ref, parts)
        self.over = not parts
        if self.over:
            raise StopIteration
        return parts


def by_row(pairs):
    """Return one query's context from pairs of a score and a value: the course's own `online_softmax`."""
    return _passed((score[None, None], row[None]) for score, row in pairs)[0]


def by_tiles(query, tiles, place):
    """Return the causal context of queries from `place` on, tile by tile: the course's own `tiled`."""
    return _passed(_measured(query, tiles, place))


def _measured(query, tiles, place):
    rows, start = place + torch.arange(len(query))[:, None], 0
    for key, value in tiles:
        future = start + torch.arange(len(key)) > rows
        yield (query @ key.T / query.shape[-1] ** 0.5).masked_fill(future, -torch.inf), value
        start += len(key)


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


def _expect_row(online_softmax, scores, value, doing, of_nan=None):
    wanted = torch.softmax(scores, dim=0) @ value
    mistakes = {cause: _passed(_cut(scores[None], value, 1), **step)[0] for cause, step in STEPS.items()}
    mistakes["all keys weigh the same: each weight is exp(score - largest)"] = value.mean(dim=0)
    mistakes["only the last key is left: add it to what was kept"] = value[-1]
    if of_nan:
        mistakes = {of_nan: torch.full_like(wanted, torch.nan)}
    expect_tensor(online_softmax(_Once(scores, value)), wanted, doing, mistakes)


@exercise
def check_tiled(tiled):
    """tile after tile, no query sees the future, and no map was ever whole."""
    query, key, value = 2 * torch.randn(10, 6), torch.randn(10, 6), torch.randn(10, 5)
    for tile, about in ((4, "in tiles of 4"), (5, "in tiles of 5"), (1, "in tiles of 1"), (16, "in one tile")):
        _expect_tiled(tiled, query, key, value, f"tiled for 10 keys {about}", tile)
    _expect_tiled(tiled, query[4:7], key, value, "tiled for the queries from place 4 on", place=4)
    wider, same = F.pad(key, (0, 1), value=20.0), torch.full((10, 1), 20.0)  # one more feature moves a query's scores
    for feature, about, cause in (
        (same, "large scores", OVERFLOW),
        (-same, "scores far below 0", START),
        (same * torch.linspace(-1, 1, 10)[:, None], "queries of low and of high scores", ONE_LARGEST),
    ):
        _expect_tiled(tiled, torch.cat([query, feature], dim=1), wider, value, f"tiled for {about}", of_nan=cause)


def _expect_tiled(tiled, query, key, value, doing, tile=4, place=0, of_nan=None):
    def given():
        return query, _Once(key.split(tile), value.split(tile)), place

    wanted = attention(query, key, value, causal_mask(len(key))[place : place + len(query)])[0]
    context = tiled(*given())
    if isinstance(context, torch.Tensor) and not close(context, wanted, atol=1e-4):
        expect("softmax" not in calls(tiled, *given()), PER_TILE)
        expect(not (of_nan and context.isnan().any()), of_nan)
    expect_tensor(context, wanted, doing, _misread(query, key, value, tile, place), atol=1e-4)


def _misread(query, key, value, tile, place):
    """Return {likely cause: the context that it gives}."""
    scores, past = query @ key.T / query.shape[-1] ** 0.5, causal_mask(len(key))[place : place + len(query)]
    rows, places, whole = torch.arange(len(query))[:, None], torch.arange(len(key)), len(key) // tile * tile or len(key)
    hidden = scores.masked_fill(~past, -torch.inf)

    def passed(scores, **step):
        return _passed(_cut(scores, value, tile), **step)

    return {
        **{cause: passed(hidden, **step) for cause, step in STEPS.items()},
        "the future is not hidden": attention(query, key, value)[0],
        "the keys' places begin anew in each tile: add the place at which the tile starts": passed(
            scores.masked_fill(places % tile > place + rows, -torch.inf)
        ),
        "the queries' places begin at 0: the first query stands at `place`": passed(
            scores.masked_fill(places > rows, -torch.inf)
        ),
        "hidden scores are 0, and exp(0) is 1: use -inf": passed(scores.masked_fill(~past, 0.0)),
        "a token cannot see itself: its own place is at most its own place": passed(
            scores.masked_fill(~known.past(-1)(len(key))[place : place + len(query)], -torch.inf)
        ),
        "the scale is missing: divide by the root of the head size": passed(hidden * query.shape[-1] ** 0.5),
        "the last tile, which is smaller, is left out": passed(hidden[:, :whole]),
        "only the first tile is read": passed(hidden[:, :tile]),
    }


def _cut(scores, value, tile):
    return zip(scores.split(tile, dim=1), value.split(tile))


def _passed(
    tiles,
    shrinks_total=True,
    shrinks_context=True,
    own_largest=False,
    turned=False,
    late=False,
    divides=1,
    adds_scores=False,
):
    """Take tiles of scores and value one by one, each step right unless it is told to be wrong."""
    largest, total, context = torch.tensor(-torch.inf), torch.tensor(0.0), torch.tensor(0.0)
    for number, (scores, value) in enumerate(tiles):
        larger = scores.amax(dim=-1, keepdim=True)
        larger = larger if own_largest else torch.maximum(largest, larger)
        shrink = (larger - largest if turned and number else largest - larger).exp()
        weights = (scores - (largest if late and number else larger)).exp()
        added = (scores if adds_scores else weights).sum(dim=-1, keepdim=True)
        total = (total * shrink if shrinks_total else total) + added
        context = (context * shrink if shrinks_context else context) + weights @ value
        context = context / total if divides == 2 else context
        largest = larger
    return context / total if divides == 1 else context
