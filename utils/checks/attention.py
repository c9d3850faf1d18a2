"""Checks of the exercises in notebook 06 (context vectors)."""

import torch

from utils.attention import attention, masked_softmax, scores
from utils.checks.feedback import exercise, expect, expect_tensor


@exercise
def check_mix(mix):
    """each context vector is its row's weighted average of the values."""
    weights, value = masked_softmax(torch.randn(4, 4)), torch.randn(4, 4)
    mistakes = {
        "the weights are turned round: row i of the weights makes context i": weights.T @ value,
        "the values are turned round: each token's value is a row": weights @ value.T,
        "every token has the same context, the sum of all: use its own row of weights": (weights @ value)
        .sum(0)
        .expand(4, 4),
        "the weights are rounded; what is rounded for display must not be used": (weights * 10).round() / 10 @ value,
        "each value is weighted by one number only: sum over the keys": weights * value,
    }
    expect_tensor(mix(weights.clone(), value.clone()), weights @ value, "mix with 4 queries and 4 keys", mistakes)
    weights, value = masked_softmax(torch.randn(3, 5)), torch.randn(5, 2)
    expect_tensor(mix(weights, value), weights @ value, "mix with 3 queries, 5 keys and values of size 2")


@exercise
def check_attention(answer):
    """the same as PyTorch's, with every kind of mask."""
    query, key, value = torch.randn(3, 4, 8), torch.randn(3, 5, 8), torch.randn(3, 5, 6)
    pair = answer(query.clone(), key[:, :1].clone(), value[:, :1].clone())
    expect(isinstance(pair, tuple) and len(pair) == 2, "attention returns two things: (context, weights)")
    doing = "the context with a single key (its weight is 1, so only the values matter)"
    expect_tensor(pair[0], value[:, :1].expand(3, 4, 6), doing)
    _check_attention_weights(answer)
    context, weights = answer(query.clone(), key.clone(), value.clone())
    right = attention(query, key, value)
    expect_tensor(weights, right[1], "the weights of a batch of 3, with 4 queries and 5 keys")
    expect_tensor(context, right[0], "the context of a batch of 3, with 4 queries and 5 keys")
    _check_attention_mask(answer)


def _check_attention_weights(answer):
    query, key, value = torch.randn(5, 8), torch.randn(5, 8), torch.randn(5, 8)
    right = scores(query, key)
    mistakes = {
        "query and key are swapped: the rows still sum to 1, but row i is key i's view": masked_softmax(right.T),
        "the scale is missing: divide the scores by sqrt(d_k)": masked_softmax(right * 8**0.5),
        "multiplied by sqrt(d_k) where it should be divided": masked_softmax(right * 8),
        "divided by d_k itself; take its square root": masked_softmax(right / 8**0.5),
        "each column sums to 1, not each row: softmax runs over the keys, the last axis": torch.softmax(right, 0),
        "the weights are rounded; what is rounded for display must not be used": (masked_softmax(right) * 10).round()
        / 10,
        "these are the scores; the weights come after softmax": right,
    }
    context, weights = answer(query.clone(), key.clone(), value.clone())
    expect_tensor(weights, masked_softmax(right), "the weights of 5 queries and 5 keys", mistakes)
    mistakes = {
        "key and value are swapped: the weights must average the values": masked_softmax(right) @ key,
        "the context comes from the queries: the weights must average the values": masked_softmax(right) @ query,
        "the weights are turned round: row i of the weights makes context i": masked_softmax(right).T @ value,
    }
    expect_tensor(context, masked_softmax(right) @ value, "the context of 5 queries and 5 keys", mistakes)


def _check_attention_mask(answer):
    query, key, value = torch.randn(4, 8), torch.randn(4, 8), torch.randn(4, 6)
    mask = torch.tensor([[1, 1, 0, 0], [1, 1, 1, 0], [0, 1, 1, 1], [1, 0, 0, 1]]) == 1
    right, plain = masked_softmax(scores(query, key), mask), masked_softmax(scores(query, key))
    mistakes = {
        "the mask has no effect": plain,
        "the mask is turned round: True means 'may attend'": masked_softmax(scores(query, key), ~mask),
        "the mask comes after softmax, so the rows no longer sum to 1: set the scores to -inf before": plain * mask,
        "masked scores are 0, and exp(0) is 1: use -inf": masked_softmax(scores(query, key) * mask),
    }
    given = answer(query.clone(), key.clone(), value.clone(), mask.clone())
    expect_tensor(given[1], right, "the weights with a mask", mistakes)
    expect_tensor(given[0], right @ value, "the context with a mask")
    mask[2] = False
    context, weights = answer(query.clone(), key.clone(), value.clone(), mask.clone())
    message = "a query that may attend to nothing gives nan (0/0); give it zeros, as PyTorch does"
    expect(not weights.isnan().any() and not context.isnan().any(), message)
    expect_tensor(weights, masked_softmax(scores(query, key), mask), "the weights when one query may attend to nothing")
