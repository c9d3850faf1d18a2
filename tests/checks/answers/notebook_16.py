"""Right and wrong answers to the exercises in notebook 16 (fast attention)."""

import math

import torch
from torch.nn import functional as F

from companion.checks.notebook_16 import check_add_tile, check_online_softmax, check_read_on, check_tiled, with_tile
from utils.positions import rotate


def by_logarithm(pairs):
    """Keep the logarithm of the sum alone, in place of the largest score and the sum."""
    log_total, context = torch.tensor(-math.inf), 0
    for score, row in pairs:
        old, log_total = log_total, torch.logaddexp(log_total, score)
        context = context * torch.exp(old - log_total) + torch.exp(score - log_total) * row
    return context


def read_twice(pairs):
    largest = max(score for score, _ in pairs)
    weighted = [((score - largest).exp(), row) for score, row in pairs]
    return sum(weight * row for weight, row in weighted) / sum(weight for weight, _ in weighted)


def by_hand(largest, total, context, scores, value, axis=True):
    """Add the keys of a tile one by one; without their own axis, the largest scores do not fit to the tile."""
    scores = scores if axis else scores - scores.amax(dim=-1)
    for column, row in zip(scores.T, value):
        larger = column[:, None].where(column[:, None] > largest, largest)
        weight = torch.exp(column[:, None] - larger)
        total, context = total * torch.exp(largest - larger) + weight, context * torch.exp(largest - larger)
        largest, context = larger, context + weight * row
    return largest, total, context


def merged(query, tiles, position, shared=True):
    """Finish each tile by a softmax, and mix it in by the share of its sum, or add it as it is if they do not share."""
    rows, start, log_total, context = position + torch.arange(len(query))[:, None], 0, torch.tensor(-1e30), 0
    for key, value in tiles:
        scores = query @ key.T / query.shape[-1] ** 0.5
        scores = scores.masked_fill(start + torch.arange(len(key)) > rows, -1e30 if shared else -math.inf)
        own = scores.logsumexp(dim=-1, keepdim=True)
        larger = torch.logaddexp(log_total, own)
        old, new = ((log_total - larger).exp(), (own - larger).exp()) if shared else (1, 1)
        context = context * old + new * (scores.softmax(dim=-1).nan_to_num() @ value)
        log_total, start = larger, start + len(key)
    return context


def by_pytorch(inputs, past_key, past_value, W_query, W_key, W_value, kept=None):
    positions = torch.arange(len(past_key), len(past_key) + len(inputs))
    query, key = rotate(inputs @ W_query, positions), torch.cat([past_key, rotate(inputs @ W_key, positions)])
    value = torch.cat([past_value, inputs @ W_value])
    past = torch.ones(len(query), len(key)).tril(len(past_key) if kept is None else kept).bool()
    return F.scaled_dot_product_attention(query, key, value, past), key, value


RIGHT = {
    check_online_softmax: [by_logarithm],
    check_add_tile: [by_hand],
    check_tiled: [merged],
    check_read_on: [by_pytorch],
}
WRONG = {
    check_online_softmax: [
        (read_twice, "the keys are read a second time"),
        (lambda pairs: by_logarithm(pairs) + torch.zeros(3), "your function stopped with RuntimeError: The size of te"),
    ],
    check_add_tile: [
        (
            lambda old, total, context, *tile: with_tile(old, total, context / total * total, *tile),
            "the context of add",
        ),
        (
            lambda *inputs: with_tile(*inputs[:3], inputs[3] - inputs[3].amax() + inputs[3].amax(), inputs[4]),
            "the largest",
        ),
        (lambda *inputs: by_hand(*inputs, axis=False), "each query has its own largest score, in a column"),
        (lambda old, *tile: torch.maximum(old, tile[2].max(-1)), "max along an axis gives values and places"),
    ],
    check_tiled: [(lambda *inputs: merged(*inputs, shared=False), "each tile has a softmax of its own")],
    check_read_on: [
        (lambda *inputs: by_pytorch(*inputs, kept=3), "the context of read_on for 5 new tokens and 0 kept"),
        (lambda inputs, past_key, past_value, W_query, *layers: W_query(inputs), "W_query, W_key and W_value are matr"),
    ],
}
