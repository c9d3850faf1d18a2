"""Checks of the exercises in notebook 03 (queries, keys and values), and the course's own answer to one of them."""

import torch
from torch.nn import functional as F

from companion.checks.feedback import calls, expect
from companion.checks.tables import compared_with
from utils.attention import project


def _by_matrices(*order):
    """Make query, key and value by these matrices: 0 is W_query, 1 is W_key, 2 is W_value."""
    return lambda inputs, *matrices: project(inputs, *(matrices[number] for number in order))


def _each(make):
    return lambda inputs, *matrices: tuple(make(inputs, matrix) for matrix in matrices)


PROJECTIONS = {  # {message: wrong answer}
    "query and key are exchanged: each matrix makes its own, and the query comes first": _by_matrices(1, 0, 2),
    "key and value are exchanged: return query, key, value": _by_matrices(0, 2, 1),
    "the same matrix makes query and key; the key needs W_key": _by_matrices(0, 0, 2),
    "the same matrix makes key and value; the value needs W_value": _by_matrices(0, 1, 1),
    "the same matrix makes all three; each has its own": _by_matrices(0, 0, 0),
    "the value is the inputs themselves; W_value makes it": lambda X, q, k, v: (*project(X, q, k, v)[:2], X),
    "the matrices are transposed; they need no .T": _each(lambda inputs, matrix: inputs @ matrix.T),
    "the matrix comes first; write inputs @ W": _each(lambda inputs, matrix: matrix @ inputs),
    "your results have a column for each token; a token is a row": _each(lambda inputs, matrix: (inputs @ matrix).T),
    "* multiplies number by number; the matrix product is @": _each(torch.mul),
    "the three are stacked; return a tuple: return query, key, value": lambda *given: torch.stack(project(*given)),
}


@compared_with(project, PROJECTIONS, parts=("query", "key", "value"))
def check_my_projections(my_projections):
    """each token has its query, its key and its value, each by a matrix of its own."""
    yield "my_projections, all sizes 4", tuple(torch.randn(4, 4, 4))  # equal, so that every mistake gives numbers
    uneven = torch.randn(5, 4), torch.randn(4, 3), torch.randn(4, 3), torch.randn(4, 6)
    yield "my_projections with 5 tokens, d_model 4, d_k 3 and d_v 6", uneven


def _reading(score=lambda query, key: key @ query, weigh=lambda row: row.softmax(0), mix=torch.matmul):
    """Compose the reading of its three steps, any of which may be a wrong one."""
    return lambda query, key, value: mix(weigh(score(query, key)), value)


one_context = _reading()  # the course's own `read_one`: the context (d_v,) of one query (d_k,), without a scale
READ_ONE = {
    "the scores are divided already: here they stay as they are, and √d_k comes in the section “The formula”": _reading(
        score=lambda query, key: key @ query / len(query) ** 0.5
    ),
    "softmax is missing: the values are multiplied by the scores themselves": _reading(weigh=torch.clone),
    "exp without the division: the weights do not sum to 1": _reading(weigh=torch.exp),
    "this is the mean of the weighted values; add them up": _reading(mix=lambda row, value: row @ value / len(value)),
    "these are the weights; multiply them by the values": _reading(mix=lambda row, value: row),
    "these are the weighted values; add them up over the tokens": _reading(mix=lambda row, value: row[:, None] * value),
    "each weighted value is added up; add over the tokens, dim=0": _reading(mix=lambda row, value: row * value.sum(1)),
    "a score adds up over dim=1, not over dim=0": _reading(score=lambda query, key: (query * key).sum(0)),
    "a weight belongs to a row of value: weights @ value": _reading(mix=lambda row, value: (row * value).sum(0)),
    "one row of context is still a matrix: return a vector (d_v,)": lambda *given: one_context(*given)[None],
    "the weights average the keys; they must average the values": lambda query, key, _: one_context(query, key, key),
    "key and value are exchanged": lambda query, key, value: one_context(query, value, key),
    "query @ key mixes the keys; write key @ query, one score for each key": _reading(score=torch.matmul),
    "value @ weights mixes each value's numbers; write weights @ value": _reading(mix=lambda row, value: value @ row),
    "the numbers are right, but PyTorch's attention made them; write its three steps yourself": lambda query, *given: (
        F.scaled_dot_product_attention(query[None], *given, scale=1)[0]
    ),
}
LISTED = {"must be Tensor, not list": "{error}; torch.stack(...) makes one tensor of a list of scores"}


@compared_with(one_context, READ_ONE, LISTED)
def check_read_one(read_one):
    """scores, weights, weighted average; you have written attention for one token, except for one divisor."""
    yield "read_one with 4 tokens, d_k 4 and d_v 4", (torch.randn(4), torch.randn(4, 4), torch.randn(4, 4))
    uneven = torch.randn(8), torch.randn(5, 8), torch.randn(5, 3)
    yield "read_one with 5 tokens, d_k 8 and d_v 3", uneven
    expect("scaled_dot_product_attention" not in calls(read_one, *uneven), list(READ_ONE)[-1])
