"""Checks of the exercises in notebook 03 (queries, keys, values), and the answers with which it goes on."""

import torch

from companion.checks.compared import compared_with
from companion.checks.exercise import exercise
from companion.checks.feedback import calls, expect, expect_kind

INPUT_1 = torch.tensor([1.0, 0, 1, 0])


def query_for_3():
    """Return a W_query, (4, 3), with which input 1 gives nearly all of its weight to input 3."""
    return torch.tensor([[2.0, 0, 8], [0, 0, 0], [0, 0, 0], [0, 0, 0]])


W_QUERY = {  # {message: wrong answer}
    "this is the query of input 1; return a matrix of 4 rows and 3 columns, which makes it": lambda: query_for_3()[0],
    "a row for each number of an input, (4, 3); yours is (3, 4)": lambda: query_for_3().T,
    "the inputs have decimals (torch.float32), and so must yours; write one as 2.0": lambda: query_for_3().long(),
}


@exercise(mistakes=W_QUERY)
def check_my_W_query(my_W_query):
    """with the matrix that you chose, input 1 gives nearly all of its weight to input 3."""
    matrix, messages = my_W_query(), list(W_QUERY)
    expect_kind(matrix, torch.Tensor, "my_W_query()", "a tensor")
    expect(matrix.shape != (3,), messages[0])
    expect(matrix.shape != (3, 4), messages[1])
    expect(matrix.shape == (4, 3), f"my_W_query() gives shape {tuple(matrix.shape)}, but (4, 3) was expected")
    expect(matrix.dtype == INPUT_1.dtype, messages[2])
    query = INPUT_1 @ matrix
    scores = torch.tensor([[0.0, 1, 1], [4, 4, 0], [2, 3, 1]]) @ query
    share = scores.softmax(0)[2]
    first, second, last = (f"{score:g}" for score in scores)
    message = f"the query ({', '.join(f'{number:g}' for number in query)}) scores {first}, {second} and {last}; "
    expect(scores[2] > scores[:2].max(), message + "the last score must be the largest")
    few = f"input 3 is first, but gets {share:.2f} of the weight, and needs more than 0.9; try a longer query"
    expect(share > 0.9, message + few)


def one_context(query, key, value):
    """Return the context (d_v,) of one query (d_k,), without a scale: the course's own `read_one`."""
    weights = (key @ query).softmax(0)
    return weights @ value


BY_PYTORCH = "the numbers are right, but PyTorch's attention made them; write its three steps yourself"
READ_ONE = {  # {message: what a wrong read_one has instead}
    "the scores are divided already: here they stay as they are, and √d_k comes in the section “The formula”": {
        "key @ query": "key @ query / len(query) ** 0.5"
    },
    "softmax is missing: the values are multiplied by the scores themselves": {".softmax(0)": ""},
    "exp without the division: the weights do not sum to 1": {"softmax(0)": "exp()"},
    "these are the weights; multiply them by the values": {"weights @ value": "weights"},
    "these are the weighted values; add them up over the tokens": {"weights @ value": "weights[:, None] * value"},
    "each weighted value is added up; add over the tokens, dim=0": {"weights @ value": "weights * value.sum(1)"},
    "a score adds up over dim=1, not over dim=0": {"key @ query": "(query * key).sum(0)"},
    "a weight belongs to a row of value: weights @ value": {"weights @ value": "(weights * value).sum(0)"},
    "the weights average the keys; they must average the values": {"weights @ value": "weights @ key"},
    "query @ key mixes the keys; write key @ query, one score for each key": {"key @ query": "query @ key"},
    "value @ weights mixes each value's numbers; write weights @ value": {"weights @ value": "value @ weights"},
    BY_PYTORCH: {
        "weights @ value": "torch.nn.functional.scaled_dot_product_attention(query[None], key, value, scale=1)[0]"
    },
}
STOPS = {"must be Tensor, not list": "{error}; torch.stack(...) makes one tensor of a list of scores"}


@compared_with(one_context, READ_ONE, STOPS)
def check_read_one(read_one):
    """scores, weights, weighted average; you have written attention for one token, except for one divisor."""
    yield "read_one with 4 tokens, d_k 4 and d_v 4", (torch.randn(4), torch.randn(4, 4), torch.randn(4, 4))
    uneven = torch.randn(8), torch.randn(5, 8), torch.randn(5, 3)
    yield "read_one with 5 tokens, d_k 8 and d_v 3", uneven
    expect("scaled_dot_product_attention" not in calls(read_one, *uneven), BY_PYTORCH)
