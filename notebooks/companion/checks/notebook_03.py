"""Checks of the exercises in notebook 03 (queries, keys and values), and the course's own answer to one of them."""

import torch
from torch.nn import functional as F

from companion.checks.exercise import exercise
from companion.checks.feedback import calls, expect, expect_like, explained
from utils.attention import project

PARTS = ("query", "key", "value")
PROJECTIONS = {  # what goes wrong: a function that does it
    "query and key are exchanged: each matrix makes its own, and the query comes first": (
        lambda inputs, q, k, v: project(inputs, k, q, v)
    ),
    "key and value are exchanged: return query, key, value": lambda inputs, q, k, v: project(inputs, q, v, k),
    "query and value are exchanged: return query, key, value": lambda inputs, q, k, v: project(inputs, v, k, q),
    "the same matrix makes query and key; the key needs W_key": lambda inputs, q, k, v: project(inputs, q, q, v),
    "the same matrix makes query and value; the value needs W_value": lambda inputs, q, k, v: project(inputs, q, k, q),
    "the same matrix makes key and value; the value needs W_value": lambda inputs, q, k, v: project(inputs, q, k, k),
    "the key is made from the query; make it from the inputs: inputs @ W_key": (
        lambda inputs, q, k, v: (inputs @ q, inputs @ q @ k, inputs @ v)
    ),
    "the value is made from the key; make it from the inputs: inputs @ W_value": (
        lambda inputs, q, k, v: (inputs @ q, inputs @ k, inputs @ k @ v)
    ),
    "each matrix goes on from the one before; all three multiply the inputs: inputs @ W_key, inputs @ W_value": (
        lambda inputs, q, k, v: (inputs @ q, inputs @ q @ k, inputs @ q @ k @ v)
    ),
    "the same matrix makes all three; each has its own": lambda inputs, q, k, v: project(inputs, q, q, q),
    "the value is the inputs themselves; W_value makes it": lambda X, q, k, v: (*project(X, q, k, v)[:2], X),
    "the matrices are transposed; they have a row for each feature of the inputs, so no .T is needed": (
        lambda inputs, *matrices: project(inputs, *(matrix.T for matrix in matrices))
    ),
    "the matrix stands on the left; the rows of the inputs meet its columns, so write inputs @ W": (
        lambda inputs, *matrices: tuple(matrix @ inputs for matrix in matrices)
    ),
    "your results have a column for each token; a token is a row": (
        lambda inputs, *matrices: tuple(part.T for part in project(inputs, *matrices))
    ),
    "the three are stacked into one tensor, which only equal sizes allow; return a tuple: return query, key, value": (
        lambda inputs, *matrices: torch.stack(project(inputs, *matrices))
    ),
    "* multiplies number by number; the matrix product is @": (
        lambda inputs, *matrices: tuple(inputs * matrix for matrix in matrices)
    ),
}


@exercise(mistakes=PROJECTIONS)
def check_my_projections(my_projections):
    """each token has its query, its key and its value, each by a matrix of its own."""
    square = tuple(torch.randn(4, 4, 4))  # all sizes are equal, so that every mistake gives numbers
    expect_like(my_projections, project, square, "my_projections, all sizes 4", PROJECTIONS, PARTS)
    uneven = torch.randn(5, 4), torch.randn(4, 3), torch.randn(4, 3), torch.randn(4, 6)
    doing = "my_projections with 5 tokens, d_model 4, d_k 3 and d_v 6"
    expect_like(my_projections, project, uneven, doing, PROJECTIONS, PARTS)


def one_context(query, key, value):
    """The course's own answer to exercise 2: the context (d_v,) of one query (d_k,), without a scale."""
    return _weights(query, key) @ value


def _weights(query, key):
    return torch.softmax(key @ query, dim=0)


def _pytorch(query, key, value, scale=1):
    return F.scaled_dot_product_attention(query[None], key, value, scale=scale)[0]


READ_ONE = {
    "the scores are divided already: here they stay as they are, and √d_k comes in the section “The formula”": (
        lambda query, key, value: _pytorch(query, key, value, scale=None)
    ),
    "softmax is missing: the values are multiplied by the scores themselves": (
        lambda query, key, value: key @ query @ value
    ),
    "the scores are divided by their sum; softmax takes exp of them first": (
        lambda query, key, value: (key @ query) / (key @ query).sum() @ value
    ),
    "exp without the division: the weights do not sum to 1": lambda query, key, value: (key @ query).exp() @ value,
    "softmax comes last: it belongs to the scores, before they meet the values": (
        lambda query, key, value: torch.softmax(key @ query @ value, dim=0)
    ),
    "this is the plain average of the values: the scores have no effect": lambda query, key, value: value.mean(0),
    "this is the sum of the values, each with weight 1: softmax runs along an axis of size 1": (
        lambda query, key, value: value.sum(0)
    ),
    "this is the mean of the weighted values; add them up": (
        lambda query, key, value: one_context(query, key, value) / len(value)
    ),
    "these are the weights; multiply them by the values": lambda query, key, value: _weights(query, key),
    "these are the scores; softmax and the values are missing": lambda query, key, value: key @ query,
    "these are the weighted values; add them up over the tokens": (
        lambda query, key, value: _weights(query, key)[:, None] * value
    ),
    "the weighted values are added up inside each value, over dim=1; add them up over the tokens, dim=0": (
        lambda query, key, value: (_weights(query, key)[:, None] * value).sum(1)
    ),
    "query * key is added up over the tokens, dim=0; a score adds up the products of one key, so over dim=1": (
        lambda query, key, value: torch.softmax((query * key).sum(0), dim=0) @ value
    ),
    "the weights multiply the columns of value; each weight belongs to a row: weights @ value": (
        lambda query, key, value: (_weights(query, key) * value).sum(0)
    ),
    "weights * value adds nothing up, and a weight belongs to a row: weights @ value multiplies rows and adds up": (
        lambda query, key, value: _weights(query, key) * value
    ),
    "everything is added up to one number; add up over the tokens only, dim=0": (
        lambda query, key, value: (_weights(query, key)[:, None] * value).sum()
    ),
    "key * query does not add up; a score is one number for each key: key @ query": (
        lambda query, key, value: torch.softmax(key * query, dim=-1) @ value
    ),
    "only the first 3 tokens are read; read all of them, however many there are": (
        lambda query, key, value: one_context(query, key[:3], value[:3])
    ),
    "one row of context is a matrix still: return a vector (d_v,)": (
        lambda query, key, value: one_context(query, key, value)[None]
    ),
    "the weights average the keys; they must average the values": lambda query, key, _: one_context(query, key, key),
    "key and value are exchanged: the keys make the scores, the values are averaged": (
        lambda query, key, value: one_context(query, value, key)
    ),
    "the scores are query @ key, which mixes the keys; write key @ query, one score for each key": (
        lambda query, key, value: one_context(query, key.T, value)
    ),
    "the context is value @ weights, which mixes each value's numbers; write weights @ value": (
        lambda query, key, value: value @ _weights(query, key)
    ),
    "the numbers are right, but PyTorch's attention made them; write its three steps yourself": _pytorch,
}


@exercise(mistakes=READ_ONE)
def check_read_one(read_one):
    """scores, weights, weighted average; you have written attention for one token, except for one divisor."""
    square = torch.randn(4), torch.randn(4, 4), torch.randn(4, 4)
    with explained({"must be Tensor, not list": "{error}; torch.stack(...) makes one tensor of a list of scores"}):
        expect_like(read_one, one_context, square, "read_one with 4 tokens, d_k 4 and d_v 4", READ_ONE)
    uneven = torch.randn(8), torch.randn(5, 8), torch.randn(5, 3)
    expect_like(read_one, one_context, uneven, "read_one with 5 tokens, d_k 8 and d_v 3", READ_ONE)
    expect("scaled_dot_product_attention" not in calls(read_one, *uneven), list(READ_ONE)[-1])
