"""Right and wrong answers to the exercises in notebook 15 (fast attention): online softmax, one row and in tiles."""

import math

import torch
from torch.nn import functional as F

from utils.attention import attention, causal_mask
from utils.checks.notebook_15 import by_row, by_tiles, check_online_softmax, check_tiled
from utils.fast import tiled_attention

INF = torch.tensor(math.inf)


def online(
    start=-INF,
    shrink=lambda old, new: (old - new).exp(),
    weigh=lambda score, old, new: (score - new).exp(),
    total=lambda total, shrink, weight: total * shrink + weight,
    context=lambda context, shrink, weight, row: context * shrink + weight * row,
    finish=lambda context, total: context / total,
):
    """Compose the pass over one row from its steps, any of which may be a wrong one."""

    def online_softmax(scores, value):
        old, sums, kept = start if start is not None else scores[0], torch.tensor(0.0), torch.zeros(value.shape[-1])
        for score, row in zip(scores, value):
            new = torch.maximum(old, score)
            factor, weight = shrink(old, new), weigh(score, old, new)
            sums, kept, old = total(sums, factor, weight), context(kept, factor, weight, row), new
        return finish(kept, sums)

    return online_softmax


def in_numbers(scores, value):
    """Keep plain Python numbers, and branch where the largest score moves."""
    largest, total, context = -math.inf, 0.0, [0.0] * value.shape[-1]
    for score, row in zip(scores.tolist(), value.tolist()):
        if score > largest:
            factor = math.exp(largest - score)
            total, context, largest = total * factor, [each * factor for each in context], score
        weight = math.exp(score - largest)
        total, context = total + weight, [each + weight * number for each, number in zip(context, row)]
    return torch.tensor(context) / total


def average_so_far(scores, value):
    """Keep the finished context at every step, and mix the new value in by its share."""
    largest, total, context = scores[0], torch.tensor(1.0), value[0]
    for score, row in zip(scores[1:], value[1:]):
        larger = torch.maximum(largest, score)
        total, weight = total * torch.exp(largest - larger), torch.exp(score - larger)
        total, largest = total + weight, larger
        context = context + (row - context) * weight / total
    return context


def by_logarithm(scores, value):
    """Keep the logarithm of the sum alone, in place of the largest score and the sum."""
    log_total, context = -INF, torch.zeros_like(value[0])
    for score, row in zip(scores, value):
        old, log_total = log_total, torch.logaddexp(log_total, score)
        context = context * torch.exp(old - log_total) + torch.exp(score - log_total) * row
    return context


def in_tiles(
    start=-math.inf,
    scores=lambda query, key: query @ key.T / query.shape[-1] ** 0.5,
    future=lambda keys, places: keys > places,
    hidden=-math.inf,
    larger=torch.maximum,
    shrink=lambda old, new: (old - new).exp(),
    weigh=lambda measured, old, new: (measured - new).exp(),
    total=lambda total, shrink, weights: total * shrink + weights.sum(dim=-1, keepdim=True),
    context=lambda context, shrink, weights, value: context * shrink + weights @ value,
    starts=lambda number, tile: range(0, number, tile),
    finish=lambda context, total: context / total,
):
    """Compose the pass over the tiles from its steps, any of which may be a wrong one."""

    def tiled(query, key, value, tile):
        number, places = len(key), torch.arange(len(query))[:, None]
        old = torch.full((len(query), 1), start)
        sums, kept = torch.zeros(len(query), 1), torch.zeros(len(query), value.shape[-1])
        for first in starts(number, tile):
            some = slice(first, min(first + tile, number))
            measured = scores(query, key[some])
            where = torch.arange(first, some.stop)
            measured = measured.masked_fill(future(where, places), hidden)
            new = larger(old, measured.amax(dim=-1, keepdim=True))
            factor, weights = shrink(old, new), weigh(measured, old, new)
            sums, kept, old = total(sums, factor, weights), context(kept, factor, weights, value[some]), new
        return finish(kept, sums)

    return tiled


def row_by_row(query, key, value, tile):
    """Let each query pass over its own past, which needs no mask."""
    rows = [by_row(key[: place + 1] @ row / math.sqrt(len(row)), value[: place + 1]) for place, row in enumerate(query)]
    return torch.stack(rows)


def anew_in_each_tile(query, key, value, tile):
    """Count the keys of each tile from 0."""
    return in_tiles(future=lambda keys, places: keys % tile > places)(query, key, value, tile)


def all_scores_first(query, key, value, tile):
    scores = query @ key.T / query.shape[-1] ** 0.5
    scores = scores.masked_fill(~causal_mask(len(query)), -math.inf)
    largest, total, context = scores.amax(dim=-1, keepdim=True), 0, 0
    for start in range(0, len(key), tile):
        weights = (scores[:, start : start + tile] - largest).exp()
        total, context = total + weights.sum(dim=-1, keepdim=True), context + weights @ value[start : start + tile]
    return context / total


RIGHT = {
    check_online_softmax: [by_row, online(), in_numbers, average_so_far, by_logarithm],
    check_tiled: [
        by_tiles,
        in_tiles(),
        row_by_row,
        in_tiles(shrink=lambda old, new: torch.where(old == new, 1.0, (old - new).exp())),
        in_tiles(scores=lambda query, key: torch.einsum("qd,kd->qk", query / query.shape[-1] ** 0.5, key)),
        in_tiles(starts=lambda number, tile: reversed(range(0, number, tile)), start=-1e30),
    ],
}
WRONG = {
    check_online_softmax: [
        (online(total=lambda total, shrink, weight: total + weight), "the sum is not rescaled when a larger score"),
        (
            online(context=lambda context, shrink, weight, row: context + weight * row),
            "the context is not rescaled when a larger score",
        ),
        (online(shrink=lambda old, new: 1.0), "neither the sum nor the context is rescaled"),
        (online(shrink=lambda old, new: (new - old).exp(), start=None), "the rescale is turned round"),
        (online(weigh=lambda score, old, new: (score - old).exp(), start=None), "the new weights are measured by"),
        (online(finish=lambda context, total: context), "the division by the sum is missing at the end"),
        (online(start=torch.tensor(0.0)), "scores far below 0 give nan: the largest score starts at 0"),
        (
            online(shrink=lambda old, new: 1.0, weigh=lambda score, old, new: score.exp()),
            "large scores give nan: exp overflows",
        ),
        (online(weigh=lambda score, old, new: torch.tensor(1.0), shrink=lambda *given: 1.0), "all keys weigh the same"),
        (online(total=lambda total, shrink, weight: weight), "online_softmax has the right shape, but is off"),
        (online(finish=lambda context, total: total), "online_softmax gives shape (), but (3,) was expected"),
        (lambda scores, value: torch.softmax(scores, 0) @ value, "softmax, or a finished attention, takes the whole"),
        (lambda scores, value: value[-1], "only the last key is left"),
        (lambda scores, value: None, "online_softmax gives None; did you forget `return`?"),
    ],
    check_tiled: [
        (
            in_tiles(total=lambda total, shrink, weights: total + weights.sum(dim=-1, keepdim=True)),
            "the sum is not rescaled when a larger score",
        ),
        (
            in_tiles(context=lambda context, shrink, weights, value: context + weights @ value),
            "the context is not rescaled when a larger score",
        ),
        (in_tiles(shrink=lambda old, new: 1.0), "neither the sum nor the context is rescaled"),
        (in_tiles(finish=lambda context, total: context), "the division by the sum is missing at the end"),
        (in_tiles(future=lambda keys, places: keys < 0), "the future is not hidden"),
        (anew_in_each_tile, "the keys' places begin anew in each tile"),
        (in_tiles(hidden=0.0), "hidden scores are 0, and exp(0) is 1: use -inf"),
        (in_tiles(scores=lambda query, key: query @ key.T), "the scale is missing"),
        (
            in_tiles(starts=lambda number, tile: range(0, number // tile * tile, tile)),
            "the last tile, which is smaller",
        ),
        (in_tiles(starts=lambda number, tile: [0]), "only the first tile is read"),
        (in_tiles(larger=lambda old, new: new), "a query that sees none of a tile's keys gets nan"),
        (in_tiles(future=lambda keys, places: keys >= places), "a token cannot see itself"),
        (in_tiles(start=0.0), "scores far below 0 give nan: the largest score starts at 0"),
        (
            in_tiles(weigh=lambda measured, old, new: measured.exp(), shrink=lambda old, new: 1.0),
            "large scores give nan: exp overflows",
        ),
        (
            lambda query, key, value, tile: F.scaled_dot_product_attention(query, key, value, is_causal=True),
            "softmax, or a finished attention, takes the whole",
        ),
        (lambda query, key, value, tile: attention(query, key, value, causal_mask(len(query)))[0], "softmax, or a"),
        (all_scores_first, "the scores of all keys come from one product"),
        (lambda query, key, value, tile: tiled_attention(query, key, value), "the future is not hidden"),
        (lambda query, key, value, tile: None, "tiled for 10 keys in tiles of 4 gives None; did you forget"),
    ],
}
