"""Checks of the assignment a1_single_head: the weights and the context of attention."""

import torch

from classroom.checks.graded import context_and_weights, graded
from companion.checks.feedback import expect_tensor
from companion.checks.mistakes import COLUMNS, LOST, NO_SOFTMAX, given_by, readings
from utils.attention import attention, scores


@graded
def check_attention_weights(student, draw):
    """each query shares its attention among the keys."""
    queries, keys, d_k, d_v = draw.sizes(4)
    query, key, value = draw.normal(keys, d_k), draw.normal(keys, d_k), draw.normal(keys, d_v)
    right = attention(query, key, value)
    _, weights = _attention(student, right, query, key, value)
    doing = f"the weights of {keys} queries and keys"
    expect_tensor(weights, right[1], doing, _wrong_weights(query, key, value))


@graded
def check_attention_context(student, draw):
    """each context vector is the values, mixed by that query's weights."""
    queries, keys, d_k, d_v = draw.sizes(4)
    query, key, value = draw.normal(queries, d_k), draw.normal(keys, d_k), draw.normal(keys, d_v)
    right, right_weights = attention(query, key, value)
    context, weights = _attention(student, (right, right_weights), query, key, value)
    # A slip in the weights is charged by the check of the weights, not twice.
    fits = isinstance(weights, torch.Tensor) and weights.shape == right_weights.shape and weights.is_floating_point()
    fits = fits and torch.allclose(weights.sum(-1).double(), torch.ones(queries, dtype=torch.float64), atol=1e-4)
    wanted = weights.double() @ value.double() if fits else right
    mistakes = {
        "these are the keys, mixed; mix the values": right_weights @ key,
        "these are the values added up; weigh them first": value.sum(0).expand(queries, -1),
        **{message: wrong @ value for message, wrong in given_by(LOST, scores(query, key)).items()},
    }
    doing = f"the context with {queries} queries, {keys} keys, head size {d_k} and values of {d_v}"
    expect_tensor(context, wanted, doing, mistakes)


@graded
def check_attention_batch(student, draw):
    """a batch of sentences, and unequal lengths."""
    batch, queries, keys, d_k, d_v = draw.sizes(5, low=2)
    given = draw.normal(batch, queries, d_k), draw.normal(batch, keys, d_k), draw.normal(batch, keys, d_v)
    right = attention(*given)
    context, weights = _attention(student, right, *given)
    doing = f"of a batch of {batch}, {queries} queries and {keys} keys"
    expect_tensor(weights, right[1], f"the weights {doing}", _wrong_weights(*given))
    expect_tensor(context, right[0], f"the context {doing}")


def _attention(student, right, *given):
    return context_and_weights(student.call("attention", *given), right, "attention")


def _wrong_weights(query, key, value):
    raw = scores(query, key)
    return {
        NO_SOFTMAX: raw,
        "scaled twice: scaled_scores has divided by the root already": torch.softmax(raw / query.shape[-1] ** 0.5, -1),
        COLUMNS: torch.softmax(raw, -2),
        "the last key is left out, and its column is missing": torch.softmax(raw[..., :-1], -1),
        **given_by(LOST, raw),
        **{message: attention(*reading)[1] for message, reading in readings(query, key, value).items()},
    }
