"""Checks of the exercises in notebook 04 (attention scores)."""

import torch

from utils.attention import masked_softmax, project, scores
from utils.checks.exercise import exercise
from utils.checks.feedback import expect_tensor
from utils.checks.mistakes import ALL_AXES, EXCHANGED, TRANSPOSED, all_axes_turned, readings


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
    } | _wrong_scores(query, key)
    expect_tensor(scores_from_inputs(inputs, W_query, W_key), right, "scores_from_inputs with 6 tokens", mistakes)
    inputs, W_query, W_key = torch.randn(4, 4, 4), torch.randn(4, 4), torch.randn(4, 4)
    query, key, _ = project(inputs, W_query, W_key, W_key)
    mistakes = {ALL_AXES: all_axes_turned(query, key)}
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
def check_additive_scores(additive_scores):
    """every query met every key, and tanh came before the vector."""
    query, key, vector = torch.randn(5, 3), torch.randn(5, 3), torch.randn(3)
    right = scores(query, key, "additive", vector)
    mistakes = {
        "tanh is missing; without it the score is a sum of two parts that never meet": (query[:, None] + key) @ vector,
        "the matrix is turned round: rows are queries, columns are keys": right.T,
        "query and key are multiplied; this score adds them": torch.tanh(query[:, None] * key) @ vector,
        "tanh comes last; it belongs inside, before the vector": torch.tanh((query[:, None] + key) @ vector),
    }
    given = additive_scores(query, key, vector)
    expect_tensor(given, right, "additive_scores with 5 queries and 5 keys", mistakes)
    query, key = torch.randn(4, 5, 3), torch.randn(4, 2, 3)
    wanted = scores(query, key, "additive", vector)
    expect_tensor(additive_scores(query, key, vector), wanted, "additive_scores on a batch of 4, 5 queries and 2 keys")
