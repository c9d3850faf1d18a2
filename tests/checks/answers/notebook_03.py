"""Right and wrong answers to the exercises in notebook 03 (queries, keys and values)."""

import torch

from companion.checks.notebook_03 import check_my_W_query, check_read_one


def through_the_third_row():
    return torch.tensor([[5.0, -1, 0], [1, 0, 0], [-5, 4, 9], [0, 1, 1]])


def with_query(*query):
    """Return a W_query that makes this query of input 1."""
    return lambda: torch.tensor([query] + [[0.0] * 3] * 3)


def by_loops(query, key, value):
    exps = [float(row @ query) for row in key]
    exps = [2.718281828459045 ** (score - max(exps)) for score in exps]
    return sum(weight / sum(exps) * row for weight, row in zip(exps, value))


RIGHT = {
    check_my_W_query: [through_the_third_row, lambda: 3.5 * through_the_third_row()],
    check_read_one: [by_loops, lambda query, key, value: (torch.softmax(query[None] @ key.T, -1) @ value)[0]],
}
WRONG = {
    check_my_W_query: {
        "my_W_query() gives shape (4, 2), but (4, 3) was expected": lambda: torch.ones(4, 2),
        "the query (nan, nan, nan) scores nan, nan and nan; the last score": with_query(*[torch.nan] * 3),
        "the query (2, 3, 1) scores 4, 20 and 14; the last score must be the largest": with_query(2.0, 3, 1),
        "the query (1, 0, 3) scores 3, 4 and 5; input 3 is first, but gets 0.67 of the weight": with_query(1.0, 0, 3),
    },
    check_read_one: {
        "read_one with 5 tokens, d_k 8 and d_v 3 has": {"in key]": "in key[:4]]"},
        "softmax(): argument 'input' (pos": lambda query, key, value: torch.softmax([row @ query for row in key], 0),
    },
}
