"""Right and wrong answers to the exercises in notebook 06 (context vectors)."""

import torch
import torch.nn.functional as F

from companion.checks.notebook_06 import check_masked_softmax, check_my_attention
from utils.attention import attention, masked_softmax


def by_hand(scores, mask=None, largest=lambda scores: scores.amax(-1, keepdim=True)):
    if mask is not None:
        scores = torch.where(mask, scores, torch.finfo(scores.dtype).min)
    exps = (scores - largest(scores)).exp() * (1 if mask is None else mask)
    return exps / exps.sum(-1, keepdim=True).clamp(min=1e-30)


def by_pytorch(query, key, value, mask=None):
    each_alone = torch.eye(key.shape[-2]).expand(*key.shape[:-1], -1)
    return [F.scaled_dot_product_attention(query, key, part, mask) for part in (value, each_alone)]


def written_into(scores, mask=None, index_of=lambda mask, weights: ~mask.expand_as(weights)):
    if mask is None:
        return torch.softmax(scores, -1)
    weights = torch.softmax(scores.masked_fill(~mask, -torch.inf), -1)
    weights[index_of(mask, weights)] = 0
    return weights


def asked(scores, mask=None):
    return masked_softmax(scores, mask) if mask else torch.softmax(scores, -1)


RIGHT = {
    check_masked_softmax: [by_hand],
    check_my_attention: [by_pytorch],
}
WRONG = {
    check_masked_softmax: [
        (lambda *given: by_hand(*given, largest=torch.max), "masked_softmax of scores of 1000 has the right shape"),
        (written_into, "writing into a tensor, as in weights[~mask] = 0, leaves training no way back"),
        (lambda *given: written_into(*given, index_of=lambda mask, _: ~mask), "a mask may have fewer rows than the we"),
        (asked, "`if mask:` and `not mask` ask the whole table for one True or False"),
        (lambda scores, mask=None: masked_softmax(scores, ~~mask), "without a mask there is nothing to turn round"),
    ],
    check_my_attention: [
        (lambda query, *given: attention((query + query.detach()) / 2, *given), "the numbers are right, but training")
    ],
}
