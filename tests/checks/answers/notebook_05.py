"""Right and wrong answers to the exercises in notebook 05 (softmax)."""

import math

import torch

from companion.checks.notebook_05 import check_score_needed, check_softmax


def softmax_by_loop(scores):
    if scores.ndim > 1:
        return torch.stack([softmax_by_loop(row) for row in scores])
    exps = [math.exp(score - max(scores)) for score in scores]
    return torch.tensor([part / sum(exps) for part in exps])


def by_halving(others, share):
    """Try a score in the middle, and keep the half that has the right one."""
    low, high = -50.0, 50.0
    for _ in range(60):
        score = (low + high) / 2
        weight = torch.softmax(torch.tensor([score] + others * [0.0], dtype=torch.float64), -1)[0]
        low, high = (score, high) if weight < share else (low, score)
    return low


def second_axis_added(scores):
    """Make columns of sums that fit a matrix only."""
    if scores.ndim < 2:
        return torch.softmax(scores, -1)
    exps = (scores - scores.amax(-1)[:, None]).exp()
    return exps / exps.sum(-1)[:, None]


RIGHT = {
    check_softmax: [softmax_by_loop, lambda scores: 1 / (scores[..., None, :] - scores[..., :, None]).exp().sum(-1)],
    check_score_needed: [by_halving, lambda n, share: torch.logit(torch.tensor(share)) + math.log(n)],
}
WRONG = {
    check_softmax: [
        (second_axis_added, "in a batch (2, 3, 5) the sums or the largest scores do not line up with the scores"),
        (lambda scores: softmax_by_loop(scores.clamp(-80, 80)), "softmax of scores of 1000 has the right shape"),
        (lambda scores: torch.stack([softmax_by_loop(row) for row in scores]), "your function stopped with TypeError"),
        (lambda scores: torch.nn.functional.softmin(-scores, -1), "the weights are right, but PyTorch's own softmax"),
        (lambda scores: (scores - max(scores)).exp(), "Python's own `max` compares whole rows"),
    ],
    check_score_needed: [
        (lambda others, share: by_halving(20, 0.3), "score_needed(7, 0.5) gives 2.15"),
        (lambda others, share: torch.log(others), "torch.log takes a tensor; math.log takes a number"),
        (
            lambda others, share: share * others,
            "score_needed(20, 0.3) gives 6.00, and with this score the word gets 0.95",
        ),
        (lambda others, share: round(by_halving(others, share), 1), "score_needed(20, 0.3) is rounded; what"),
    ],
}
