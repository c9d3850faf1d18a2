"""Right and wrong answers to the exercises in notebook 05 (softmax)."""

import math

import torch
import torch.nn.functional as F

from utils.checks.notebook_05 import check_spread, check_tempered_softmax


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


def tempered(soften):
    return lambda scores, temperature: soften(scores / temperature)


RIGHT = {
    check_tempered_softmax: [
        tempered(softmax_by_loop),
        tempered(softmax_in_place),
        lambda scores, temperature: torch.exp(
            scores / temperature - (scores / temperature).logsumexp(-1, keepdim=True)
        ),
        tempered(lambda scores: (scores - scores.logsumexp(-1, keepdim=True)).exp()),
    ],
    check_spread: [
        lambda weights: torch.special.entr(weights).sum(-1).exp(),
        lambda weights: 2 ** entropy(weights.clamp_(min=1e-12), torch.log2),
        lambda weights: (weights.double() ** -weights.double()).prod(-1),
        lambda weights: torch.distributions.Categorical(weights).perplexity(),
        lambda weights: torch.tensor([math.exp(-sum(w * math.log(w) for w in row if w)) for row in weights.tolist()]),
    ],
}
WRONG_SOFTMAXES = [
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
    (lambda scores: softmax_from(scores.max(), scores), "large scores give nan: exp overflows, or every exp is 0"),
    (lambda scores: softmax_from(scores.mean(-1, True), scores), "large scores give nan: exp overflows"),
    (lambda scores: softmax_from(scores.amin(-1, True), scores), "large scores give nan: exp overflows"),
    (lambda scores: torch.softmax(scores.clamp(max=80), -1), "tempered_softmax on scores of 1000 has the right shape"),
    (lambda scores: torch.softmax(scores, 1), "softmax runs over axis 1, which is the last one of a matrix only"),
    (lambda scores: torch.softmax(scores, -1).round(decimals=4), "tempered_softmax at temperature 1 is rounded"),
    (lambda scores: torch.softmax(scores, -1), "the weights are right, but PyTorch's own softmax made them"),
    (lambda scores: torch.special.softmax(scores, -1), "the weights are right, but PyTorch's own softmax made them"),
    (lambda scores: F.softmin(-scores, -1), "the weights are right, but PyTorch's own softmax made them"),
]
WRONG = {
    check_tempered_softmax: [
        (lambda scores, temperature: softmax_by_loop(scores), "the temperature has no effect"),
        (lambda scores, temperature: softmax_by_loop(scores * temperature), "the scores are multiplied by the"),
        (lambda scores, temperature: softmax_by_loop(scores) / temperature, "the weights are divided by the"),
        *((tempered(soften), message) for soften, message in WRONG_SOFTMAXES),
    ],
    check_spread: [
        (entropy, "this is the entropy; take exp of it"),
        (lambda weights: entropy(weights, torch.log2), "this is the entropy in bits; take 2 to its power"),
        (lambda weights: (-entropy(weights)).exp(), "the sign is turned"),
        (lambda weights: entropy(weights, torch.log2).exp(), "exp undoes the natural logarithm, not log2"),
        (lambda weights: entropy(weights).exp(), "a weight of 0 gives nan"),
        (lambda weights: entropy(weights).nan_to_num().exp(), "spread of rows in which some weights are 0 has"),
        (lambda weights: entropy(weights).sum().exp(), "spread of 3 rows of weights gives shape ()"),
        (lambda weights: torch.tensor(weights.shape[-1:]).expand(len(weights)), "spread of 3 rows of weights"),
        (lambda weights: 4 ** (entropy(weights) / math.log(weights.shape[-1])), "spread over 8 equal weights has"),
        (lambda weights: 1 / (weights**2).sum(-1), "spread of 3 rows of weights has the right shape"),
    ],
}
