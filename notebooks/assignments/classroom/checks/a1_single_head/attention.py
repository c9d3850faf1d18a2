"""Checks of the assignment a1_single_head: the three projections, scores, softmax along rows, weights and context."""

import torch

from classroom.checks.graded import Inputs, Student, graded
from classroom.checks.shared import add_hint, context_and_weights, usable_weights
from classroom.code_cells import note_uses
from companion import mistakes as known
from companion.checks.feedback import expect_parts, expect_tensor
from utils.attention import attention, project, scores

PROJECTED = "query", "key", "value"
RIGHT_WEIGHTS = {
    "project": lambda X, W_q, W_k, W_v: project(X, W_q, W_k, W_v),
    "scaled_scores": lambda query, key: scores(query, key),
    "softmax_rows": lambda scores: torch.softmax(scores, -1),
}
RIGHT_ATTENTION = RIGHT_WEIGHTS | {"attention": lambda query, key, value: attention(query, key, value)}


@graded
def check_project(student: Student, fresh: Inputs):
    """each of the three is the inputs times its own matrix."""
    for batch in ((), (2,)):
        tokens, d_in, d_k, d_v = fresh.sizes(4)
        inputs = fresh.normal(*batch, tokens, d_in), *(fresh.normal(d_in, size) for size in (d_k, d_k, d_v))
        parts = expect_parts(student.call("project", *inputs), PROJECTED, "project")
        for name, projected, right in zip(PROJECTED, parts, project(*inputs)):
            expect_tensor(projected, right, f"{name} of project with inputs {tuple(inputs[0].shape)}")


def _wrong_scores(query, key):
    right = scores(query, key)
    return {
        known.EXCHANGED: right.mT,
        "shape[1] is the head size of a matrix only, here it is the number of queries; take the last axis, shape[-1]": (
            right * (query.shape[-1] / query.shape[1]) ** 0.5
        ),
    }


SCORE_MISTAKES = known.table_of(_wrong_scores, *torch.ones(2, 2, 4))


@graded(of="scaled_scores", mistakes=SCORE_MISTAKES)
def check_scores_rows(student: Student, fresh: Inputs):
    """row i holds query i's dot products with all keys, whatever their scale."""
    queries, keys, d_k = fresh.sizes(3)
    query, key = fresh.normal(queries, d_k), fresh.normal(keys, d_k)
    right, answer = scores(query, key), student.call("scaled_scores", query, key)
    rescaled = {message: _rescale(wrong, right) for message, wrong in _wrong_scores(query, key).items()}
    doing = f"scaled_scores with {queries} queries and {keys} keys, brought to the same largest number,"
    expect_tensor(_rescale(answer, right), right, doing, rescaled)


def _wrong_scales(query, key):
    others = {"the number of keys": key.shape[-2], "the number of queries": query.shape[-2]}
    factors = known.wrong_scales(query.shape[-1], others, "the head size")
    return {message: scores(query, key, "dot") * factor for message, factor in factors.items()}


@graded(of="scaled_scores", mistakes=known.table_of(_wrong_scales, torch.ones(2, 4), torch.ones(3, 4)))
def check_scores_scale(student: Student, fresh: Inputs):
    """the scores are divided by the square root of the head size."""
    tokens, keys, *head_sizes = fresh.sizes(4)
    for d_k in head_sizes:
        query, key = fresh.normal(tokens, d_k), fresh.normal(keys, d_k)
        right, answer = scores(query, key), student.call("scaled_scores", query, key)
        factor, root = _largest(answer) / _largest(right), d_k**0.5
        guess = f"divided by {root / factor:.3g}, but the root of the head size is {root:.3g} here: a fixed number?"
        wrong = _wrong_scales(query, key) | {guess: right * factor, known.EXCHANGED: scores(key, query)}
        expect_tensor(answer, right, f"scaled_scores with head size {d_k}", wrong)


@graded(of="scaled_scores", mistakes=SCORE_MISTAKES)
def check_scores_batch(student: Student, fresh: Inputs):
    """a batch gives one matrix of scores a sentence."""
    batch, queries, keys, d_k = fresh.sizes(4)
    query, key = fresh.normal(batch, queries, d_k), fresh.normal(batch, keys, d_k)
    right = scores(query, key)
    # A wrong scale is charged by its own check: here it must only be the same as without a batch.
    scale = _largest(student.call("scaled_scores", query[0], key[0])) / _largest(right[0])
    with add_hint(known.ALL_AXES):
        answer = student.call("scaled_scores", query, key)
    doing = f"scaled_scores on a batch, query {tuple(query.shape)} and key {tuple(key.shape)},"
    expect_tensor(answer, scale * right, doing, _wrong_scores(query, key), atol=1e-5 * max(1.0, scale))


def _rescale(answer, right):
    """Give a tensor the largest absolute number of the right one: only its direction counts here."""
    return answer.double() * (_largest(right) / _largest(answer)) if isinstance(answer, torch.Tensor) else answer


def _largest(answer):
    """Return the largest absolute number in a tensor; 1 where there is none to compare with."""
    largest = answer.double().abs().max().item() if isinstance(answer, torch.Tensor) and answer.numel() else 1.0
    return largest if 0 < largest < float("inf") else 1.0


def _wrong_softmaxes(scores):
    """Return {message: weights}, without the slips that stop with an error unless rows and columns are equally many."""
    return known.wrong_softmaxes(scores) | known.given_by(known.NOT_SOFTMAX, scores)


LARGE_MISTAKES = {
    known.OVERFLOW: known.exp_minus(lambda scores: 0.0),
    "the largest score of all is subtracted, so other rows vanish: take each row's own": known.exp_minus(torch.max),
}
BATCH_MISTAKES = {known.LAST_AXIS: lambda scores: torch.softmax(scores, 1)}


@graded(of="softmax_rows", mistakes=known.table_of(_wrong_softmaxes, torch.eye(2)))
def check_softmax_rows(student: Student, fresh: Inputs):
    """no weight is negative, and each row sums to 1."""
    (size,) = fresh.sizes(1)
    scores = fresh.normal(size, size)
    weights = student.call("softmax_rows", scores)
    expect_tensor(weights, torch.softmax(scores, -1), f"softmax_rows of {size} rows", _wrong_softmaxes(scores))


@graded(of="softmax_rows", mistakes=LARGE_MISTAKES)
def check_softmax_large(student: Student, fresh: Inputs):
    """large scores do no harm: each row's own largest one is subtracted first."""
    scores, spacing = fresh.normal(3, 3), 1e-3  # as floats near 2000 have it, with some room
    cases = {
        "of which each row has some near 0, 1000 and 2000": scores + torch.tensor([0.0, 1_000.0, 2_000.0]),
        "near 800 in one row and near -800 in another": scores + torch.tensor([[800.0], [0.0], [-800.0]]),
    }
    for where, large in cases.items():
        weights, doing = student.call("softmax_rows", large), f"softmax_rows of scores {where}"
        wrong = known.given_by(LARGE_MISTAKES, large) | _wrong_softmaxes(scores)  # the same where a row grows alike
        expect_tensor(weights, torch.softmax(large, -1), doing, wrong, atol=spacing)


@graded(of="softmax_rows", mistakes=BATCH_MISTAKES)
def check_softmax_batch(student: Student, fresh: Inputs):
    """a batch of scores works as well."""
    scores = fresh.normal(*fresh.sizes(3))
    weights, doing = student.call("softmax_rows", scores), f"softmax_rows of a batch {tuple(scores.shape)}"
    wrong = known.given_by(BATCH_MISTAKES, scores) | _wrong_softmaxes(scores)
    expect_tensor(weights, torch.softmax(scores, -1), doing, wrong)


def _wrong_pairs(query, key, value):
    """Return {message: (context, weights)}: wrong weights and what they mix, then right weights that mix wrongly."""
    raw_scores, weights = scores(query, key), attention(query, key, value)[1]
    inputs = known.misread_inputs(query, key, value)
    del inputs["divided by the size of query and key itself; take its square root"]  # the same as scaled twice
    twice = torch.softmax(raw_scores / query.shape[-1] ** 0.5, -1)
    wrong = {
        known.NO_SOFTMAX: raw_scores,
        "scaled twice: scaled_scores has divided by the root already": twice,
        known.COLUMNS: torch.softmax(raw_scores, -2),
        **known.given_by(known.NOT_SOFTMAX, raw_scores),
    }
    return {
        **{message: (wrong_weights @ value, wrong_weights) for message, wrong_weights in wrong.items()},
        **{message: attention(*triple) for message, triple in inputs.items()},
        "these are the keys, mixed; mix the values": (weights @ key, weights),
    }


PAIR_MISTAKES = known.table_of(_wrong_pairs, *torch.ones(3, 2, 4))


@graded(of="attention", mistakes=PAIR_MISTAKES, right=RIGHT_WEIGHTS)
def check_attention_weights(student: Student, fresh: Inputs):
    """each query shares its attention among the keys."""
    keys, d_k, d_v = fresh.sizes(3)
    inputs = fresh.inputs(keys, keys, d_k, d_v)
    _, weights = context_and_weights(student.call("attention", *inputs), attention(*inputs), "attention")
    _expect_weights(weights, inputs, f"of {keys} queries and keys")


@graded(of="attention", mistakes=PAIR_MISTAKES, right=RIGHT_WEIGHTS)
def check_attention_context(student: Student, fresh: Inputs):
    """each context vector is the values, mixed by that query's weights."""
    queries, keys, d_k, d_v = fresh.sizes(4)
    inputs = fresh.inputs(queries, keys, d_k, d_v)
    context, weights = context_and_weights(student.call("attention", *inputs), attention(*inputs), "attention", False)
    doing = f"the context with {queries} queries, {keys} keys, head size {d_k} and values of {d_v}"
    _expect_context(context, weights, inputs, doing)


@graded(of="attention", mistakes=PAIR_MISTAKES, right=RIGHT_WEIGHTS)
def check_attention_batch(student: Student, fresh: Inputs):
    """a batch of sentences, and unequal lengths."""
    batch, queries, keys, d_k, d_v = fresh.sizes(5)
    inputs = fresh.inputs(queries, keys, d_k, d_v, batch)
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


def note_code(sources: list[str]) -> list[str]:
    return note_uses(sources, ["softmax_rows"], r"\b\w++\.(?:log_)?[sS]oftmax\b|\bsoftmax(?=\()")
