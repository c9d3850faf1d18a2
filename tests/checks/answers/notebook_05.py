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
    check_softmax: {
        "in a batch (2, 3, 5) the sums or the largest scores do not line up with the scores": second_axis_added,
        "softmax of scores of 1000 has the right shape": lambda scores: softmax_by_loop(scores.clamp(-80, 80)),
        "your function stopped with TypeError": {"if scores.ndim > 1": "if True"},
        "the weights are right, but PyTorch's own softmax": lambda scores: torch.nn.functional.softmin(-scores, -1),
        "Python's own `max` compares whole rows": lambda scores: (scores - max(scores)).exp(),
    },
    check_score_needed: {
        "this is the exp that the score must have": {"return low": "return torch.tensor(low).exp()"},
        "it gives the same for any number": lambda others, share: by_halving(1, share),
        "it gives the same for any share": lambda others, share: by_halving(others, 0.5),
        "a share is of the whole sum": {"weight < share": "weight / (1 - weight) < share"},
        "score_needed(20, 0.3) gives a tensor of shape (2,), but one": lambda others, share: torch.ones(2),
        "score_needed(7, 0.5) gives 2.15": lambda others, share: by_halving(20, 0.3),
        "torch.log takes a tensor; math.log takes a number": lambda others, share: torch.log(others),
        "score_needed(20, 0.3) gives 6.00, and with this score the word gets 0.95": lambda n, share: share * n,
        "score_needed(20, 0.3) is rounded; what": {"return low": "return round(low, 1)"},
    },
}
