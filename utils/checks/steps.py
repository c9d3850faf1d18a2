"""Checks of the exercises in notebooks 03 (projections), 04 (scores) and 05 (softmax)."""

import math

import torch

from utils.attention import masked_softmax, project, scores
from utils.checks.feedback import (
    ALL_AXES,
    BY_INPUTS,
    LAST_AXIS,
    OVERFLOW,
    PRODUCTS,
    calls,
    exercise,
    expect,
    expect_tensor,
)


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
        "one column a token: tokens are rows in this course, so transpose the result": (inputs @ weight.T + bias).T,
    }
    wanted = inputs @ weight.T + bias
    expect_tensor(linear(inputs, weight, bias), wanted, "linear(inputs, weight, bias)", mistakes)
    inputs, weight, bias = torch.randn(2, 5, 4), torch.randn(3, 4), torch.randn(3)
    wanted = inputs @ weight.T + bias
    expect_tensor(linear(inputs, weight, bias), wanted, "linear on a batch (2, 5, 4), weight (3, 4)")


@exercise
def check_project_at_once(project_at_once):
    """one product gave all three, cut at the right places."""
    inputs, W_query, W_key, W_value = torch.randn(5, 4), torch.randn(4, 3), torch.randn(4, 3), torch.randn(4, 7)
    given = project_at_once(inputs, W_query, W_key, W_value)
    expect(given is not None, "project_at_once gives None; did you forget `return`?")
    expect(
        isinstance(given, tuple | list) and len(given) == 3, "project_at_once returns three things: (query, key, value)"
    )
    query, key, value = project(inputs, W_query, W_key, W_value)
    mistakes = {
        "query and key are exchanged: join and cut in the same order": key,
        "query and value are exchanged: join and cut in the same order": value,
        "the product is cut in three equal parts; the value is wider": torch.cat([query, key, value], -1)[:, :5],
    }
    expect_tensor(given[0], query, "the query", mistakes)
    mistakes = {"key and value are exchanged: join and cut in the same order": value}
    expect_tensor(given[1], key, "the key", mistakes)
    mistakes = {"the value is cut short: it may be wider than the query and the key": value[:, :3]}
    expect_tensor(given[2], value, "the value", mistakes)
    inputs = torch.randn(2, 5, 4)
    wanted = project(inputs, W_query, W_key, W_value)
    for name, part, right in zip(("query", "key", "value"), project_at_once(inputs, W_query, W_key, W_value), wanted):
        expect_tensor(part, right, f"the {name} of a batch (2, 5, 4)")
    products = sum(name in PRODUCTS for name in calls(project_at_once, inputs, W_query, W_key, W_value))
    expect(products == 1, f"all three are right, but took {products} products; join the matrices and multiply once")


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


@exercise
def check_tempered_softmax(tempered_softmax):
    """each row sums to 1, the temperature divides, and large scores do not overflow."""
    sample = torch.randn(4, 4)
    right, largest = masked_softmax(sample), sample.amax(-1)
    shifted = (sample - largest).exp()
    mistakes = {
        "each column sums to 1, not each row: look at the axis of your sum": torch.softmax(sample, 0),
        "all numbers together sum to 1: sum along the last axis only": torch.softmax(sample.flatten(), 0).view(4, 4),
        "exp is missing; dividing by the sum alone keeps negative numbers": sample / sample.sum(-1, keepdim=True),
        "exp without the division: the rows do not sum to 1": sample.exp(),
        "the largest score is divided by, not subtracted": masked_softmax(sample / sample.amax(-1, keepdim=True)),
        "the row sums lack keepdim=True, so they run along the columns": sample.exp() / sample.exp().sum(-1),
        "the largest scores lack keepdim=True, so they run along the columns": masked_softmax(sample - largest),
        "the largest scores and the row sums lack keepdim=True, so they run along the columns": shifted
        / shifted.sum(-1),
    }
    expect_tensor(tempered_softmax(sample, 1.0), right, "tempered_softmax at temperature 1", mistakes)
    mistakes = {
        "the temperature has no effect": right,
        "the scores are multiplied by the temperature; divide them": masked_softmax(sample * 2),
        "the weights are divided by the temperature; divide the scores, before softmax": right / 2,
    }
    expect_tensor(tempered_softmax(sample, 2.0), masked_softmax(sample / 2), "tempered_softmax at 2", mistakes)
    large = torch.tensor([[1000.0, 980.0, 0.0], [-1000.0, -1020.0, -2000.0]])
    given = tempered_softmax(large, 1.0)
    expect(not given.isnan().any(), OVERFLOW)
    expect_tensor(given, masked_softmax(large), "tempered_softmax on scores of 1000")
    batch = torch.randn(2, 3, 5)
    mistakes = {LAST_AXIS: torch.softmax(batch, 1)}
    given = tempered_softmax(batch, 1.0)
    expect_tensor(given, masked_softmax(batch), "tempered_softmax on a batch (2, 3, 5)", mistakes)
    message = "the weights are right, but PyTorch's own softmax made them; write the exps and the division yourself"
    expect(not any("softm" in name for name in calls(tempered_softmax, batch, 1.0)), message)


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
    expect_tensor(spread(sample), entropy.exp(), "spread of 3 rows of weights", mistakes)
    expect_tensor(spread(torch.full((1, 8), 1 / 8)), torch.tensor([8.0]), "spread over 8 equal weights")
    given = spread(torch.tensor([[1.0, 0.0, 0.0], [0.5, 0.5, 0.0]]))
    expect(
        not given.isnan().any(),
        "a weight of 0 gives nan, because log(0) is -inf and 0 · -inf is nan; 0 · log 0 counts as 0",
    )
    expect_tensor(given, torch.tensor([1.0, 2.0]), "spread of rows in which some weights are 0")
