"""Right and wrong answers to the exercises in notebook 06 (context vectors)."""

import math

import torch
import torch.nn.functional as F

from companion.checks.notebook_06 import check_masked_softmax, check_my_attention, check_read_weights
from utils.attention import attention, masked_softmax, scores


def emptied_before(scores, mask=None):
    mask = torch.ones_like(scores, dtype=torch.bool) if mask is None else mask.expand(scores.shape)
    some = mask.any(-1, keepdim=True)
    return torch.where(some, scores.where(mask | ~some, -math.inf), 0).softmax(-1) * some


def by_hand(scores, mask=None):
    if mask is not None:
        scores = torch.where(mask, scores, torch.finfo(scores.dtype).min)
    exps = (scores - scores.amax(-1, keepdim=True)).exp() * (1 if mask is None else mask)
    return exps / exps.sum(-1, keepdim=True).clamp(min=1e-30)


def all_at_once(scores, mask=None):
    """A softmax over the whole matrix, then divided by the sum of each row: lost where rows differ by much."""
    exps = (scores - scores.max()).exp() * (1 if mask is None else mask)
    return exps / exps.sum(-1, keepdim=True).clamp(min=1e-30)


def by_pytorch(query, key, value, mask=None):
    each_alone = torch.eye(key.shape[-2]).expand(*key.shape[:-1], -1)
    context, weights = (F.scaled_dot_product_attention(query, key, part, mask) for part in (value, each_alone))
    return context, weights


def by_loop(query, key, value, mask=None):
    if query.ndim > 2:
        masks = [None] * len(query) if mask is None else mask
        return tuple(map(torch.stack, zip(*map(by_loop, query, key, value, masks))))
    rows = torch.zeros(len(query), len(key))
    mask = torch.ones_like(rows) == 1 if mask is None else mask.expand(rows.shape)
    for i, one_query in enumerate(query):
        allowed = mask[i].nonzero().flatten()
        if len(allowed):
            rows[i, allowed] = torch.softmax(key[allowed] @ one_query / math.sqrt(len(one_query)), 0)
    return torch.stack([sum(weight * v for weight, v in zip(row, value)) for row in rows]), rows


def as_numbers(query, key, value, mask=None):
    """Right numbers, made anew from lists: nothing leads back to the query."""
    context, weights = attention(query, key, value, mask)
    return torch.tensor(context.tolist()), torch.tensor(weights.tolist())


def written_into(scores, mask=None):
    if mask is None:
        return torch.softmax(scores, -1)
    weights = torch.softmax(scores.masked_fill(~mask, -torch.inf), -1)
    weights[~mask.expand_as(weights)] = 0
    return weights


def indexed(scores, mask=None):
    """Write zeros by an index, which needs a mask as large as the weights."""
    if mask is None:
        return torch.softmax(scores, -1)
    weights = torch.softmax(scores.masked_fill(~mask, -torch.inf), -1)
    weights[~mask] = 0
    return weights


def asked(scores, mask=None):
    """Ask a whole table for one True or False."""
    if mask:
        return masked_softmax(scores, mask)
    return torch.softmax(scores, -1)


def not_kept(scores, mask=None):
    """Fill a copy of the scores, and lose it."""
    if mask is None:
        return torch.softmax(scores, -1)
    scores.masked_fill(~mask, -torch.inf)
    return torch.softmax(scores, -1).masked_fill(~mask, 0.0)


def read(query, key):
    return F.scaled_dot_product_attention(query, key, torch.ones(key.shape[:-1]).diag_embed())


RIGHT = {
    check_masked_softmax: [masked_softmax, emptied_before, by_hand],
    check_my_attention: [
        attention,
        by_pytorch,
        by_loop,
        lambda query, key, value, mask=None: attention(query.double(), key.double(), value.double(), mask),
    ],
    check_read_weights: [
        read,
        lambda query, key: F.scaled_dot_product_attention(query, key, 2 * torch.eye(key.shape[-2])) / 2,
        lambda query, key: F.scaled_dot_product_attention(query[None], key[None], torch.eye(key.shape[-2])[None])[0],
    ],
}
WRONG = {
    check_masked_softmax: [
        (all_at_once, "masked_softmax of scores of 1000 has the right shape"),
        (written_into, "writing into a tensor, as in weights[~mask] = 0, leaves training no way back"),
        (indexed, "a mask may have fewer rows than the weights, and square brackets, as in weights[~mask] = 0, do not"),
        (asked, "`if mask:` and `not mask` ask the whole table for one True or False"),
        (not_kept, "the mask comes after softmax, so the rows no longer sum to 1: set the scores to -inf before."),
        (lambda scores, mask=None: masked_softmax(scores, ~~mask), "without a mask there is nothing to turn round"),
        (lambda scores: masked_softmax(scores), "your function stopped with TypeError"),
        (lambda scores, mask=None: masked_softmax(scores, mask).round(decimals=2), "masked_softmax without a mask is"),
    ],
    check_my_attention: [
        (as_numbers, "the numbers are right, but training cannot go through them"),
        (lambda *given: attention(*given)[0], "my_attention of 5 queries and 5 keys returns two things"),
        (lambda query, key, value, mask=None: attention(query / 3, key, value, mask), "the context of my_attention of"),
    ],
    check_read_weights: [
        (lambda query, key: F.scaled_dot_product_attention(query, key, torch.eye(8)), "PyTorch cannot multiply"),
        (lambda query, key: read(query, key).flatten(0, -2), "read_weights with 4 queries and 7 keys on a batch gives"),
        (lambda query, key: scores(query, key).exp(), "read_weights with 5 queries and 5 keys has the right shape"),
    ],
}
