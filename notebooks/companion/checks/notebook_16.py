"""Checks of the exercises in notebook 16 (fast attention): softmax in one pass, tiles, and a cache that is read on."""

from functools import partial

import torch

from companion.checks.compared import compared_with
from companion.checks.online_softmax import ADDS, KEEPS_ALL, ONE_FOR_ALL, WRONG_STEPS, Once, Steps, passing, step
from companion.steps import of_steps
from utils.attention import attention, causal_mask
from utils.positions import rotate

STATE = "largest score", "sum", "context"  # what is kept for each query


@of_steps
def _row_with(pairs, **steps):
    return passing(((score[None, None], row[None]) for score, row in pairs), **steps)[0]


by_row = _row_with()  # the course's own `online_softmax`: one query's context from pairs of a score and a value
PASSES = {message: _row_with(**steps) for message, steps in WRONG_STEPS.items()} | {  # {message: wrong online_softmax}
    KEEPS_ALL: lambda pairs: [row for _, row in pairs][-1]
}


def _read_once(answer, scores, value):
    return answer(Once(scores, value))


@compared_with(lambda scores, value: scores.softmax(dim=0) @ value, PASSES, measure=_read_once)
def check_online_softmax(online_softmax):
    """one pass, three things kept, and the same context as from the whole row."""
    scores, value = torch.tensor([0.5, 2.0, -1.0, 3.0, 1.0, 0.0, -2.0, 3.5]), torch.randn(8, 3)
    yield "online_softmax for large scores", (scores + 200, value)
    yield "online_softmax for scores far below 0", (scores - 200, value)
    yield "online_softmax for values of 7 numbers", (3 * torch.randn(64), torch.randn(64, 7))
    yield "online_softmax for scores far apart", (torch.tensor([0.0, 150.0, -150.0, 300.0]), torch.randn(4, 3))


WRONG_TILES = {
    message: partial(step, steps=Steps(**wrong)) for message, wrong in ADDS.items()
}  # {message: wrong add_tile}
STOPS = {  # {what an error says: its cause}
    "must match the size of tensor": "each query has its own largest score, in a column, (queries, 1): keepdim=True",
    "maximum(): argument": "max along an axis gives values and places; amax gives the values alone",
}


@compared_with(step, WRONG_TILES, STOPS, parts=STATE)
def check_add_tile(add_tile):
    """each query has its own largest score, and what was kept is measured by it before the tile's part is added."""
    value, nothing = torch.randn(3, 5), (torch.full((2, 1), -torch.inf), torch.zeros(2, 1), torch.zeros(2, 5))
    scores = torch.tensor([[1.0, 2, 0.5], [3, 1, 0]])
    state = step(*nothing, scores, torch.randn(3, 5))
    yield "add_tile for a first tile", (*nothing, scores, value)
    yield "add_tile for scores far apart", (*state, torch.tensor([[150.0, -150, 0], [-150, -200, -99]]), value)
    yield "add_tile for a tile in the future", (*state, torch.full((2, 3), -torch.inf), value)


@of_steps
def _tiles_with(
    query,
    tiles,
    position,
    *,
    scores=lambda query, key: query @ key.T / query.shape[-1] ** 0.5,
    future=lambda keys, rows: keys > rows,
    hidden=-torch.inf,
    **steps,
):
    """Return the causal context of queries from `position` on, tile by tile."""

    def measured(start=0):
        rows = position + torch.arange(len(query))[:, None]
        for key, value in tiles:
            keys = start + torch.arange(len(key))
            yield scores(query, key).masked_fill(future(keys, rows), hidden), value
            start += len(key)

    return passing(measured(), **steps)


by_tiles = _tiles_with()  # the course's own `tiled`: the causal context of queries from `position` on, tile by tile
TILES = {  # {message: wrong tiled}
    "queries with low scores get nan: one largest score serves all queries, and each needs its own": _tiles_with(
        **ONE_FOR_ALL
    ),
    **{message: _tiles_with(**steps) for message, steps in WRONG_STEPS.items()},
    "the future is not hidden": _tiles_with(future=lambda keys, rows: keys < 0),
    "the queries' positions begin at 0: the first query is at `position`": lambda query, tiles, position: by_tiles(
        query, tiles, 0
    ),
    "hidden scores are 0, and exp(0) is 1: use -inf": _tiles_with(hidden=0.0),
    "the scale is missing: divide by the root of the head size": _tiles_with(scores=lambda query, key: query @ key.T),
    "each tile has a softmax of its own, so its weights are shares of the tile, not of the row": _tiles_with(
        shrink=lambda old, new: 1.0,
        weigh=lambda scores, old, new: scores.softmax(dim=-1).nan_to_num(),
        finish=lambda context, total: context,
    ),
    KEEPS_ALL: lambda query, tiles, position: by_tiles(query, list(tiles), position),
}


def _causal(query, key, value, tile, position):
    return attention(query, key, value, causal_mask(10)[position : position + len(query)])[0]


def _read_tiles_once(answer, query, key, value, tile, position):
    return answer(query, Once(key.split(tile), value.split(tile)), position)


@compared_with(_causal, TILES, atol=1e-4, measure=_read_tiles_once)
def check_tiled(tiled):
    """tile after tile, no query sees the future, and what was kept is rescaled when a larger score comes."""
    query, key, value = 2 * torch.randn(10, 6), torch.randn(10, 6), torch.randn(10, 5)
    yield "tiled for 10 keys in tiles of 1", (query, key, value, 1, 0)
    yield "tiled for the queries from position 4 on", (query[4:7], key, value, 4, 4)
    same, rising = torch.full((10, 1), 20.0), 20.0 * torch.arange(10)[:, None]  # of one more feature
    large, wide, low_and_high = (
        torch.cat(pair, dim=1) for pair in ((query, same), (key, same), (query, rising / 4.5 - same))
    )
    yield "tiled for queries of low and of high scores", (low_and_high, wide, value, 4, 0)
    yield "tiled for scores far apart", (large, torch.cat([key, rising], dim=1), value, 4, 0)


def _join(past, new):
    return torch.cat([past, new])


@of_steps
def _reading_with(
    inputs,
    past_key,
    past_value,
    *matrices,
    first=lambda past: past,
    turn=lambda query, key, positions: (rotate(query, positions), rotate(key, positions)),
    keep=lambda keys, values: (_join(*keys), _join(*values)),
    mask=causal_mask,
):
    """Let new tokens read those before them and themselves; matrices: W_query, W_key and W_value."""
    past, (query, new_key, new_value) = len(past_key), (inputs @ matrix for matrix in matrices)
    query, new_key = turn(query, new_key, first(past) + torch.arange(len(inputs)))
    key, value = keep((past_key, new_key), (past_value, new_value))
    return attention(query, key, value, mask(len(inputs), past))[0], key, value


read_next = _reading_with()  # the course's own `read_on`


def _keep_new(inputs, past_key, past_value, *matrices):
    context, key, value = read_next(inputs, past_key, past_value, *matrices)
    return context, key[len(past_key) :], value[len(past_key) :]


READS = {  # {message: wrong read_on}
    "the new tokens' positions begin at 0 again, not after the kept keys": _reading_with(first=lambda past: 0),
    "the new key is not turned": _reading_with(turn=lambda query, key, positions: (rotate(query, positions), key)),
    "the new query is not turned": _reading_with(turn=lambda query, key, positions: (query, rotate(key, positions))),
    "the kept keys are turned a second time": _reading_with(
        keep=lambda keys, values: (_join(rotate(keys[0]), keys[1]), _join(*values))
    ),
    "the mask begins in the upper left corner": _reading_with(mask=lambda new, past: causal_mask(new, past).tril()),
    "a new token sees those that come after it: it may see itself last": _reading_with(mask=lambda new, past: None),
    "only what is new is returned; the next token needs all keys and values": _keep_new,
}
MATRIX = "W_query, W_key and W_value are matrices, (d_model, d), and no layers: multiply, inputs @ W_query"


@compared_with(read_next, READS, {"'Tensor' object is not callable": MATRIX}, parts=("context", "key", "value"))
def check_read_on(read_on):
    """a new token has its own position, reads all that is kept and itself, and is kept for those that follow."""
    matrices = torch.randn(6, 4), torch.randn(6, 4), torch.randn(6, 8)
    for num_new, num_past in ((2, 3), (5, 0)):
        _, *past = read_next(torch.randn(num_past, 6), torch.zeros(0, 4), torch.zeros(0, 8), *matrices)
        doing = f"read_on for {num_new} new tokens and {num_past} kept"
        yield doing, (torch.randn(num_new, 6), *past, *matrices)
