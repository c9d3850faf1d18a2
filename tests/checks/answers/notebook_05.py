"""Right and wrong answers to the exercises in notebook 05 (softmax)."""

import math

import torch
import torch.nn.functional as F

from companion.checks.notebook_05 import check_softmax, check_softmax_gradient, check_spread


def softmax_by_loop(scores):
    if scores.ndim > 1:
        return torch.stack([softmax_by_loop(row) for row in scores])
    exps = [math.exp(score - max(scores)) for score in scores]
    return torch.tensor([part / sum(exps) for part in exps])


def softmax_in_place(scores):
    scores -= scores.max(-1, keepdim=True).values
    scores.exp_()
    scores /= scores.sum(-1, keepdim=True)
    return scores


def softmax_from(shift, scores, keepdim=True):
    exps = (scores - shift).exp()
    return exps / exps.sum(-1, keepdim=keepdim)


def entropy(weights, log=torch.log):
    return -(weights * log(weights)).sum(-1)


def gradient(weights, upstream, dim=-1, keepdim=True):
    return weights * (upstream - (weights * upstream).sum(dim, keepdim=keepdim))


def gradient_by_matrix(weights, upstream, sign=-1):
    others = weights[..., :, None] * weights[..., None, :] * (1 - torch.eye(weights.shape[-1]))
    changes = (weights * (1 - weights)).diag_embed() + sign * others
    return (changes @ upstream[..., None]).squeeze(-1)


def gradient_by_loop(weights, upstream):
    if weights.ndim > 1:
        return torch.stack([gradient_by_loop(*pair) for pair in zip(weights, upstream)])
    average = sum(weight * rise for weight, rise in zip(weights, upstream))
    return torch.stack([weight * (rise - average) for weight, rise in zip(weights, upstream)])


def gradient_in_place(weights, upstream):
    upstream -= (weights * upstream).sum(-1, keepdim=True)
    return upstream.mul_(weights)


RIGHT = {
    check_softmax: [
        softmax_by_loop,
        lambda scores: torch.exp(scores - scores.logsumexp(-1, keepdim=True)),
        lambda scores: softmax_from(scores.max(-1, keepdim=True).values, scores.double()),
        lambda scores: 1 / (scores[..., None, :] - scores[..., :, None]).exp().sum(-1),
    ],
    check_spread: [
        lambda weights: torch.special.entr(weights).sum(-1).exp(),
        lambda weights: 2 ** entropy(weights.clamp(min=1e-12), torch.log2),
        lambda weights: (weights.double() ** -weights.double()).prod(-1),
        lambda weights: torch.distributions.Categorical(weights).perplexity(),
        lambda weights: torch.tensor([math.exp(-sum(w * math.log(w) for w in row if w)) for row in weights.tolist()]),
    ],
    check_softmax_gradient: [
        gradient,
        gradient_by_matrix,
        gradient_by_loop,
        lambda weights, upstream: (
            weights * upstream - weights * torch.einsum("...k,...k", weights, upstream)[..., None]
        ),
        lambda weights, upstream: torch.ops.aten._softmax_backward_data(upstream, weights, -1, weights.dtype),
    ],
}
WRONG = {
    check_softmax: [
        (softmax_in_place, "an input is changed in place"),
        (lambda scores: torch.softmax(scores, 0), "the columns sum to 1, over the queries"),
        (lambda scores: scores.exp() / scores.exp().sum(), "all numbers together sum to 1"),
        (lambda scores: scores / scores.sum(-1, keepdim=True), "exp is missing"),
        (lambda scores: scores.exp(), "exp without the division"),
        (lambda scores: softmax_from(0, scores / scores.amax(-1, keepdim=True)), "the largest score is divided by"),
        (lambda scores: softmax_from(0, scores, keepdim=False), "the sums lack keepdim=True, so they run along"),
        (lambda scores: softmax_from(scores.amax(-1), scores), "the largest scores lack keepdim=True"),
        (lambda scores: softmax_from(scores.amax(-1), scores, False), "keepdim=True is missing twice"),
        (lambda scores: softmax_from(0, scores), "large scores give nan: exp overflows"),
        (lambda scores: softmax_from(0, scores.double()), "large scores give nan: exp overflows"),
        (lambda scores: softmax_from(scores.max(), scores), "large scores give nan: all rows share one maximum"),
        (lambda scores: softmax_from(scores.amax(0, True), scores), "each column's largest is subtracted"),
        (lambda scores: softmax_from(scores.mean(-1, True), scores), "large scores give nan: exp overflows"),
        (lambda scores: softmax_from(scores.amin(-1, True), scores), "large scores give nan: exp overflows"),
        (lambda scores: torch.softmax(scores.clamp(max=80), -1), "softmax of scores of 1000 has the right shape"),
        (lambda scores: torch.softmax(scores, 1), "softmax runs over axis 1, the queries of a batch"),
        (lambda scores: torch.softmax(scores, -1).round(decimals=4), "softmax of 4 rows of scores is rounded"),
        (lambda scores: torch.softmax(scores, -1), "the weights are right, but PyTorch's own softmax made them"),
        (
            lambda scores: torch.special.softmax(scores, -1),
            "the weights are right, but PyTorch's own softmax made them",
        ),
        (lambda scores: F.softmin(-scores, -1), "the weights are right, but PyTorch's own softmax made them"),
    ],
    check_spread: [
        (entropy, "this is the entropy; take exp of it"),
        (lambda weights: entropy(weights, torch.log2), "this is the entropy in bits; take 2 to its power"),
        (lambda weights: (-entropy(weights)).exp(), "the sign is turned"),
        (lambda weights: entropy(weights, torch.log2).exp(), "exp undoes the natural logarithm, not log2"),
        (lambda weights: entropy(weights).exp(), "a weight of 0 gives nan"),
        (lambda weights: entropy(weights).nan_to_num().exp(), "spread of rows in which some weights are 0 has"),
        (lambda weights: entropy(weights).sum().exp(), "this is one number for all rows"),
        (lambda weights: entropy(weights).mean().exp(), "this is the average row's"),
        (lambda weights: entropy(weights[weights > 0]).exp(), "this is one number for all rows (picking"),
        (
            lambda weights: entropy(weights, lambda part: (part + 1e-3).log()).exp(),
            "the 0.001 that is added inside log",
        ),
        (lambda weights: (-(weights * weights.log()).mean(-1)).exp(), "this is a mean over the keys"),
        (lambda weights: (-(weights * weights.log())).exp().sum(-1), "exp comes last"),
        (lambda weights: torch.tensor(weights.shape[-1:]).expand(len(weights)), "spread of 3 rows of weights"),
        (lambda weights: 4 ** (entropy(weights) / math.log(weights.shape[-1])), "spread over 8 equal weights has"),
        (lambda weights: 1 / (weights**2).sum(-1), "spread of 3 rows of weights has the right shape"),
    ],
    check_softmax_gradient: [
        (gradient_in_place, "an input is changed in place"),
        (lambda weights, upstream: upstream, "this is upstream alone"),
        (lambda weights, upstream: weights * upstream, "weights times upstream alone"),
        (lambda weights, upstream: weights * (1 - weights) * upstream, "only each score's own weight is counted"),
        (
            lambda weights, upstream: weights * (weights * upstream - (weights * upstream).sum(-1, keepdim=True)),
            "only the other weights are counted",
        ),
        (
            lambda weights, upstream: upstream - (weights * upstream).sum(-1, keepdim=True),
            "the weight in front is missing",
        ),
        (lambda weights, upstream: -gradient(weights, upstream), "the sign is turned"),
        (
            lambda weights, upstream: weights * upstream - (weights * upstream).sum(-1, keepdim=True),
            "α stands only before upstream",
        ),
        (
            lambda weights, upstream: gradient(weights, upstream) - weights * weights * upstream,
            "each score's own upstream is taken off twice",
        ),
        (
            lambda weights, upstream: gradient_by_matrix(weights, upstream, sign=1),
            "the other weights fall, so what they count is taken off",
        ),
        (
            lambda weights, upstream: weights * (upstream + (weights * upstream).sum(-1, keepdim=True)),
            "the average is added",
        ),
        (
            lambda weights, upstream: weights * (upstream - upstream.mean(-1, keepdim=True)),
            "the plain mean is taken off",
        ),
        (lambda weights, upstream: weights * (upstream - upstream.sum(-1, keepdim=True)), "the plain sum is taken off"),
        (lambda weights, upstream: weights * (upstream - (weights * upstream).sum()), "all rows share one sum"),
        (lambda weights, upstream: gradient(weights, upstream, dim=-2), "the sum runs down the columns"),
        (lambda weights, upstream: gradient(weights, upstream, dim=0), "the sum runs down the columns"),
        (lambda weights, upstream: gradient(weights, upstream, keepdim=False), "the sum lacks keepdim=True"),
        (lambda weights, upstream: gradient(weights, upstream, dim=1), "the sum runs over axis 1"),
        (lambda weights, upstream: weights * gradient(weights, upstream) / weights, "a weight of 0 gives nan"),
        (lambda weights, upstream: gradient(weights, upstream).sum(-1), "the gradient of 4 rows gives shape (4,)"),
        (lambda weights, upstream: gradient(weights, upstream).round(decimals=2), "the gradient of 4 rows is rounded"),
        (lambda weights, upstream: gradient_by_matrix(weights, upstream) ** 2, "the gradient of 4 rows has the right"),
    ],
}
