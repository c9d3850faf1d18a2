"""Checks of the exercises in notebook 04 (attention scores)."""

import torch

from utils.attention import masked_softmax, project, scores
from utils.checks.feedback import (
    ALL_AXES,
    BY_INPUTS,
    exercise,
    expect_tensor,
)


@exercise
def check_scores_from_inputs(scores_from_inputs):
    """row i holds query i's scores, scaled by the square root of the head size."""
    inputs, W_query, W_key = torch.randn(6, 9), torch.randn(9, 9), torch.randn(9, 9)
    query, key, _ = project(inputs, W_query, W_key, W_key)
    right, transposed = scores(query, key), scores(inputs @ W_query.T, inputs @ W_key.T)
    mistakes = {
        "query and key are swapped: row i must hold query i's scores, so write query @ key.T": right.T,
        "query and key are swapped, and the scale is missing": 9**0.5 * right.T,
        "the scale is missing: divide by the square root of the head size": right * 3,
        "multiplied by sqrt(d_k) where it should be divided": right * 9,
        "divided by d_k itself; take its square root": right / 3,
        "divided by the root of the number of tokens; take the size of query and key": right * 3 / 6**0.5,
        "these are weights already: no softmax yet": masked_softmax(right),
        "the matrices are transposed, which square ones hide; they are (d_model, d_k)": transposed,
    }
    expect_tensor(scores_from_inputs(inputs, W_query, W_key), right, "scores_from_inputs with 6 tokens", mistakes)
    inputs, W_query, W_key = torch.randn(4, 4, 4), torch.randn(4, 4), torch.randn(4, 4)
    query, key, _ = project(inputs, W_query, W_key, W_key)
    mistakes = {ALL_AXES: query @ key.permute(2, 1, 0) / 2}
    given = scores_from_inputs(inputs, W_query, W_key)
    expect_tensor(given, scores(query, key), "scores_from_inputs on a batch (4, 4, 4)", mistakes)
    inputs, W_query, W_key = torch.randn(2, 4, 5), torch.randn(5, 9), torch.randn(5, 9)
    query, key, _ = project(inputs, W_query, W_key, W_key)
    right, given = scores(query, key), scores_from_inputs(inputs, W_query, W_key)
    mistakes = {BY_INPUTS: right * (9 / 5) ** 0.5}
    expect_tensor(given, right, "scores_from_inputs on a batch (2, 4, 5)", mistakes)


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
