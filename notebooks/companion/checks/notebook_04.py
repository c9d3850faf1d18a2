"""Checks of the exercises in notebook 04 (attention scores)."""

import torch

from companion.checks.exercise import exercise
from companion.checks.feedback import close, expect, expect_tensor
from companion.checks.mistakes import ALL_AXES, EXCHANGED, TRANSPOSED, all_axes_turned, readings
from utils.attention import masked_softmax, project, scores

BATCH_MOVED = "transpose(0, 1) exchanges the batch and the tokens; transpose(-2, -1) only the last two axes"
FIXED = "divided by √24 whatever the matrices are; read d_k off them"
UNTRANSPOSED = "W_query @ W_key lets d_k meet d_model: transpose W_key, so that d_k meets d_k"


def from_inputs(inputs, W_query, W_key):
    """The course's own answer to exercise 1: the scaled scores (..., queries, keys) of (..., tokens, d_model)."""
    query, key, _ = project(inputs, W_query, W_key, W_key)
    return scores(query, key)


def merged(W_query, W_key):
    """The course's own answer to exercise 2: M (d_model, d_model); inputs @ M @ inputs.T are the scaled scores."""
    return scores(W_query, W_key)  # the features ask, as if they were tokens


@exercise
def check_scores_from_inputs(scores_from_inputs):
    """row i holds query i's scores, scaled by the square root of the head size."""
    inputs, W_query, W_key = torch.randn(6, 9), torch.randn(9, 9), torch.randn(9, 9)
    query, key, _ = project(inputs, W_query, W_key, W_key)
    right = scores(query, key)
    mistakes = {
        f"{EXCHANGED}; and the scale is missing": 9**0.5 * right.T,
        "these are weights already: no softmax yet": masked_softmax(right),
        TRANSPOSED: scores(inputs @ W_query.T, inputs @ W_key.T),
        "the inputs meet themselves: first make queries and keys, with the two matrices": scores(inputs, inputs),
        FIXED: (9 / 24) ** 0.5 * right,
        "the same matrix makes query and key; each has its own": scores(query, query),
        "the same matrix makes query and key; each has its own (W_key makes the keys alone)": scores(key, key),
    } | _wrong_scores(query, key)
    expect_tensor(scores_from_inputs(inputs, W_query, W_key), right, "scores_from_inputs with 6 tokens", mistakes)
    inputs, W_query, W_key = torch.randn(4, 4, 4), torch.randn(4, 4), torch.randn(4, 4)
    query, key, _ = project(inputs, W_query, W_key, W_key)
    mistakes = {ALL_AXES: all_axes_turned(query, key), BATCH_MOVED: query @ key.transpose(0, 1) / 2}
    given = scores_from_inputs(inputs, W_query, W_key)
    expect_tensor(given, scores(query, key), "scores_from_inputs on a batch (4, 4, 4)", mistakes)
    inputs, W_query, W_key = torch.randn(2, 4, 5), torch.randn(5, 9), torch.randn(5, 9)
    query, key, _ = project(inputs, W_query, W_key, W_key)
    given, mistakes = scores_from_inputs(inputs, W_query, W_key), _wrong_scores(query, key, d_model=5)
    expect_tensor(given, scores(query, key), "scores_from_inputs on a batch (2, 4, 5)", mistakes)


def _wrong_scores(query, key, d_model=None):
    found = readings(query, key, key, d_model)
    return {message: scores(query, key) for message, (query, key, _) in found.items()}


@exercise
def check_merge(merge):
    """one matrix stands for two, and the scores need neither query nor key."""
    W_query, W_key = torch.randn(4, 4), torch.randn(4, 4)  # only square matrices let W_query @ W_key pass
    given = merge(W_query, W_key)
    for scale in (1, 2, 4):
        untransposed = isinstance(given, torch.Tensor) and close(given, W_query @ W_key / scale)
        expect(not untransposed, UNTRANSPOSED)
    for d_model, d_k in ((7, 3), (4, 9)):
        W_query, W_key = torch.randn(d_model, d_k), torch.randn(d_model, d_k)
        doing, given = f"merge with two matrices ({d_model}, {d_k})", merge(W_query, W_key)
        shape = tuple(given.shape) if isinstance(given, torch.Tensor) else None
        summed = f"{doing} gives shape {shape}: your product sums over the features"
        expect(shape != (d_k, d_k), f"{summed}, which must meet the inputs; d_k is what the sum removes")
        by_number = f"{doing} gives shape {shape}: * multiplies number by number; take the product @"
        expect(shape != (d_model, d_k), by_number)
        expect_tensor(given, merged(W_query, W_key), doing, _wrong_merges(W_query, W_key))


def _wrong_merges(W_query, W_key):
    (d_model, d_k), product = W_query.shape, W_query @ W_key.T
    turned = "the matrix is turned round: its left side meets the one who asks, so W_query comes first"
    return {
        turned: product.T / d_k**0.5,
        f"{turned}; and the scale is missing": product.T,
        "the scale is missing: divide by the square root of d_k": product,
        "multiplied by the root of d_k where it should be divided": product * d_k**0.5,
        "divided by d_k: it is scaled twice, or without the root": product / d_k,
        "divided by the root of d_model, the inputs' size; take the root of d_k": product / d_model**0.5,
        "divided by d_model, the inputs' size; take the root of d_k": product / d_model,
        FIXED: product / 24**0.5,
        "softmax needs the scores of inputs: M comes before them": masked_softmax(product / d_k**0.5),
        "softmax needs the scores of inputs, and the scale is missing": masked_softmax(product),
    }
