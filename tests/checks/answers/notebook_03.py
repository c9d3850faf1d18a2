"""Right and wrong answers to the exercises in notebook 03 (queries, keys and values)."""

import torch
from torch.nn import functional as F

from companion.checks.notebook_03 import check_my_projections, check_read_one


def one_token_at_a_time(inputs, *matrices):
    return [torch.stack([matrix.T @ row for row in inputs]) for matrix in matrices]


def by_loops(query, key, value):
    exps = [float(row @ query) for row in key]
    exps = [2.718281828459045 ** (score - max(exps)) for score in exps]
    return sum(each / sum(exps) * row for each, row in zip(exps, value))


RIGHT = {
    check_my_projections: [
        one_token_at_a_time,
        lambda inputs, *matrices: (inputs @ torch.cat(matrices, 1)).split([len(each.T) for each in matrices], 1),
        lambda inputs, *matrices: tuple(F.linear(inputs.double(), matrix.T.double()) for matrix in matrices),
    ],
    check_read_one: [
        by_loops,
        lambda query, key, value: (torch.softmax(query[None] @ key.T, -1) @ value)[0],
        lambda query, key, value: torch.einsum("k,kd->d", torch.softmax((key * query).sum(1), 0), value),
    ],
}
WRONG = {
    check_my_projections: [
        (lambda inputs, *matrices: None, "my_projections, all sizes 4 gives None"),
        (lambda inputs, q, k, v: (inputs @ q, inputs @ k), "my_projections, all sizes 4 returns three things"),
        (lambda inputs, q, k, v: (inputs @ q, inputs @ k, inputs @ k), "the same matrix makes key and value"),
        (lambda *given: one_token_at_a_time(*given)[::-1], "query and value are exchanged"),
        (lambda *given: torch.stack(one_token_at_a_time(*given)), "the three are stacked into one tensor"),
    ],
    check_read_one: [
        (lambda query, key, value: by_loops(query / len(query) ** 0.5, key, value), "the scores are divided already"),
        (lambda query, key, value: by_loops(query, key, value).round(decimals=2), "read_one with 4 tokens, d_k 4 and"),
        (lambda query, key, value: torch.softmax(key @ query[None].T, -1).T @ value, "read_one with 4 tokens, d_k 4"),
        (
            lambda query, key, value: by_loops(torch.ones(1), (query * key).sum(0)[:, None], value),
            "query * key is added",
        ),
        (lambda q, k, v: sum(torch.softmax(k[:3] @ q, 0)[i] * v[i] for i in range(3)), "only the first 3 tokens are"),
        (
            lambda q, k, v: torch.softmax([row @ q for row in k], 0) @ v,
            "softmax(): argument 'input' (position 1) must be Tensor, not list; torch.stack(...) makes one",
        ),
        (lambda q, k, v: torch.softmax(k @ q, 0) * v.sum(1), "the weighted values are added up inside each value"),
    ],
}
