"""Checks of the assignment a1_single_head: the weights and the context of attention."""

import torch

from classroom.checks.graded import graded
from utils.attention import attention, scores
from utils.checks.feedback import expect_parts, expect_tensor
from utils.checks.mistakes import COLUMNS, NO_SOFTMAX, readings


@graded
def check_attention_weights(student, draw):
    """each query shares its attention among the keys."""
    queries, keys, d_k, d_v = draw.sizes(4)
    query, key, value = draw.normal(keys, d_k), draw.normal(keys, d_k), draw.normal(keys, d_v)
    _, weights = _attention(student, query, key, value)
    raw = scores(query, key)
    mistakes = {
        NO_SOFTMAX: raw,
        "scaled twice: scaled_scores has divided by the root already": torch.softmax(raw / d_k**0.5, -1),
        COLUMNS: torch.softmax(raw, 0),
    } | {message: attention(*reading)[1] for message, reading in readings(query, key, value).items()}
    expect_tensor(weights, attention(query, key, value)[1], f"the weights of {keys} queries and keys", mistakes)


@graded
def check_attention_context(student, draw):
    """each context vector is the values, mixed by that query's weights."""
    queries, keys, d_k, d_v = draw.sizes(4)
    query, key, value = draw.normal(queries, d_k), draw.normal(keys, d_k), draw.normal(keys, d_v)
    context, weights = _attention(student, query, key, value)
    right, right_weights = attention(query, key, value)
    # A slip in the weights is charged by the check of the weights, not twice.
    fits = isinstance(weights, torch.Tensor) and weights.shape == right_weights.shape and weights.is_floating_point()
    fits = fits and torch.allclose(weights.sum(-1).double(), torch.ones(queries, dtype=torch.float64), atol=1e-4)
    wanted = weights.double() @ value.double() if fits else right
    mistakes = {
        "these are the keys, mixed; mix the values": right_weights @ key,
        "these are the values added up; weigh them first": value.sum(0).expand(queries, -1),
    }
    doing = f"the context with {queries} queries, {keys} keys, head size {d_k} and values of {d_v}"
    expect_tensor(context, wanted, doing, mistakes)


@graded
def check_attention_batch(student, draw):
    """a batch of sentences, and unequal lengths."""
    batch, queries, keys, d_k, d_v = draw.sizes(5, low=2)
    given = draw.normal(batch, queries, d_k), draw.normal(batch, keys, d_k), draw.normal(batch, keys, d_v)
    context, weights = _attention(student, *given)
    right_context, right_weights = attention(*given)
    doing = f"of a batch of {batch}, {queries} queries and {keys} keys"
    expect_tensor(weights, right_weights, f"the weights {doing}")
    expect_tensor(context, right_context, f"the context {doing}")


def _attention(student, query, key, value):
    return expect_parts(student.call("attention", query, key, value), ("context", "weights"), "attention")
