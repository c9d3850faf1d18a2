"""Checks of the exercises in notebook 03 (queries, keys and values)."""

import torch

from companion.checks.exercise import exercise
from companion.checks.feedback import PRODUCTS, calls, expect, expect_parts, expect_tensor, explained
from companion.checks.mistakes import wrong_scales
from utils.attention import project


@exercise
def check_read_one(read_one):
    """softmax(QKᵀ / √d_k) V for one query; you have written the heart of attention."""
    query, key, value = torch.randn(4), torch.randn(4, 4), torch.randn(4, 4)
    weights = _weights(query, key)
    mistakes = {
        **_wrong_contexts(query, key, value),
        "the weights average the keys; they must average the values": weights @ key,
        "key and value are exchanged: the keys make the scores, the values are averaged": _weights(query, value) @ key,
        "the scores are query @ key, which mixes the keys; write key @ query, one score for each key": (
            _weights(query, key.T) @ value
        ),
        "the context is value @ weights, which mixes each value's numbers; write weights @ value": value @ weights,
    }
    given = read_one(query, key, value)
    expect_tensor(given, weights @ value, "read_one with 4 tokens, d_k = 4 and d_v = 4", mistakes)
    query, key, value = torch.randn(8), torch.randn(5, 8), torch.randn(5, 3)
    doing = "read_one with 5 tokens, d_k = 8 and d_v = 3"
    expect_tensor(read_one(query, key, value), _weights(query, key) @ value, doing, _wrong_contexts(query, key, value))
    message = "the numbers are right, but PyTorch's attention made them; write its three steps yourself"
    expect("scaled_dot_product_attention" not in calls(read_one, query, key, value), message)


def _weights(query, key, factor=None):
    """Return the weights of one query; factor: what its scores are multiplied by, if not by the right scale."""
    return torch.softmax(key @ query * (query.shape[0] ** -0.5 if factor is None else factor), dim=0)


def _wrong_contexts(query, key, value):
    scores, size = key @ query / query.shape[0] ** 0.5, query.shape[0]
    weights = torch.softmax(scores, dim=0)
    others = {"the number of tokens": len(key), "the values' size": value.shape[1], "a fixed 3, Karim's d_k": 3}
    scales = wrong_scales(size, others, called="the head size").items()
    unscaled = "softmax and the scale are missing: divide the scores by the root of the head size, then take softmax"
    return {
        **{message: _weights(query, key, factor) @ value for message, factor in scales},
        "softmax is missing: the values are multiplied by the scores themselves": scores @ value,
        unscaled: key @ query @ value,
        "exp is missing: the scores are divided by their plain sum": scores / scores.sum() @ value,
        "exp without the division: the weights do not sum to 1": scores.exp() @ value,
        "the scale comes after softmax: divide the scores, so that the weights sum to 1": (
            _weights(query, key, 1) / size**0.5 @ value
        ),
        "softmax comes last: it belongs to the scores, before they meet the values": torch.softmax(scores @ value, 0),
        "this is the plain average of the values: the scores have no effect": value.mean(0),
        "this is the sum of the values, each with weight 1: softmax runs along an axis of size 1": value.sum(0),
        "this is the mean of the weighted values; add them up": weights @ value / len(value),
        "these are the weights; multiply them by the values": weights,
        "these are the scores; softmax and the values are missing": scores,
        "these are the weighted values; add them up over the tokens": weights[:, None] * value,
        "one row of context is a matrix still: return a vector (d_v,)": (weights @ value)[None],
    }


@exercise
def check_project_at_once(project_at_once):
    """one product gave all three, cut at the right places."""
    # 3 + 3 + 6 = 3 · 4: pieces as wide as a matrix is high raise no error, and are named
    inputs, W_query, W_key, W_value = torch.randn(5, 4), torch.randn(4, 3), torch.randn(4, 3), torch.randn(4, 6)
    given = _joined(project_at_once, inputs, W_query, W_key, W_value)
    expect_parts(given, ("query", "key", "value"), "project_at_once")
    query, key, value = project(inputs, W_query, W_key, W_value)
    mistakes = {
        "query and key are exchanged: join and cut in the same order": key,
        "query and value are exchanged: join and cut in the same order": value,
        "the product is cut in three equal parts: each is as wide as its matrix, W.shape[1]": (
            torch.cat([query, key[:, :1]], 1)
        ),
    }
    expect_tensor(given[0], query, "the query", mistakes)
    mistakes = {
        "key and value are exchanged: join and cut in the same order": value,
        "the key is the query once more: begin to cut where the query ends": query,
    }
    expect_tensor(given[1], key, "the key", mistakes)
    mistakes = {"the value is cut short: it may be wider than the query and the key": value[:, :3]}
    expect_tensor(given[2], value, "the value", mistakes)
    called = calls(project_at_once, inputs, W_query, W_key, W_value)
    products = sum(name in PRODUCTS | {"inner", "addmm"} for name in called)
    expect(products <= 1, f"all three are right, but took {products} products; join the matrices and multiply once")


def _joined(project_at_once, *given):
    """Call the reader's function, and put what PyTorch says of a wrong way to join into plainer words."""
    with explained(
        {
            "Sizes of tensors must match": "the matrices are joined one below the other; side by side is dim=1",
            "stack expects each tensor": "torch.stack lays equal matrices on a pile; torch.cat joins them side by side",
            "expects split_sizes to sum": "the pieces do not fit the axis that is cut; the columns are dim=1",
        }
    ):
        return project_at_once(*given)
