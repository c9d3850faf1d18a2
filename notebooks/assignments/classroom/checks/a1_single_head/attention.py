"""Checks of the assignment a1_single_head: the weights and the context of attention."""

import torch

from classroom.checks.graded import context_and_weights, graded, own_weights, table_of
from companion.checks.feedback import close, expect_tensor
from companion.checks.mistakes import COLUMNS, NO_SOFTMAX, readings
from utils.attention import attention, scores


def _wrong(query, key, value):
    """Return {message: (context, weights)}: wrong weights and what they mix, then right weights that mix wrongly."""
    raw, weights = scores(query, key), attention(query, key, value)[1]
    read = readings(query, key, value)
    del read["divided by the size of query and key itself; take its square root"]  # as scaled twice
    wrong = {
        NO_SOFTMAX: raw,
        "scaled twice: scaled_scores has divided by the root already": torch.softmax(raw / query.shape[-1] ** 0.5, -1),
        COLUMNS: torch.softmax(raw, -2),
    }
    return {
        **{message: (each @ value, each) for message, each in wrong.items()},
        **{message: attention(*reading) for message, reading in read.items()},
        "these are the keys, mixed; mix the values": (weights @ key, weights),
    }


MISTAKES = table_of(_wrong, *torch.ones(3, 2, 4))


@graded(of="attention", mistakes=MISTAKES)
def check_attention_weights(student, draw):
    """each query shares its attention among the keys."""
    keys, d_k, d_v = draw.sizes(3)
    given = draw.normal(keys, d_k), draw.normal(keys, d_k), draw.normal(keys, d_v)
    _, weights = _attention(student, given)
    _expect_weights(student, weights, given, f"of {keys} queries and keys")


@graded(of="attention", mistakes=MISTAKES)
def check_attention_context(student, draw):
    """each context vector is the values, mixed by that query's weights."""
    queries, keys, d_k, d_v = draw.sizes(4)
    given = draw.normal(queries, d_k), draw.normal(keys, d_k), draw.normal(keys, d_v)
    context, weights = _attention(student, given)
    mistakes = {message: wrong for message, (wrong, _) in _wrong(*given).items()}
    doing = f"the context with {queries} queries, {keys} keys, head size {d_k} and values of {d_v}"
    expect_tensor(context, _mixed(weights, given), doing, mistakes)


@graded
def check_attention_batch(student, draw):
    """a batch of sentences, and unequal lengths."""
    batch, queries, keys, d_k, d_v = draw.sizes(5, low=2)
    given = draw.normal(batch, queries, d_k), draw.normal(batch, keys, d_k), draw.normal(batch, keys, d_v)
    context, weights = _attention(student, given)
    doing = f"of a batch of {batch}, {queries} queries and {keys} keys"
    if not _slips_alone(student, weights, given):
        _expect_weights(student, weights, given, doing)
    expect_tensor(context, _mixed(weights, given), f"the context {doing}")


def _attention(student, given):
    return context_and_weights(student.call("attention", *given), attention(*given), "attention")


def _mixed(weights, given):
    """Mix the values by a student's own weights: a slip in these is charged by the checks of the weights, not twice."""
    return own_weights(weights, attention(*given)[1]).double() @ given[2].double()


def _expect_weights(student, weights, given, of):
    """Judge weights by the student's own scores and softmax, whose slips are charged by their own checks."""
    right, raw = attention(*given)[1], student.own("scaled_scores", *given[:2])
    own = student.own("softmax_rows", raw) if isinstance(raw, torch.Tensor) else None
    if not close(weights, own_weights(own, right)):
        mistakes = {message: wrong for message, (_, wrong) in _wrong(*given).items()}
        expect_tensor(weights, right, f"the tensor of weights {of}", mistakes)


def _slips_alone(student, weights, given):
    """Say whether the first sentence alone gets the same wrong weights: check_attention_weights charges that."""
    alone = student.own("attention", *(part[0] for part in given))
    named = any(close(weights, wrong) for _, wrong in _wrong(*given).values())
    return named and isinstance(alone, (list, tuple)) and len(alone) == 2 and close(alone[1], weights[0])
