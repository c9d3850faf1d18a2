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


def by_hand(largest, total, context, scores, value):
    """Add the keys of a tile one by one."""
    for column, row in zip(scores.T, value):
        larger = column[:, None].where(column[:, None] > largest, largest)
        weight = torch.exp(column[:, None] - larger)
        total, context = total * torch.exp(largest - larger) + weight, context * torch.exp(largest - larger)
        largest, context = larger, context + weight * row
    return largest, total, context


def merged(query, tiles, position):
    """Finish each tile by a softmax, and mix it in by the share of its sum."""
    rows, start, log_total, context = position + torch.arange(len(query))[:, None], 0, torch.tensor(-1e30), 0
    for key, value in tiles:
        scores = query @ key.T / query.shape[-1] ** 0.5
        scores = scores.masked_fill(start + torch.arange(len(key)) > rows, -1e30)
        own = scores.logsumexp(dim=-1, keepdim=True)
        larger = torch.logaddexp(log_total, own)
        context = context * (log_total - larger).exp() + (own - larger).exp() * (scores.softmax(dim=-1) @ value)
        log_total, start = larger, start + len(key)
    return context


def by_pytorch(inputs, past_key, past_value, W_query, W_key, W_value):
    positions = torch.arange(len(past_key), len(past_key) + len(inputs))
    query, key = rotate(inputs @ W_query, positions), torch.cat([past_key, rotate(inputs @ W_key, positions)])
    value = torch.cat([past_value, inputs @ W_value])
    past = torch.ones(len(query), len(key)).tril(len(past_key)).bool()
    return F.scaled_dot_product_attention(query, key, value, past), key, value


RIGHT = {
    check_online_softmax: [by_logarithm],
    check_add_tile: [by_hand],
    check_tiled: [merged],
    check_read_on: [by_pytorch],
}
WRONG = {
    check_online_softmax: {
        "the keys are read a second time": {"torch.tensor(-math.inf)": "max(score for score, _ in pairs)"},
        "your function stopped with RuntimeError: The size": {"return context": "return context + torch.zeros(3)"},
    },
    check_add_tile: {
        "the context of add": {"for column": "context = context / total * total\n    for column"},
        "the largest": lambda *tile: with_tile(*tile[:3], tile[3] - tile[3].amax() + tile[3].amax(), tile[4]),
        "each query has its own largest score, in a column": {"scores.T": "(scores - scores.amax(dim=-1)).T"},
        "max along an axis gives values and places": {"scores.T": "torch.maximum(largest, scores.max(-1))"},
    },
    check_tiled: {
        "each tile has a softmax of its own": {
            "-1e30)\n        own": "-math.inf)\n        own",
            "context * (log_total - larger).exp() + (own - larger).exp() * (scores.softmax(dim=-1) @ value)": (
                "context + scores.softmax(dim=-1).nan_to_num() @ value"
            ),
        }
    },
    check_read_on: {
        "the context of read_on for 5 new tokens and 0 kept": {"tril(len(past_key))": "tril(3)"},
        "W_query, W_key and W_value are matr": {"inputs @ W_query": "W_query(inputs)"},
    },
}
