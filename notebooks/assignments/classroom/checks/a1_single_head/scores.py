"""Checks of the assignment a1_single_head: the three projections, and the scores of queries and keys."""

import torch

from classroom.checks.graded import graded, hinted
from companion.checks.feedback import expect_parts, expect_tensor
from companion.checks.mistakes import ALL_AXES, EXCHANGED, wrong_scales
from utils.attention import scores


@graded
def check_project(student, draw):
    """each of the three is the inputs times its own matrix."""
    for batch in ((), (2,)):
        tokens, d_in, d_k, d_v = draw.sizes(4)
        inputs = draw.normal(*batch, tokens, d_in)
        matrices = draw.normal(d_in, d_k), draw.normal(d_in, d_k), draw.normal(d_in, d_v)
        names = "query", "key", "value"
        given = expect_parts(student.call("project", inputs, *matrices), names, "project")
        for name, part, matrix in zip(names, given, matrices):
            right = inputs @ matrix
            mistakes = {
                f"{name} is made with the matrix of {other}; each has its own": inputs @ wrong
                for other, wrong in zip(names, matrices)
                if other != name
            }
            mistakes |= {
                "each column is a token here; tokens are rows: X @ W, not W.T @ X.T": right.transpose(-2, -1),
                f"{name} is divided by a root; the scale belongs to the scores": right / d_k**0.5,
            }
            expect_tensor(part, right, f"{name} of project with inputs {tuple(inputs.shape)}", mistakes)


@graded
def check_scores_rows(student, draw):
    """row i holds query i's dot products with all keys, whatever their scale."""
    queries, keys, d_k = draw.sizes(3)
    for number in (keys, queries):  # first as many queries as keys, then not
        query, key = draw.normal(number, d_k), draw.normal(keys, d_k)
        right = scores(query, key)
        given = student.call("scaled_scores", query, key)
        mistakes = {
            "these are weights already: no softmax yet": torch.softmax(right, dim=-1),
            "view and reshape cut the key's numbers anew, without turning them: key.transpose(-2, -1) turns": (
                query @ key.reshape(d_k, keys)
            ),
        }
        if number == keys:
            mistakes[EXCHANGED] = right.T
        doing = f"scaled_scores with {number} queries and {keys} keys, brought to the same largest number,"
        expect_tensor(_unscaled(given, right), right, doing, {k: _unscaled(v, right) for k, v in mistakes.items()})


@graded
def check_scores_scale(student, draw):
    """the scores are divided by the square root of the head size."""
    tokens, keys, *head_sizes = draw.sizes(4, low=6, high=12)
    for d_k in head_sizes:
        query, key = draw.normal(tokens, d_k), draw.normal(keys, d_k)
        right, root = scores(query, key), d_k**0.5
        given = student.call("scaled_scores", query, key)
        factor = _largest(given) / _largest(right) / root
        factors = wrong_scales(d_k, {"the number of queries": tokens, "the number of keys": keys}, "the head size")
        factors[
            f"divided by {1 / factor:.3g}, but the root of the head size is {root:.3g} here: "
            "a fixed number, or the size of another tensor? Read it off query"
        ] = factor
        mistakes = {message: right * (factor * root) for message, factor in factors.items()}
        expect_tensor(given, right, f"scaled_scores with head size {d_k}", mistakes)


@graded
def check_scores_batch(student, draw):
    """a batch gives one matrix of scores a sentence."""
    batch, queries, keys, d_k = draw.sizes(4)
    query, key = draw.normal(batch, queries, d_k), draw.normal(batch, keys, d_k)
    right = scores(query, key)
    # A wrong scale is charged by its own check: here it must only be the same as without a batch.
    scale = _largest(student.call("scaled_scores", query[0], key[0])) / _largest(right[0])
    with hinted(ALL_AXES):
        given = student.call("scaled_scores", query, key)
    doing = f"scaled_scores on a batch, query {tuple(query.shape)} and key {tuple(key.shape)},"
    mistakes = {
        EXCHANGED: scale * right.mT,
        "shape[1] is the head size of a matrix only, here it is the number of queries; take the last axis, shape[-1]": (
            right * (d_k / queries) ** 0.5
        ),
        "shape[0] is the number of sentences here; take the last axis, shape[-1]": right * (d_k / batch) ** 0.5,
    }
    expect_tensor(given, scale * right, doing, mistakes, atol=1e-5 * max(1.0, scale))


def _unscaled(given, right):
    """Give a tensor the largest absolute number of the right one: only its direction counts here."""
    if not isinstance(given, torch.Tensor) or not given.is_floating_point():
        return given
    return given.double() * (_largest(right) / _largest(given))


def _largest(given):
    """Return the largest absolute number in a tensor; 1 where there is none to compare with."""
    if not isinstance(given, torch.Tensor) or not given.numel() or not given.is_floating_point():
        return 1.0
    largest = given.double().abs().max().item()
    return largest if 0 < largest < float("inf") else 1.0
