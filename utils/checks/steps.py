"""Checks of the exercises in notebooks 03 (projections), 04 (scores) and 05 (softmax)."""

import math

import torch

from utils.attention import masked_softmax, scores
from utils.checks.feedback import exercise, expect, expect_tensor


@exercise
def check_project_all(project_all):
    """one product gives every token's vector, one row a token."""
    inputs, matrix = torch.randn(5, 4), torch.randn(3, 4)
    mistakes = {"one column a token: tokens are rows in this course, so transpose the result": matrix @ inputs.T}
    expect_tensor(
        project_all(inputs.clone(), matrix.clone()),
        inputs @ matrix.T,
        "project_all with X (5, 4) and W (3, 4)",
        mistakes,
    )
    square, matrix = torch.randn(4, 4), torch.randn(4, 4)
    mistakes = {
        "W is not transposed, which a square W hides: W @ x for one token is x @ W.T": square @ matrix,
        "one column a token: tokens are rows in this course, so transpose the result": matrix @ square.T,
    }
    wanted = square @ matrix.T
    expect_tensor(project_all(square.clone(), matrix.clone()), wanted, "project_all with a square W (4, 4)", mistakes)


@exercise
def check_linear(linear):
    """the same numbers as nn.Linear, bias included."""
    inputs, weight, bias = torch.randn(4, 4), torch.randn(4, 4), torch.randn(4)
    mistakes = {
        "the bias is missing": inputs @ weight.T,
        "the weight is not transposed: nn.Linear stores (features out, features in)": inputs @ weight + bias,
        "the bias belongs to the features, not to the tokens: add it along the last axis": inputs @ weight.T
        + bias[:, None],
        "the bias is subtracted": inputs @ weight.T - bias,
    }
    wanted = inputs @ weight.T + bias
    expect_tensor(
        linear(inputs.clone(), weight.clone(), bias.clone()), wanted, "linear(inputs, weight, bias)", mistakes
    )
    inputs, weight, bias = torch.randn(2, 5, 4), torch.randn(3, 4), torch.randn(3)
    wanted = inputs @ weight.T + bias
    expect_tensor(linear(inputs, weight, bias), wanted, "linear on a batch (2, 5, 4), weight (3, 4)")


@exercise
def check_score_matrix(score_matrix):
    """row i holds query i's scores, scaled by the square root of the head size."""
    query, key = torch.randn(6, 9), torch.randn(6, 9)
    right = scores(query, key)
    mistakes = {
        "query and key are swapped: row i must hold query i's scores, so write query @ key.T": right.T,
        "query and key are swapped, and the scale is missing": 9**0.5 * right.T,
        "the scale is missing: divide by the square root of the head size": right * 3,
        "multiplied by sqrt(d_k) where it should be divided": right * 9,
        "divided by d_k itself; take its square root": right / 3,
        "divided by the root of the number of tokens; the head size is the last axis": right * 3 / 6**0.5,
        "these are weights already: no softmax yet": masked_softmax(right),
    }
    expect_tensor(score_matrix(query.clone(), key.clone()), right, "score_matrix with 6 queries and 6 keys", mistakes)
    query, key = torch.randn(4, 9), torch.randn(7, 9)
    expect_tensor(score_matrix(query, key), scores(query, key), "score_matrix with 4 queries and 7 keys")
    query, key = torch.randn(2, 4, 9), torch.randn(2, 7, 9)
    doing = "score_matrix on a batch (.T turns all axes round; .transpose(-2, -1) only the last two)"
    expect_tensor(score_matrix(query, key), scores(query, key), doing)


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
    given = additive_scores(query.clone(), key.clone(), vector.clone())
    expect_tensor(given, right, "additive_scores with 5 queries and 5 keys", mistakes)
    key = torch.randn(2, 3)
    wanted = scores(query, key, "additive", vector)
    expect_tensor(additive_scores(query, key, vector), wanted, "additive_scores with 5 queries and 2 keys")


@exercise
def check_softmax_rows(softmax_rows):
    """each row sums to 1, and large scores do not overflow."""
    sample = torch.randn(4, 4)
    right = masked_softmax(sample)
    mistakes = {
        "each column sums to 1, not each row: look at the axis of your sum": torch.softmax(sample, 0),
        "all numbers together sum to 1: sum along the last axis only": torch.softmax(sample.flatten(), 0).view(4, 4),
        "exp is missing; dividing by the sum alone keeps negative numbers": sample / sample.sum(-1, keepdim=True),
        "exp without the division: the rows do not sum to 1": sample.exp(),
        "the largest score is divided by, not subtracted": masked_softmax(sample / sample.amax(-1, keepdim=True)),
        "the weights are rounded; what is rounded for display must not be used": (right * 10).round() / 10,
    }
    expect_tensor(softmax_rows(sample.clone()), right, "softmax_rows on a (4, 4) matrix", mistakes)
    large = torch.tensor([[1000.0, 1001.0], [-1000.0, -1001.0]])
    given = softmax_rows(large.clone())
    message = "scores of 1000 give nan: exp overflows, or every exp is 0; subtract each row's own largest score first"
    expect(not given.isnan().any(), message)
    expect_tensor(given, masked_softmax(large), "softmax_rows on scores of 1000")
    batch = torch.randn(2, 3, 5)
    expect_tensor(softmax_rows(batch), masked_softmax(batch), "softmax_rows on a batch (2, 3, 5)")


@exercise
def check_spread(spread):
    """one token counts as 1, n equal ones as n, and zeros do no harm."""
    sample = masked_softmax(torch.randn(3, 4))
    entropy = -(sample * sample.log()).sum(-1)
    mistakes = {
        "this is the entropy; take exp of it to get a number of tokens": entropy,
        "this is the entropy in bits; take 2 to its power to get a number of tokens": entropy / math.log(2),
        "the sign is turned: entropy is minus the sum": (-entropy).exp(),
        "exp undoes the natural logarithm, not log2: use the same base twice": (entropy / math.log(2)).exp(),
    }
    expect_tensor(spread(sample.clone()), entropy.exp(), "spread of 3 rows of weights", mistakes)
    expect_tensor(spread(torch.full((1, 8), 1 / 8)), torch.tensor([8.0]), "spread over 8 equal weights")
    given = spread(torch.tensor([[1.0, 0.0, 0.0]]))
    expect(
        not given.isnan().any(),
        "a weight of 0 gives nan, because log(0) is -inf and 0 · -inf is nan; 0 · log 0 counts as 0",
    )
    expect_tensor(given, torch.tensor([1.0]), "spread of a row with all its weight on one token")
