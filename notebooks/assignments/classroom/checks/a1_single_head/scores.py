"""Checks of the assignment a1_single_head: the three projections, and the scores of queries and keys."""

import torch

from classroom.checks.answers import add_hint
from classroom.checks.graded import Draw, Student, graded, make_table
from companion.checks.feedback import expect_parts, expect_tensor
from companion.mistakes import ALL_AXES, EXCHANGED, wrong_scales
from utils.attention import project, scores

PROJECTED = "query", "key", "value"
RIGHT_PROJECT = {"project": lambda X, W_q, W_k, W_v: project(X, W_q, W_k, W_v)}
RIGHT_SCORES = {"scaled_scores": lambda query, key: scores(query, key)}


@graded
def check_project(student: Student, draw: Draw):
    """each of the three is the inputs times its own matrix."""
    for batch in ((), (2,)):
        tokens, d_in, d_k, d_v = draw.sizes(4)
        inputs = draw.normal(*batch, tokens, d_in), *(draw.normal(d_in, size) for size in (d_k, d_k, d_v))
        parts = expect_parts(student.call("project", *inputs), PROJECTED, "project")
        for name, projected, right in zip(PROJECTED, parts, project(*inputs)):
            expect_tensor(projected, right, f"{name} of project with inputs {tuple(inputs[0].shape)}")


def _wrong_scores(query, key):
    right = scores(query, key)
    return {
        EXCHANGED: right.mT,
        "shape[1] is the head size of a matrix only, here it is the number of queries; take the last axis, shape[-1]": (
            right * (query.shape[-1] / query.shape[1]) ** 0.5
        ),
    }


MISTAKES = make_table(_wrong_scores, *torch.ones(2, 2, 4))


@graded(of="scaled_scores", mistakes=MISTAKES)
def check_scores_rows(student: Student, draw: Draw):
    """row i holds query i's dot products with all keys, whatever their scale."""
    queries, keys, d_k = draw.sizes(3)
    for number in (keys, queries):  # first as many queries as keys, then not
        query, key = draw.normal(number, d_k), draw.normal(keys, d_k)
        right, answer = scores(query, key), student.call("scaled_scores", query, key)
        mistakes = {message: _rescale(wrong, right) for message, wrong in _wrong_scores(query, key).items()}
        doing = f"scaled_scores with {number} queries and {keys} keys, brought to the same largest number,"
        expect_tensor(_rescale(answer, right), right, doing, mistakes)


def _wrong_scales(query, key):
    others = {"the number of keys": key.shape[-2], "the number of queries": query.shape[-2]}
    factors = wrong_scales(query.shape[-1], others, "the head size")
    return {message: scores(query, key, "dot") * factor for message, factor in factors.items()}


@graded(of="scaled_scores", mistakes=make_table(_wrong_scales, torch.ones(2, 4), torch.ones(3, 4)))
def check_scores_scale(student: Student, draw: Draw):
    """the scores are divided by the square root of the head size."""
    tokens, keys, *head_sizes = draw.sizes(4, low=6, high=12)
    for d_k in head_sizes:
        query, key = draw.normal(tokens, d_k), draw.normal(keys, d_k)
        right, answer = scores(query, key), student.call("scaled_scores", query, key)
        factor, root = _largest(answer) / _largest(right), d_k**0.5
        guess = f"divided by {root / factor:.3g}, but the root of the head size is {root:.3g} here: a fixed number?"
        mistakes = _wrong_scales(query, key) | {guess: right * factor, EXCHANGED: scores(key, query)}
        expect_tensor(answer, right, f"scaled_scores with head size {d_k}", mistakes)


@graded(of="scaled_scores", mistakes=MISTAKES)
def check_scores_batch(student: Student, draw: Draw):
    """a batch gives one matrix of scores a sentence."""
    batch, queries, keys, d_k = draw.sizes(4)
    query, key = draw.normal(batch, queries, d_k), draw.normal(batch, keys, d_k)
    right = scores(query, key)
    # A wrong scale is charged by its own check: here it must only be the same as without a batch.
    scale = _largest(student.call("scaled_scores", query[0], key[0])) / _largest(right[0])
    with add_hint(ALL_AXES):
        answer = student.call("scaled_scores", query, key)
    doing = f"scaled_scores on a batch, query {tuple(query.shape)} and key {tuple(key.shape)},"
    expect_tensor(answer, scale * right, doing, _wrong_scores(query, key), atol=1e-5 * max(1.0, scale))


def _rescale(answer, right):
    """Give a tensor the largest absolute number of the right one: only its direction counts here."""
    if not isinstance(answer, torch.Tensor) or not answer.is_floating_point():
        return answer
    return answer.double() * (_largest(right) / _largest(answer))


def _largest(answer):
    """Return the largest absolute number in a tensor; 1 where there is none to compare with."""
    if not isinstance(answer, torch.Tensor) or not answer.numel() or not answer.is_floating_point():
        return 1.0
    largest = answer.double().abs().max().item()
    return largest if 0 < largest < float("inf") else 1.0
