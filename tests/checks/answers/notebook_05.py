"""Right and wrong answers to the exercises in notebook 05 (softmax)."""

import math

import torch

from companion.checks.notebook_05 import check_softmax, check_softmax_gradient, check_spread, effective_keys


def softmax_by_loop(scores):
    if scores.ndim > 1:
        return torch.stack([softmax_by_loop(row) for row in scores])
    exps = [math.exp(score - max(scores)) for score in scores]
    return torch.tensor([part / sum(exps) for part in exps])


def row_by_row(scores):
    """Take the rows of a matrix or of a batch, of which a single row has none."""
    return torch.stack([softmax_by_loop(row[None])[0] if row.ndim < 2 else row_by_row(row) for row in scores])


def gradient_by_matrix(weights, upstream):
    changes = weights.diag_embed() - weights[..., :, None] * weights[..., None, :]
    return (changes @ upstream[..., None]).squeeze(-1)


RIGHT = {
    check_softmax: [softmax_by_loop, lambda scores: 1 / (scores[..., None, :] - scores[..., :, None]).exp().sum(-1)],
    check_spread: [lambda weights: (weights.double() ** -weights.double()).prod(-1)],
    check_softmax_gradient: [gradient_by_matrix],
}
WRONG = {
    check_softmax: [
        (lambda scores: torch.softmax(scores.clamp(max=80), -1), "softmax of scores of 1000 has the right shape"),
        (row_by_row, "softmax of a single row (4,) has the right shape"),
    ],
    check_spread: [
        (lambda weights: effective_keys(weights) + weights.eq(0).sum(-1), "spread of rows in which some weights are 0")
    ],
    check_softmax_gradient: [
        (lambda w, upstream: gradient_by_matrix(w, upstream) + w.eq(0), "the gradient of rows with weights of 0 has")
    ],
}
