"""Checks of the exercises in notebook 06 (context vectors)."""

import torch

from utils.attention import masked_softmax, project, scores
from utils.checks.feedback import (
    ALL_AXES,
    BY_INPUTS,
    DECIMALS,
    LAST_AXIS,
    OVERFLOW,
    ROUNDED,
    calls,
    exercise,
    expect,
    expect_tensor,
)


@exercise
def check_read_weights(read_weights):
    """with the identity as value, the context is the weights."""
    query, key = torch.randn(5, 8), torch.randn(5, 8)
    right = masked_softmax(scores(query, key))
    mistakes = {
        "with ones as value each context is the sum of its weights: take the identity matrix": torch.ones(5, 5),
        "this is the context of the keys; give the identity matrix as value": right @ key,
        "this is the context of the queries; give the identity matrix as value": right @ query,
        "these are the scores; the weights come after softmax": scores(query, key),
        "query and key are swapped: row i must hold query i's weights": masked_softmax(scores(key, query)),
    }
    expect_tensor(read_weights(query, key), right, "read_weights with 5 queries and 5 keys", mistakes)
    for queries, keys in ((3, 6), (6, 3)):
        query, key = torch.randn(queries, 8), torch.randn(keys, 8)
        doing = f"read_weights with {queries} queries and {keys} keys (how many rows has the identity?)"
        expect_tensor(read_weights(query, key), masked_softmax(scores(query, key)), doing)
    query, key = torch.randn(2, 4, 8), torch.randn(2, 7, 8)
    expect_tensor(read_weights(query, key), masked_softmax(scores(query, key)), "read_weights on a batch of 2")
    message = "the weights are right, but F.scaled_dot_product_attention did not make them; call it with a clever value"
    expect("scaled_dot_product_attention" in calls(read_weights, query, key), message)


@exercise
def check_self_attention(self_attention):
    """the same as PyTorch's, from the inputs to the context, with every kind of mask."""
    _check_self_attention_weights(self_attention)
    _check_self_attention_batch(self_attention)
    _check_self_attention_mask(self_attention)


def _with_rounded(weights, value):
    return {
        f"the weights are rounded (decimals={decimals}); {ROUNDED}": weights.round(decimals=decimals) @ value
        for decimals in DECIMALS
    }


def _check_self_attention_weights(answer):
    given = torch.randn(5, 8), *torch.randn(3, 8, 8) / 2
    query, key, value = project(*given)
    right, from_value, by_tokens = scores(query, key), scores(query, value), query @ key.T / 5**0.5
    transposed = scores(given[0] @ given[1].T, given[0] @ given[2].T)
    pair = answer(*given)
    expect(pair is not None, "self_attention gives None; did you forget `return`?")
    expect(isinstance(pair, tuple | list) and len(pair) == 2, "self_attention returns two things: (context, weights)")
    mistakes = {
        "context and weights are swapped: return (context, weights)": masked_softmax(right) @ value,
        "query and key are swapped: the rows still sum to 1, but row i is key i's view": masked_softmax(right.T),
        "key and value are swapped: scores come from the keys, the context from the values": masked_softmax(from_value),
        "the scale is missing: divide the scores by sqrt(d_k)": masked_softmax(right * 8**0.5),
        "multiplied by sqrt(d_k) where it should be divided": masked_softmax(right * 8),
        "divided by d_k itself; take its square root": masked_softmax(right / 8**0.5),
        "divided by the root of the number of tokens; take the size of query and key": masked_softmax(by_tokens),
        "the matrices are transposed, which square ones hide; they are (d_model, d_k)": masked_softmax(transposed),
        "each column sums to 1, not each row: softmax runs over the keys, the last axis": torch.softmax(right, 0),
        "these are the scores; the weights come after softmax": right,
    }
    expect_tensor(pair[1], masked_softmax(right), "the weight matrix of 5 queries and 5 keys", mistakes)
    mistakes = {
        "key and value are swapped: the weights must average the values": masked_softmax(right) @ key,
        "the context comes from the queries: the weights must average the values": masked_softmax(right) @ query,
        "the weights are turned round: row i of the weights makes context i": masked_softmax(right).T @ value,
        **_with_rounded(masked_softmax(right), value),
    }
    expect_tensor(pair[0], masked_softmax(right) @ value, "the context of 5 queries and 5 keys", mistakes)
    context, weights = answer(100 * given[0], *given[1:])
    expect(not weights.isnan().any() and not context.isnan().any(), OVERFLOW)


def _check_self_attention_batch(answer):
    given = torch.randn(4, 4, 4), torch.randn(4, 4), torch.randn(4, 4), torch.randn(4, 6)
    query, key, value = project(*given)
    right, by_value = scores(query, key), query @ key.transpose(-2, -1) / 6**0.5
    mistakes = {
        ALL_AXES: masked_softmax(query @ key.permute(2, 1, 0) / 2),
        LAST_AXIS: torch.softmax(right, 1),
        "divided by the root of the value's size; take the size of query and key": masked_softmax(by_value),
    }
    context, weights = answer(*given)
    expect_tensor(weights, masked_softmax(right), "the weight matrix of a batch (4, 4, 4)", mistakes)
    expect_tensor(context, masked_softmax(right) @ value, "the context of a batch (4, 4, 4)")


def _check_self_attention_mask(answer):
    given = torch.randn(4, 5), torch.randn(5, 8) / 2, torch.randn(5, 8) / 2, torch.randn(5, 6)
    query, key, value = project(*given)
    mask = torch.tensor([[1, 1, 0, 0], [1, 1, 1, 0], [0, 1, 1, 1], [1, 0, 0, 1]]) == 1
    raw = scores(query, key)
    right, plain = masked_softmax(raw, mask), masked_softmax(raw)
    mistakes = {
        "the mask has no effect": plain,
        "the mask is turned round: True means 'may attend'": masked_softmax(raw, ~mask),
        "the mask comes after softmax, so the rows no longer sum to 1: set the scores to -inf before": plain * mask,
        "masked scores are 0, and exp(0) is 1: use -inf": masked_softmax(raw * mask),
        BY_INPUTS: masked_softmax(raw * (8 / 5) ** 0.5, mask),
    }
    context, weights = answer(*given, mask)
    expect_tensor(weights, right, "the weight matrix with a mask", mistakes)
    expect_tensor(context, right @ value, "the context with a mask")
    mask[2] = False
    right, finite = masked_softmax(raw, mask), masked_softmax(raw.masked_fill(~mask, -1e9))
    context, weights = answer(*given, mask)
    message = "a query that may attend to nothing gives nan (0/0); give it zeros, as PyTorch does"
    expect(not weights.isnan().any() and not context.isnan().any(), message)
    mistakes = {"a query that may attend to nothing gets equal weights; give it zeros, as PyTorch does": finite}
    expect_tensor(weights, right, "the weight matrix when one query may attend to nothing", mistakes)
    expect_tensor(context, right @ value, "the context when one query may attend to nothing")
