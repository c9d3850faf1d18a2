"""Checks of the assignment a1_single_head: the weights and the context of attention."""

import torch

from classroom.checks.graded import context_and_weights, graded, own_weights
from companion.checks.feedback import close, expect_tensor
from companion.checks.mistakes import COLUMNS, LOST, NO_SOFTMAX, given_by, readings
from utils.attention import attention, scores


@graded
def check_attention_weights(student, draw):
    """each query shares its attention among the keys."""
    queries, keys, d_k, d_v = draw.sizes(4)
    query, key, value = draw.normal(keys, d_k), draw.normal(keys, d_k), draw.normal(keys, d_v)
    _, weights = _attention(student, attention(query, key, value), query, key, value)
    _expect_weights(student, weights, query, key, value, f"of {keys} queries and keys")


@graded
def check_attention_context(student, draw):
    """each context vector is the values, mixed by that query's weights."""
    queries, keys, d_k, d_v = draw.sizes(4)
    query, key, value = draw.normal(queries, d_k), draw.normal(keys, d_k), draw.normal(keys, d_v)
    right = attention(query, key, value)
    context, weights = _attention(student, right, query, key, value)
    mistakes = {
        "these are the keys, mixed; mix the values": right[1] @ key,
        "these are the values added up; weigh them first": value.sum(0).expand(queries, -1),
        **{message: wrong @ value for message, wrong in given_by(LOST, scores(query, key)).items()},
    }
    doing = f"the context with {queries} queries, {keys} keys, head size {d_k} and values of {d_v}"
    expect_tensor(context, _mixed(weights, right[1], value), doing, mistakes)


@graded
def check_attention_batch(student, draw):
    """a batch of sentences, and unequal lengths."""
    batch, queries, keys, d_k, d_v = draw.sizes(5, low=2)
    given = draw.normal(batch, queries, d_k), draw.normal(batch, keys, d_k), draw.normal(batch, keys, d_v)
    right = attention(*given)
    context, weights = _attention(student, right, *given)
    doing = f"of a batch of {batch}, {queries} queries and {keys} keys"
    _expect_weights(student, weights, *given, doing)
    expect_tensor(context, _mixed(weights, right[1], given[2]), f"the context {doing}")


def _attention(student, right, *given):
    return context_and_weights(student.call("attention", *given), right, "attention")


def _mixed(weights, right, value):
    """Mix the values by a student's own weights: a slip in these is charged by the checks of the weights, not twice."""
    return own_weights(weights, right).double() @ value.double()


def _expect_weights(student, given, query, key, value, of):
    """Judge weights by the student's own scores and softmax, whose slips are charged by their own checks."""
    right, raw = attention(query, key, value)[1], student.own("scaled_scores", query, key)
    own = student.own("softmax_rows", raw) if isinstance(raw, torch.Tensor) else None
    if not close(given, own_weights(own, right)):
        expect_tensor(given, right, f"the tensor of weights {of}", _wrong_weights(query, key, value))


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
