"""Right and wrong answers to the exercises in notebook 05 (softmax)."""

import math

import torch
import torch.nn.functional as F

from companion.checks.notebook_05 import check_softmax, check_softmax_gradient, check_spread, effective_keys


def softmax_by_loop(scores):
    if scores.ndim > 1:
        return torch.stack([softmax_by_loop(row) for row in scores])
    exps = [math.exp(score - max(scores)) for score in scores]
    return torch.tensor([part / sum(exps) for part in exps])


def softmax_in_place(scores):
    scores -= scores.max(-1, keepdim=True).values
    return scores.exp_().div_(scores.sum(-1, keepdim=True))


def gradient_by_matrix(weights, upstream):
    changes = weights.diag_embed() - weights[..., :, None] * weights[..., None, :]
    return (changes @ upstream[..., None]).squeeze(-1)


def gradient_by_loop(weights, upstream):
    if weights.ndim > 1:
        return torch.stack([gradient_by_loop(*pair) for pair in zip(weights, upstream)])
    average = sum(weight * rise for weight, rise in zip(weights, upstream))
    return torch.stack([weight * (rise - average) for weight, rise in zip(weights, upstream)])


RIGHT = {
    check_softmax: [
        softmax_by_loop,
        lambda scores: torch.exp(scores - scores.logsumexp(-1, keepdim=True)),
        lambda scores: 1 / (scores[..., None, :] - scores[..., :, None]).exp().sum(-1),
    ],
    check_spread: [
        effective_keys,
        lambda weights: (weights.double() ** -weights.double()).prod(-1),
        lambda weights: torch.distributions.Categorical(weights).perplexity(),
        lambda weights: torch.tensor([math.exp(-sum(w * math.log(w) for w in row if w)) for row in weights.tolist()]),
    ],
    check_softmax_gradient: [
        gradient_by_matrix,
        gradient_by_loop,
        lambda weights, upstream: torch.ops.aten._softmax_backward_data(upstream, weights, -1, weights.dtype),
    ],
}
WRONG = {
    check_softmax: [
        (softmax_in_place, "an input is changed in place"),
        (lambda scores: (exps := (scores - max(scores)).exp()) / exps.sum(-1, True), "Python's own `max` compares"),
        (lambda scores: (exps := (scores - scores.mean(-1, True)).exp()) / exps.sum(-1, True), "large scores give nan"),
        (lambda scores: torch.softmax(scores.clamp(max=80), -1), "softmax of scores of 1000 has the right shape"),
        (lambda scores: torch.softmax(scores, -1).round(decimals=4), "softmax of 4 rows of scores is rounded"),
        (lambda scores: (exps := torch.exp(scores)) / exps.sum(), "all numbers together sum to 1"),
        (lambda scores: torch.tensor([math.exp(row) for row in scores]), "math.exp takes a single number"),
        (lambda scores: F.softmin(-scores, -1), "the weights are right, but PyTorch's own softmax made them"),
    ],
    check_spread: [
        (lambda weights: 1 / (weights**2).sum(-1), "spread of 3 rows of weights has the right shape"),
        (lambda weights: -(weights * weights.log()).sum(), "spread of 3 rows of weights gives shape ()"),
        (lambda weights: effective_keys(weights) + weights.eq(0).sum(-1), "spread of rows in which some weights are 0"),
    ],
    check_softmax_gradient: [
        (lambda weights, upstream: upstream.mul_(weights), "an input is changed in place"),
        (lambda weights, upstream: gradient_by_matrix(weights, upstream).sum(-1), "the gradient of 4 rows gives shape"),
        (lambda weights, upstream: gradient_by_loop(weights, upstream).round(decimals=2), "the gradient of 4 rows is"),
        (lambda weights, upstream: gradient_by_matrix(upstream, weights), "the gradient of 4 rows has the right shape"),
    ],
}
