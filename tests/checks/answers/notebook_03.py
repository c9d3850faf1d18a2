"""Right and wrong answers to the exercises in notebook 03 (queries, keys and values)."""

import torch

from companion.checks.notebook_03 import check_my_W_query, check_read_one


def through_the_third_row():
    return torch.tensor([[5.0, -1, 0], [1, 0, 0], [-5, 4, 9], [0, 1, 1]])


def by_loops(query, key, value):
    exps = [float(row @ query) for row in key]
    exps = [2.718281828459045 ** (score - max(exps)) for score in exps]
    return sum(weight / sum(exps) * row for weight, row in zip(exps, value))


RIGHT = {
    check_my_W_query: [through_the_third_row, lambda: 3.5 * through_the_third_row()],
    check_read_one: [by_loops, lambda query, key, value: (torch.softmax(query[None] @ key.T, -1) @ value)[0]],
}
WRONG = {
    check_my_W_query: [
        (lambda: torch.ones(4, 2), "my_W_query() gives shape (4, 2), but (4, 3) was expected"),
        (lambda: torch.full((4, 3), torch.nan), "the query (nan, nan, nan) scores nan, nan and nan; the last score"),
        (lambda: torch.tensor([[2.0, 3, 1]] + [[0.0] * 3] * 3), "the query (2, 3, 1) scores 4, 20 and 14; the last sc"),
        (
            lambda: torch.tensor([[1.0, 0, 3]] + [[0.0] * 3] * 3),
            "the query (1, 0, 3) scores 3, 4 and 5; input 3 is first, but gets 0.67 of the weight, and needs more than",
        ),
    ],
    check_read_one: [
        (lambda query, key, value: by_loops(query, key[:4], value[:4]), "read_one with 5 tokens, d_k 8 and d_v 3 has"),
        (lambda query, key, value: torch.softmax([row @ query for row in key], 0), "softmax(): argument 'input' (pos"),
    ],
}
