"""Checks of the exercises in notebook 16 (fast attention): softmax in one pass, tiles, and a cache that is read on."""

import weakref

import torch

from companion.checks.feedback import expect
from companion.checks.tables import compared_with, of_steps
from utils.attention import attention, causal_mask
from utils.positions import rotate

KEPT = "what comes is kept until the row is whole: use each part as it comes, and keep three things only"
TWICE = "the keys are read a second time, but they come only once: find the largest score on the way"
FEW = 6  # parts that may be alive when the next are asked for: the first two, the last two, and the largest score


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


def _passing(
    tiles,
    *,
    start=-torch.inf,
    larger=torch.maximum,
    shrink=lambda old, new: (old - new).exp(),
    weigh=lambda scores, old, new: (scores - new).exp(),
    total=lambda total, shrink, weights: total * shrink + weights.sum(dim=-1, keepdim=True),
    context=lambda context, shrink, weights, value: context * shrink + weights @ value,
    finish=lambda context, total: context / total,
):
    """Return the context of tiles of scores and value, by steps of which any may be a wrong one."""
    old, sums, kept = torch.tensor(start), torch.tensor(0.0), torch.tensor(0.0)
    for scores, value in tiles:
        new = larger(old, scores.amax(dim=-1, keepdim=True))
        factor, weights = shrink(old, new), weigh(scores, old, new)
        sums, kept, old = total(sums, factor, weights), context(kept, factor, weights, value), new
    return finish(kept, sums)


MEETS_LARGER = "when a larger score comes: multiply it by exp(old largest - new largest)"
SUBTRACT = "large scores give nan: exp overflows unless the largest score so far is subtracted first"
STEPS = {  # {message: the step of the pass that is wrong}; what shows in the fewest cases comes first
    "much larger scores give nan: a larger score may come later": {"larger": lambda a, b: b.where(a.isinf(), a)},
    "scores far below 0 give nan: the largest score starts at 0; start at -inf": {"start": 0.0},
    SUBTRACT: {"shrink": lambda old, new: 1.0, "weigh": lambda scores, old, new: scores.exp()},
    f"the sum is not rescaled {MEETS_LARGER}": {"total": lambda total, shrink, w: total + w.sum(-1, keepdim=True)},
    f"the context is not rescaled {MEETS_LARGER}": {"context": lambda context, shrink, w, value: context + w @ value},
    "neither the sum nor the context is rescaled when a larger score comes": {"shrink": lambda old, new: 1.0},
    "the division by the sum is missing at the end": {"finish": lambda context, total: context},
}


@of_steps
def _by_row(pairs, **steps):
    return _passing(((score[None, None], row[None]) for score, row in pairs), **steps)[0]


by_row = _by_row()  # the course's own `online_softmax`: one query's context from pairs of a score and a value
ROWS = {message: _by_row(**steps) for message, steps in STEPS.items()} | {  # {message: wrong online_softmax}
    KEPT: lambda pairs: [row for _, row in pairs][-1]
}


@of_steps
def _fed(scores, value, *, answer):
    return answer(_Once(scores, value))


@compared_with(lambda scores, value: scores.softmax(dim=0) @ value, ROWS, ask=_fed)
def check_online_softmax(online_softmax):
    """one pass, three things kept, and the same context as from the whole row."""
    scores, value = torch.tensor([0.5, 2.0, -1.0, 3.0, 1.0, 0.0, -2.0, 3.5]), torch.randn(8, 3)
    yield "online_softmax", (scores, value)
    yield "online_softmax for large scores", (scores + 200, value)
    yield "online_softmax for scores far below 0", (scores - 200, value)
    yield "online_softmax for values of 7 numbers", (3 * torch.randn(64), torch.randn(64, 7))
    yield "online_softmax for scores far apart", (torch.tensor([0.0, 150.0, -150.0, 300.0]), torch.randn(4, 3))


@of_steps
def _in_tiles(
    query,
    tiles,
    position,
    *,
    scores=lambda query, key: query @ key.T / query.shape[-1] ** 0.5,
    first=lambda position: position,
    future=lambda keys, rows: keys > rows,
    hidden=-torch.inf,
    read=iter,
    **steps,
):
    """Return the causal context of queries from `position` on, tile by tile."""

    def measured(start=0):
        rows = first(position) + torch.arange(len(query))[:, None]
        for key, value in read(tiles):
            keys = start + torch.arange(len(key))
            yield scores(query, key).masked_fill(future(keys, rows), hidden), value
            start += len(key)

    return _passing(measured(), **steps)


by_tiles = _in_tiles()  # the course's own `tiled`: the causal context of queries from `position` on, tile by tile
TILES = {  # {message: wrong tiled}
    "queries with low scores get nan: one largest score serves all queries, and each needs its own": _in_tiles(
        larger=lambda old, new: torch.maximum(old, new.max())
    ),
    **{message: _in_tiles(**steps) for message, steps in STEPS.items()},
    "the future is not hidden": _in_tiles(future=lambda keys, rows: keys < 0),
    "the queries' positions begin at 0: the first query is at `position`": _in_tiles(first=lambda position: 0),
    "hidden scores are 0, and exp(0) is 1: use -inf": _in_tiles(hidden=0.0),
    "the scale is missing: divide by the root of the head size": _in_tiles(scores=lambda query, key: query @ key.T),
    "each tile has a softmax of its own, so its weights are shares of the tile, not of the row": _in_tiles(
        shrink=lambda old, new: 1.0,
        weigh=lambda scores, old, new: scores.softmax(dim=-1).nan_to_num(),
        finish=lambda context, total: context,
    ),
    "only the first tile is read": _in_tiles(read=lambda tiles: [next(tiles)]),
    KEPT: _in_tiles(read=list),
}


def _causal(query, key, value, tile, position):
    return attention(query, key, value, causal_mask(10)[position : position + len(query)])[0]


@of_steps
def _in_turn(query, key, value, tile, position, *, answer):
    return answer(query, _Once(key.split(tile), value.split(tile)), position)


@compared_with(_causal, TILES, atol=1e-4, ask=_in_turn)
def check_tiled(tiled):
    """tile after tile, no query sees the future, and what was kept is rescaled when a larger score comes."""
    query, key, value = 2 * torch.randn(10, 6), torch.randn(10, 6), torch.randn(10, 5)
    yield "tiled for 10 keys in tiles of 4", (query, key, value, 4, 0)
    yield "tiled for 10 keys in tiles of 1", (query, key, value, 1, 0)
    yield "tiled for the queries from position 4 on", (query[4:7], key, value, 4, 4)
    same, rising = torch.full((10, 1), 20.0), 20.0 * torch.arange(10)[:, None]  # of one more feature
    large, wide, low_and_high = (
        torch.cat(pair, dim=1) for pair in ((query, same), (key, same), (query, rising / 4.5 - same))
    )
    yield "tiled for large scores", (large, wide, value, 4, 0)
    yield "tiled for queries of low and of high scores", (low_and_high, wide, value, 4, 0)
    yield "tiled for scores far apart", (large, torch.cat([key, rising], dim=1), value, 4, 0)


def _join(past, new):
    return torch.cat([past, new])


@of_steps
def _read(
    inputs,
    past_key,
    past_value,
    *matrices,
    first=lambda past: past,
    turn=lambda query, key, positions: (rotate(query, positions), rotate(key, positions)),
    join=_join,
    mask=causal_mask,
    value=_join,
):
    """Let new tokens read those before them and themselves; matrices: W_query, W_key and W_value."""
    past, (query, new_key, new_value) = len(past_key), (inputs @ matrix for matrix in matrices)
    query, new_key = turn(query, new_key, first(past) + torch.arange(len(inputs)))
    key, values = join(past_key, new_key), value(past_value, new_value)
    return attention(query, key, values, mask(len(inputs), past))[0], key, values


read_next = _read()  # the course's own `read_on`


def _only_new(inputs, past_key, past_value, *matrices):
    context, key, value = read_next(inputs, past_key, past_value, *matrices)
    return context, key[len(past_key) :], value[len(past_key) :]


READS = {  # {message: wrong read_on}
    "the new tokens' positions begin at 0 again, not after the kept keys": _read(first=lambda past: 0),
    "the positions are off by one: the first new token is at len(past_key)": _read(first=lambda past: past + 1),
    "the new key is not turned": _read(turn=lambda query, key, positions: (rotate(query, positions), key)),
    "the new query is not turned": _read(turn=lambda query, key, positions: (query, rotate(key, positions))),
    "neither the new query nor the new key is turned to its position": _read(turn=lambda *given: given[:2]),
    "the kept keys are turned a second time": _read(join=lambda past, new: _join(rotate(past), new)),
    "the mask begins in the upper left corner": _read(mask=lambda new, past: causal_mask(new, past).tril()),
    "a new token sees those that come after it: it may see itself last": _read(mask=lambda new, past: None),
    "the new tokens come before those kept": _read(
        join=lambda *two: _join(*two[::-1]), value=lambda *two: _join(*two[::-1])
    ),
    "only what is new is returned; the next token needs all keys and values": _only_new,
}
MATRIX = "W_query, W_key and W_value are matrices, (d_model, d), and no layers: multiply, inputs @ W_query"


@compared_with(read_next, READS, {"'Tensor' object is not callable": MATRIX}, parts=("context", "key", "value"))
def check_read_on(read_on):
    """a new token has its own position, reads all that is kept and itself, and is kept for those that follow."""
    matrices = torch.randn(6, 4), torch.randn(6, 4), torch.randn(6, 8)
    for num_new, num_past in ((2, 3), (5, 0)):
        _, *past = read_next(torch.randn(num_past, 6), torch.zeros(0, 4), torch.zeros(0, 8), *matrices)
        doing = f"read_on for {num_new} new {'token' if num_new == 1 else 'tokens'} and {num_past} kept"
        yield doing, (torch.randn(num_new, 6), *past, *matrices)
