"""Checks of the assignment a1_single_head: softmax along rows, and the weights and the context of attention."""

import torch

from classroom.checks.a1_single_head.scores import RIGHT_PROJECT, RIGHT_SCORES
from classroom.checks.answers import context_and_weights, usable_weights
from classroom.checks.graded import Draw, Student, graded, make_table, note_uses
from companion import mistakes
from companion.checks.feedback import expect_tensor
from utils.attention import attention, scores

RIGHT_WEIGHTS = RIGHT_PROJECT | RIGHT_SCORES | {"softmax_rows": lambda scores: torch.softmax(scores, -1)}
RIGHT_ATTENTION = RIGHT_WEIGHTS | {"attention": lambda query, key, value: attention(query, key, value)}


def _wrong_softmaxes(scores):
    """Return {message: weights}, without the slips that stop with an error unless rows and columns are equally many."""
    return mistakes.wrong_softmaxes(scores) | mistakes.given_by(mistakes.UNLIKE, scores)


LARGE = {
    mistakes.OVERFLOW: mistakes.exp_minus(lambda scores: 0.0),
    "the largest score of all is subtracted, so other rows vanish: take each row's own": mistakes.exp_minus(torch.max),
}
BATCH = {mistakes.LAST_AXIS: lambda scores: torch.softmax(scores, 1)}


@graded(of="softmax_rows", mistakes=make_table(_wrong_softmaxes, torch.eye(2)))
def check_softmax_rows(student: Student, draw: Draw):
    """no weight is negative, and each row sums to 1."""
    size = draw.sizes(1)[0]
    for rows in (size, size + 2):
        scores = draw.normal(rows, size)
        weights = student.call("softmax_rows", scores)
        expect_tensor(weights, torch.softmax(scores, -1), f"softmax_rows of {rows} rows", _wrong_softmaxes(scores))


@graded(of="softmax_rows", mistakes=LARGE)
def check_softmax_large(student: Student, draw: Draw):
    """large scores do no harm: each row's own largest one is subtracted first."""
    scores, spacing = draw.normal(3, 3), 1e-3  # as floats near 1000 have it, with some room
    cases = {
        "near 1000": scores + 1_000,
        "near -1000": scores - 1_000,
        "of which each row has some near 0, 1000 and 2000": scores + torch.tensor([0.0, 1_000.0, 2_000.0]),
        "near 800 in one row and near -800 in another": scores + torch.tensor([[800.0], [0.0], [-800.0]]),
    }
    for where, large in cases.items():
        weights, doing = student.call("softmax_rows", large), f"softmax_rows of scores {where}"
        wrong = mistakes.given_by(LARGE, large) | _wrong_softmaxes(scores)  # the same where all scores grow alike
        expect_tensor(weights, torch.softmax(large, -1), doing, wrong, atol=spacing)


@graded(of="softmax_rows", mistakes=BATCH)
def check_softmax_batch(student: Student, draw: Draw):
    """a batch of scores works as well."""
    scores = draw.normal(*draw.sizes(3))
    weights, doing = student.call("softmax_rows", scores), f"softmax_rows of a batch {tuple(scores.shape)}"
    wrong = mistakes.given_by(BATCH, scores) | _wrong_softmaxes(scores)
    expect_tensor(weights, torch.softmax(scores, -1), doing, wrong)


def _wrong_pairs(query, key, value):
    """Return {message: (context, weights)}: wrong weights and what they mix, then right weights that mix wrongly."""
    raw_scores, weights = scores(query, key), attention(query, key, value)[1]
    inputs = mistakes.readings(query, key, value)
    del inputs["divided by the size of query and key itself; take its square root"]  # the same as scaled twice
    twice = torch.softmax(raw_scores / query.shape[-1] ** 0.5, -1)
    wrong = {
        mistakes.NO_SOFTMAX: raw_scores,
        "scaled twice: scaled_scores has divided by the root already": twice,
        mistakes.COLUMNS: torch.softmax(raw_scores, -2),
        **mistakes.given_by(mistakes.UNLIKE, raw_scores),
    }
    return {
        **{message: (wrong_weights @ value, wrong_weights) for message, wrong_weights in wrong.items()},
        **{message: attention(*triple) for message, triple in inputs.items()},
        "these are the keys, mixed; mix the values": (weights @ key, weights),
    }


MISTAKES = make_table(_wrong_pairs, *torch.ones(3, 2, 4))


@graded(of="attention", mistakes=MISTAKES, right=RIGHT_WEIGHTS)
def check_attention_weights(student: Student, draw: Draw):
    """each query shares its attention among the keys."""
    keys, d_k, d_v = draw.sizes(3)
    inputs = draw.inputs(keys, keys, d_k, d_v)
    _, weights = context_and_weights(student.call("attention", *inputs), attention(*inputs), "attention")
    _expect_weights(weights, inputs, f"of {keys} queries and keys")


@graded(of="attention", mistakes=MISTAKES, right=RIGHT_WEIGHTS)
def check_attention_context(student: Student, draw: Draw):
    """each context vector is the values, mixed by that query's weights."""
    queries, keys, d_k, d_v = draw.sizes(4)
    inputs = draw.inputs(queries, keys, d_k, d_v)
    context, weights = context_and_weights(student.call("attention", *inputs), attention(*inputs), "attention", False)
    doing = f"the context with {queries} queries, {keys} keys, head size {d_k} and values of {d_v}"
    _expect_context(context, weights, inputs, doing)


@graded(of="attention", mistakes=MISTAKES, right=RIGHT_WEIGHTS)
def check_attention_batch(student: Student, draw: Draw):
    """a batch of sentences, and unequal lengths."""
    batch, queries, keys, d_k, d_v = draw.sizes(5, low=2)
    inputs = draw.inputs(queries, keys, d_k, d_v, batch)
    context, weights = context_and_weights(student.call("attention", *inputs), attention(*inputs), "attention", False)
    doing = f"of a batch of {batch}, {queries} queries and {keys} keys"
    _expect_context(context, weights, inputs, f"the context {doing}")
    _expect_weights(weights, inputs, doing)


def _expect_weights(weights, inputs: tuple, where: str):
    right, doing = attention(*inputs)[1], f"the tensor of weights {where}"
    expect_tensor(weights, right, doing, lambda: {message: pair[1] for message, pair in _wrong_pairs(*inputs).items()})


def _expect_context(context, weights, inputs: tuple, doing: str):
    """Compare a context with the values, mixed by the student's own weights: what is wrong with these has a check."""
    mixed = usable_weights(weights, attention(*inputs)[1]).double() @ inputs[2].double()
    expect_tensor(context, mixed, doing, lambda: {message: pair[0] for message, pair in _wrong_pairs(*inputs).items()})


def remarks(sources: list[str]) -> list[str]:
    return note_uses(sources, ["softmax_rows"], r"\b\w++\.(?:log_)?[sS]oftmax\b|\bsoftmax(?=\()")
