"""Right and wrong answers to the exercises in notebook 15 (fast attention)."""

import math

import torch
from torch.nn import functional as F
from torch.nn.attention.bias import causal_lower_right

from companion.checks.notebook_15 import (
    by_row,
    by_tiles,
    check_online_softmax,
    check_read_on,
    check_tiled,
    read_next,
)
from utils.attention import attention, causal_mask
from utils.positions import rotate

INF = torch.tensor(math.inf)


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


def from_here(pairs, largest, total, context):
    """Go on from what is known of the keys so far."""
    for score, row in pairs:
        larger = max(largest, score)
        factor, weight = (largest - larger).exp(), (score - larger).exp()
        total, context, largest = total * factor + weight, context * factor + weight * row, larger
    return context / total


def from_zero(pairs):
    return from_here(pairs, torch.tensor(0.0), 0, 0)


def never_the_largest(pairs):
    weighted = [(score.exp(), score.exp() * row) for score, row in pairs]
    return sum(row for _, row in weighted) / sum(weight for weight, _ in weighted)


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


def query_by_query(query, tiles, position):
    """Keep a list of three things for each query, and leave out the keys it may not see in place of hiding them."""
    kept, start = [(-INF, 0.0, 0.0) for _ in query], 0
    for key, value in tiles:
        for number, row in enumerate(query):
            seen, (largest, total, context) = max(0, position + number + 1 - start), kept[number]
            if seen:
                scores = key[:seen] @ row / math.sqrt(len(row))
                larger = torch.maximum(largest, scores.max())
                factor, weights = torch.exp(largest - larger), torch.exp(scores - larger)
                kept[number] = larger, total * factor + weights.sum(), context * factor + weights @ value[:seen]
        start += len(key)
    return torch.stack([context / total for _, total, context in kept])


def merged(query, tiles, position, joined=torch.logaddexp):
    """Finish each tile by a softmax, and mix it in by the share of its sum: what is kept are logarithms of sums."""
    rows, start, log_total, context = position + torch.arange(len(query))[:, None], 0, torch.tensor(-1e30), 0
    for key, value in tiles:
        scores = query @ key.T / query.shape[-1] ** 0.5
        scores = scores.masked_fill(start + torch.arange(len(key)) > rows, -1e30)
        larger = joined(log_total, scores.logsumexp(dim=-1, keepdim=True))
        share = (scores.logsumexp(dim=-1, keepdim=True) - larger).exp()
        context = context * (log_total - larger).exp() + share * (scores.softmax(dim=-1) @ value)
        log_total, start = larger, start + len(key)
    return context


def all_scores_first(query, tiles, position):
    key, value = map(torch.cat, zip(*tiles))
    return attention(query, key, value, causal_mask(len(key))[position : position + len(query)])[0]


def anew_for_each_tile(query, tiles, position):
    """Add up the contexts of tiles that each have a softmax of their own."""
    rows, start, context = position + torch.arange(len(query))[:, None], 0, 0
    for key, value in tiles:
        scores = query @ key.T / query.shape[-1] ** 0.5
        future = start + torch.arange(len(key)) > rows
        context = context + scores.masked_fill(future, -math.inf).softmax(dim=-1).nan_to_num() @ value
        start += len(key)
    return context


def one_by_one(inputs, past_key, past_value, *matrices):
    """Take the new tokens in turn: none needs a mask."""
    contexts = []
    for row in inputs:
        context, past_key, past_value = read_next(row[None], past_key, past_value, *matrices)
        contexts.append(context)
    return torch.cat(contexts), past_key, past_value


def by_pytorch(inputs, past_key, past_value, W_query, W_key, W_value):
    positions = torch.arange(len(past_key), len(past_key) + len(inputs))
    query, key = rotate(inputs @ W_query, positions), torch.cat([past_key, rotate(inputs @ W_key, positions)])
    value = torch.cat([past_value, inputs @ W_value])
    bias = causal_lower_right(len(query), len(key))
    context = F.scaled_dot_product_attention(query[None], key[None], value[None], attn_mask=bias)
    return context[0], key, value


def turned_again(inputs, past_key, past_value, W_query, W_key, W_value):
    key, value = torch.cat([past_key, inputs @ W_key]), torch.cat([past_value, inputs @ W_value])
    query = rotate(inputs @ W_query, len(past_key) + torch.arange(len(inputs)))
    return attention(query, rotate(key), value, causal_mask(len(inputs), len(past_key)))[0], rotate(key), value


def first_apart(pairs):
    """Begin with the first key outside the loop."""
    rest = iter(pairs)
    score, row = next(rest)
    return from_here(rest, score, 1, row)


def first_is_largest(pairs):
    rest = iter(pairs)
    offset, context = next(rest)
    total = 1
    for score, row in rest:
        weight = (score - offset).exp()
        total, context = total + weight, context + weight * row
    return context / total


RIGHT = {
    check_online_softmax: [first_apart, by_row, in_numbers, average_so_far, by_logarithm],
    check_tiled: [by_tiles, query_by_query, merged],
    check_read_on: [read_next, one_by_one, by_pytorch, lambda *given: list(read_next(*given))],
}
WRONG = {
    check_online_softmax: [
        (from_zero, "scores far below 0 give nan: the largest score starts at 0"),
        (whole_row, "what comes is kept until the row is whole"),
        (largest_first, "what comes is kept until the row is whole"),
        (never_the_largest, "large scores give nan: exp overflows"),
        (read_twice, "the keys are read a second time"),
        (first_is_largest, "much larger scores give nan"),
        (lambda pairs: by_row(pairs)[0], "online_softmax gives shape (), but (3,) was expected"),
        (lambda pairs: None, "online_softmax gives None; did you forget `return`?"),
    ],
    check_tiled: [
        (all_scores_first, "what comes is kept until the row is whole"),
        (anew_for_each_tile, "each tile has a softmax of its own"),
        (lambda query, tiles, position: by_tiles(query, tiles, 0), "the queries' positions begin at 0"),
        (lambda query, tiles, position: by_tiles(query, [next(tiles)], position), "only the first tile is read"),
        (lambda query, tiles, position: None, "tiled for 10 keys in tiles of 4 gives None; did you forget"),
    ],
    check_read_on: [
        (turned_again, "the kept keys are turned a second time"),
        (lambda *given: read_next(*given)[0], "read_on for 2 new tokens and 3 kept returns three things"),
        (lambda inputs, past_key, past_value, W_query, *others: W_query(inputs), "W_query, W_key and W_value are matr"),
        (lambda *given: None, "read_on for 2 new tokens and 3 kept gives None"),
    ],
}
