"""Checks of the exercises in notebook 03 (queries, keys and values)."""

import torch

from utils.attention import project
from utils.checks.exercise import exercise
from utils.checks.feedback import PRODUCTS, calls, expect, expect_parts, expect_tensor


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
    expect_parts(given, ("query", "key", "value"), "project_at_once")
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
