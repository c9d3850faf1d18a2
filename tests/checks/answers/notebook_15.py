"""Right and wrong answers to the exercises in notebook 15 (fast attention): online softmax, one row and in tiles."""

import math

import torch

from companion.checks.notebook_15 import by_row, by_tiles, check_online_softmax, check_tiled
from utils.attention import attention, causal_mask

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

    def online_softmax(pairs):
        old, sums, kept = start, torch.tensor(0.0), 0
        for score, row in pairs:
            old = score if old is None else old
            new = torch.maximum(old, score)
            factor, weight = shrink(old, new), weigh(score, old, new)
            sums, kept, old = total(sums, factor, weight), context(kept, factor, weight, row), new
        return finish(kept, sums)

    return online_softmax


def in_numbers(pairs):
    """Keep plain Python numbers, and branch where the largest score moves."""
    largest, total, context = -math.inf, 0.0, None
    for score, row in pairs:
        score, row = score.item(), row.tolist()
        context = context or [0.0] * len(row)
        if score > largest:
            factor = math.exp(largest - score)
            total, context, largest = total * factor, [each * factor for each in context], score
        weight = math.exp(score - largest)
        total, context = total + weight, [each + weight * number for each, number in zip(context, row)]
    return torch.tensor(context) / total


def average_so_far(pairs):
    """Keep the finished context at every step, and mix the new value in by its share."""
    largest, context = next(pairs)
    total = torch.tensor(1.0)
    for score, row in pairs:
        larger = torch.maximum(largest, score)
        total, weight = total * torch.exp(largest - larger), torch.exp(score - larger)
        total, largest = total + weight, larger
        context = context + (row - context) * weight / total
    return context


def by_logarithm(pairs):
    """Keep the logarithm of the sum alone, in place of the largest score and the sum."""
    log_total, context = -INF, 0
    for score, row in pairs:
        old, log_total = log_total, torch.logaddexp(log_total, score)
        context = context * torch.exp(old - log_total) + torch.exp(score - log_total) * row
    return context


def whole_row(pairs):
    scores, value = map(torch.stack, zip(*pairs))
    return torch.softmax(scores, dim=0) @ value


def largest_first(pairs):
    """Keep the row, and then subtract its largest score."""
    pairs = list(pairs)
    largest = max(score for score, _ in pairs)
    weights = [(score - largest).exp() for score, _ in pairs]
    return sum(weight * row for weight, (_, row) in zip(weights, pairs)) / sum(weights)


def read_twice(pairs):
    largest = max(score for score, _ in pairs)
    weighted = [((score - largest).exp(), row) for score, row in pairs]
    return sum(weight * row for weight, row in weighted) / sum(weight for weight, _ in weighted)


def in_tiles(
    start=-math.inf,
    scores=lambda query, key: query @ key.T / query.shape[-1] ** 0.5,
    first=lambda place: place,
    future=lambda keys, places: keys > places,
    hidden=-math.inf,
    highest=lambda measured: measured.amax(dim=-1, keepdim=True),
    larger=torch.maximum,
    shrink=lambda old, new: (old - new).exp(),
    weigh=lambda measured, old, new: (measured - new).exp(),
    total=lambda total, shrink, weights: total * shrink + weights.sum(dim=-1, keepdim=True),
    context=lambda context, shrink, weights, value: context * shrink + weights @ value,
    step=lambda key: len(key),
    read=lambda tiles: tiles,
    finish=lambda context, total: context / total,
):
    """Compose the pass over the tiles from its steps, any of which may be a wrong one."""

    def tiled(query, tiles, place):
        places, start_of_tile = first(place) + torch.arange(len(query))[:, None], 0
        old, sums, kept = torch.full((len(query), 1), start), torch.zeros(len(query), 1), 0
        for key, value in read(tiles):
            measured = scores(query, key)
            where = start_of_tile + torch.arange(len(key))
            measured = measured.masked_fill(future(where, places), hidden)
            new = larger(old, highest(measured))
            factor, weights = shrink(old, new), weigh(measured, old, new)
            sums, kept, old = total(sums, factor, weights), context(kept, factor, weights, value), new
            start_of_tile += step(key)
        return finish(kept, sums)

    return tiled


def query_by_query(query, tiles, place):
    """Keep a list of three things for each query, and leave out the keys it may not see in place of hiding them."""
    kept, start = [(-INF, 0.0, 0.0) for _ in query], 0
    for key, value in tiles:
        for number, row in enumerate(query):
            seen, (largest, total, context) = max(0, place + number + 1 - start), kept[number]
            if seen:
                scores = key[:seen] @ row / math.sqrt(len(row))
                larger = torch.maximum(largest, scores.max())
                factor, weights = torch.exp(largest - larger), torch.exp(scores - larger)
                kept[number] = larger, total * factor + weights.sum(), context * factor + weights @ value[:seen]
        start += len(key)
    return torch.stack([context / total for _, total, context in kept])


def merged(query, tiles, place):
    """Finish each tile by a softmax, and mix it in by the share of its sum: what is kept are logarithms of sums."""
    rows, start, log_total, context = place + torch.arange(len(query))[:, None], 0, torch.tensor(-1e30), 0
    for key, value in tiles:
        scores = query @ key.T / query.shape[-1] ** 0.5
        scores = scores.masked_fill(start + torch.arange(len(key)) > rows, -1e30)
        larger = torch.logaddexp(log_total, scores.logsumexp(dim=-1, keepdim=True))
        share = (scores.logsumexp(dim=-1, keepdim=True) - larger).exp()
        context = context * (log_total - larger).exp() + share * (scores.softmax(dim=-1) @ value)
        log_total, start = larger, start + len(key)
    return context


def all_scores_first(query, tiles, place):
    key, value = map(torch.cat, zip(*tiles))
    return attention(query, key, value, causal_mask(len(key))[place : place + len(query)])[0]


def anew_for_each_tile(query, tiles, place):
    """Add up the contexts of tiles that each have a softmax of their own."""
    rows, start, context = place + torch.arange(len(query))[:, None], 0, 0
    for key, value in tiles:
        scores = query @ key.T / query.shape[-1] ** 0.5
        future = start + torch.arange(len(key)) > rows
        context = context + scores.masked_fill(future, -math.inf).softmax(dim=-1).nan_to_num() @ value
        start += len(key)
    return context


def full_tiles(tiles):
    return (parts for parts in tiles if len(parts[0]) in (1, 4, 5))


def from_the_end(tiles):
    return reversed(list(tiles))


RIGHT = {
    check_online_softmax: [by_row, online(), in_numbers, average_so_far, by_logarithm],
    check_tiled: [
        by_tiles,
        in_tiles(),
        query_by_query,
        merged,
        in_tiles(shrink=lambda old, new: torch.where(old == new, 1.0, (old - new).exp())),
        in_tiles(scores=lambda query, key: torch.einsum("qd,kd->qk", query / query.shape[-1] ** 0.5, key)),
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
        (whole_row, "what comes is kept until the row is whole"),
        (largest_first, "what comes is kept until the row is whole"),
        (read_twice, "the keys are read a second time"),
        (lambda pairs: [row for _, row in pairs][-1], "what comes is kept until the row is whole"),
        (
            online(context=lambda context, shrink, weight, row: row, finish=lambda context, total: context),
            "only the last",
        ),
        (lambda pairs: None, "online_softmax gives None; did you forget `return`?"),
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
        (in_tiles(step=lambda key: 0), "the keys' places begin anew in each tile"),
        (in_tiles(first=lambda place: 0), "the queries' places begin at 0"),
        (in_tiles(hidden=0.0), "hidden scores are 0, and exp(0) is 1: use -inf"),
        (in_tiles(scores=lambda query, key: query @ key.T), "the scale is missing"),
        (in_tiles(read=full_tiles), "the last tile, which is smaller"),
        (in_tiles(read=lambda tiles: [next(tiles)]), "only the first tile is read"),
        (in_tiles(highest=torch.max), "queries with low scores get nan: one largest score serves all"),
        (in_tiles(read=from_the_end), "what comes is kept until the row is whole"),
        (anew_for_each_tile, "each tile has a softmax of its own"),
        (in_tiles(larger=lambda old, new: new), "a query that sees none of a tile's keys gets nan"),
        (in_tiles(future=lambda keys, places: keys >= places), "a token cannot see itself"),
        (in_tiles(start=0.0), "scores far below 0 give nan: the largest score starts at 0"),
        (
            in_tiles(weigh=lambda measured, old, new: measured.exp(), shrink=lambda old, new: 1.0),
            "large scores give nan: exp overflows",
        ),
        (all_scores_first, "what comes is kept until the row is whole"),
        (lambda query, tiles, place: None, "tiled for 10 keys in tiles of 4 gives None; did you forget"),
    ],
}
