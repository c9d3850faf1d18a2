"""Checks of the exercises in notebook 16 (fast attention): softmax in one pass, tiles, and a cache that is read on."""

import weakref

import torch

from companion.checks.compared import compared_with
from companion.checks.feedback import expect
from companion.slips import slip, slips
from utils.attention import attention, causal_mask
from utils.positions import rotate

KEEPS_ALL = "what comes is kept until the row is whole: use each part as it comes, and keep three things only"
TWICE = "the keys are read a second time, but they come only once: find the largest score on the way"
FEW = 6  # parts that may be alive when the next are asked for: the first two, the last two, and the largest score


class Once:
    """Hands out a row's parts one by one and once only, and refuses an answer that keeps them or asks again."""

    def __init__(self, *parts):
        self.parts, self.references, self.over = zip(*parts), [], False

    def __iter__(self):
        return self

    def __next__(self):
        expect(not self.over, TWICE)
        self.references = [part for part in self.references if part() is not None]
        expect(len(self.references) <= FEW, KEEPS_ALL)
        parts = tuple(part.clone() for part in next(self.parts, ()))
        self.references += map(weakref.ref, parts)
        self.over = not parts
        if self.over:
            raise StopIteration
        return parts


def with_tile(largest, total, context, scores, value):
    """Return largest score, sum and context once a tile of scores (queries, tile) and value (tile, d_v) is added."""
    larger = torch.maximum(largest, scores.amax(dim=-1, keepdim=True))
    factor, weights = (largest - larger).exp(), (scores - larger).exp()
    total, context = total * factor + weights.sum(dim=-1, keepdim=True), context * factor + weights @ value
    return larger, total, context


def passing(tiles):
    """Return the context of tiles of scores and value."""
    largest, total, context = torch.tensor(-torch.inf), torch.tensor(0.0), torch.tensor(0.0)
    for scores, value in tiles:
        largest, total, context = with_tile(largest, total, context, scores, value)
    return context / total


LARGER = "torch.maximum(largest, scores.amax(dim=-1, keepdim=True))"
ONE_FOR_ALL = {"scores.amax(dim=-1, keepdim=True)": "scores.max()"}
MEETS_LARGER = "when a larger score comes: multiply it by exp(old largest - new largest)"
NOT_RESCALED = {  # {message: what stands instead when a tile is added}
    f"the sum is not rescaled {MEETS_LARGER}": {"total * factor": "total"},
    f"the context is not rescaled {MEETS_LARGER}": {"context * factor": "context"},
    "neither the sum nor the context is rescaled when a larger score comes": {"(largest - larger).exp()": "1.0"},
}
SUBTRACT = "large scores give nan: exp overflows unless the largest score so far is subtracted first"
FIRST_LARGEST = "largest.where(largest.isfinite(), scores.amax(dim=-1, keepdim=True))"


def passing_with(replacements):
    """Return a pass in which a tile is added in a wrong way."""
    return slip(passing, {"with_tile": slip(with_tile, replacements)})


PASSES = {  # {message: wrong pass, or what it has instead}; what shows in the fewest cases comes first
    "much larger scores give nan: a larger score may come later": passing_with({LARGER: FIRST_LARGEST}),
    "scores far below 0 give nan: the largest score starts at 0; start at -inf": {"-torch.inf": "0.0"},
    SUBTRACT: passing_with({"(largest - larger).exp()": "1.0", "(scores - larger)": "scores"}),
    **{message: passing_with(replacements) for message, replacements in NOT_RESCALED.items()},
    "the division by the sum is missing at the end": {" / total": ""},
}
WRONG_PASSES = {message: {"passing": wrong} for message, wrong in slips(passing, PASSES).items()}
ADDS = {  # {message: what a wrong add_tile has instead}
    "one largest score serves all queries, and each needs its own: scores.amax(dim=-1, keepdim=True)": ONE_FOR_ALL,
    **NOT_RESCALED,
    "the factor is upside down: it is exp(old largest - new largest)": {"largest - larger": "larger - largest"},
    "the context is divided already: division comes once only, after the last tile": {
        "return larger, total, context": "return larger, total, context / total"
    },
}


def context_by_row(pairs):
    """Return one query's context from pairs of a score and a value: the course's own `online_softmax`."""
    return passing((score[None, None], row[None]) for score, row in pairs)[0]


ROWS = WRONG_PASSES | {KEEPS_ALL: {"in pairs": "in [*pairs]"}}  # {message: what a wrong online_softmax has instead}


def _read_once(answer, scores, value):
    return answer(Once(scores, value))


@compared_with(context_by_row, ROWS, measure=_read_once)
def check_online_softmax(online_softmax):
    """one pass, three things kept, and the same context as from the whole row."""
    scores, value = torch.tensor([0.5, 2.0, -1.0, 3.0, 1.0, 0.0, -2.0, 3.5]), torch.randn(8, 3)
    yield "online_softmax for large scores", (scores + 200, value)
    yield "online_softmax for scores far below 0", (scores - 200, value)
    yield "online_softmax for values of 7 numbers", (3 * torch.randn(64), torch.randn(64, 7))
    yield "online_softmax for scores far apart", (torch.tensor([0.0, 150.0, -150.0, 300.0]), torch.randn(4, 3))


STOPS = {  # {what an error says: its cause}
    "must match the size of tensor": "each query has its own largest score, in a column, (queries, 1): keepdim=True",
    "maximum(): argument": "max along an axis gives values and places; amax gives the values alone",
}


@compared_with(with_tile, ADDS, STOPS, parts=("largest score", "sum", "context"))
def check_add_tile(add_tile):
    """each query has its own largest score, and what was kept is measured by it before the tile's part is added."""
    value, nothing = torch.randn(3, 5), (torch.full((2, 1), -torch.inf), torch.zeros(2, 1), torch.zeros(2, 5))
    scores = torch.tensor([[1.0, 2, 0.5], [3, 1, 0]])
    state = with_tile(*nothing, scores, torch.randn(3, 5))
    yield "add_tile for a first tile", (*nothing, scores, value)
    yield "add_tile for scores far apart", (*state, torch.tensor([[150.0, -150, 0], [-150, -200, -99]]), value)
    yield "add_tile for a tile in the future", (*state, torch.full((2, 3), -torch.inf), value)


def by_tiles(query, tiles, position):
    """Return the causal context of queries from `position` on, tile by tile: the course's own `tiled`."""

    def measured(start=0):
        rows = position + torch.arange(len(query))[:, None]
        for key, value in tiles:
            keys = start + torch.arange(len(key))
            scores = query @ key.T / query.shape[-1] ** 0.5
            yield scores.masked_fill(keys > rows, -torch.inf), value
            start += len(key)

    return passing(measured())


OWN_SOFTMAX = {
    "(largest - larger).exp()": "1.0",
    "(scores - larger).exp()": "scores.softmax(dim=-1).nan_to_num()",
    "total * factor + weights.sum(dim=-1, keepdim=True)": "torch.tensor(1.0)",
}
TILES = {  # {message: what a wrong tiled has instead}
    "queries with low scores get nan: one largest score serves all queries, and each needs its own": {
        "passing": passing_with(ONE_FOR_ALL)
    },
    **WRONG_PASSES,
    "the future is not hidden": {"keys > rows": "keys < 0"},
    "the queries' positions begin at 0: the first query is at `position`": {"position + ": ""},
    "hidden scores are 0, and exp(0) is 1: use -inf": {"-torch.inf": "0.0"},
    "the scale is missing: divide by the root of the head size": {" / query.shape[-1] ** 0.5": ""},
    "each tile has a softmax of its own, so its weights are shares of the tile, not of the row": {
        "passing": passing_with(OWN_SOFTMAX)
    },
    KEEPS_ALL: {"in tiles": "in list(tiles)"},
}


def _read_tiles_once(answer, query, key, value, tile, position):
    return answer(query, Once(key.split(tile), value.split(tile)), position)


@compared_with(by_tiles, TILES, atol=1e-4, measure=_read_tiles_once)
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


def read_next(inputs, past_key, past_value, W_query, W_key, W_value):
    """Let new tokens read those before them and themselves: the course's own `read_on`."""
    num_past, positions = len(past_key), len(past_key) + torch.arange(len(inputs))
    query, new_key = rotate(inputs @ W_query, positions), rotate(inputs @ W_key, positions)
    key, value = torch.cat([past_key, new_key]), torch.cat([past_value, inputs @ W_value])
    return attention(query, key, value, causal_mask(len(inputs), num_past))[0], key, value


READS = {  # {message: what a wrong read_on has instead}
    "the new tokens' positions begin at 0 again, not after the kept keys": {"len(past_key) + ": ""},
    "the new key is not turned": {"rotate(inputs @ W_key, positions)": "inputs @ W_key"},
    "the new query is not turned": {"rotate(inputs @ W_query, positions)": "inputs @ W_query"},
    "the kept keys are turned a second time": {"[past_key": "[rotate(past_key)"},
    "the mask begins in the upper left corner": {"num_past))": "num_past).tril())"},
    "a new token sees those that come after it: it may see itself last": {"causal_mask(len(inputs), num_past)": "None"},
    "only what is new is returned; the next token needs all keys and values": {
        "[0], key, value": "[0], new_key, inputs @ W_value"
    },
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
