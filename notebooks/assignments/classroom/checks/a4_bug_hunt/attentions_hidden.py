"""Attentions that the tests of a4_bug_hunt meet in the grader only: known bugs in other forms, and right ones."""

import torch
from torch.nn import functional as F

from classroom.checks.a4_bug_hunt.twelve import PROMISES, WRONG, named
from companion.checks import mistakes
from companion.checks.mistakes import attention_of
from utils import attention as course
from utils.attention import masked_softmax, merge_heads, split_heads


def hidden_from_nobody(scores, mask):
    """Use the mask for nothing but the queries that see nothing."""
    weights = masked_softmax(scores)
    return weights if mask is None else weights * mask.any(dim=-1, keepdim=True)


def off_by_one(scores, mask):
    return masked_softmax(scores, None if mask is None else mask.roll(1, dims=-1))


FRESH = {  # {promise that is broken: {what follows "an attention": the attention}}
    "rows": {"whose softmax runs over queries and keys together": attention_of(weigh=mistakes.over_all)},
    "scale": {
        "that multiplies by the root of head_dim": attention_of(mistakes.scaled(1 / 2)),
        "that divides by head_dim, not by its root": attention_of(mistakes.scaled(-1)),
    },
    "hidden": {
        "that does not use its mask": attention_of(weigh=mistakes.ignored),
        "that adds a boolean mask to its scores": attention_of(weigh=mistakes.added),
        "that uses its mask only for queries that see nothing": attention_of(weigh=hidden_from_nobody),
        "whose mask is one key too far": attention_of(weigh=off_by_one),
    },
    "extremes": {
        "that lets a query with nothing to see take an even mix": attention_of(weigh=mistakes.filled(-1e9)),
        "that subtracts one largest score from all rows": attention_of(
            weigh=mistakes.less(lambda scores: scores.amax(dim=(-2, -1), keepdim=True), least=1e-30)
        ),
    },
    "order": {
        "that cuts the heads of its values without a transpose": attention_of(split_value=mistakes.split_by_view),
        "that joins its heads without a transpose": attention_of(join=mistakes.join_by_view),
    },
}
BROKEN = {  # the same, with what the assignment shows
    promise: named(case for case in WRONG if case.breaks == promise) | FRESH[promise] for promise in PROMISES
}
KNOWN = named(WRONG) | {fault: wrong for fresh in FRESH.values() for fault, wrong in fresh.items()}


def one_head_at_a_time(query, key, value, num_heads, mask=None):
    heads = [each.chunk(num_heads, dim=-1) for each in (query, key, value)]
    shape = len(query), num_heads, query.shape[-2], key.shape[-2]
    masks = [None] * num_heads if mask is None else mask.expand(shape).unbind(1)
    contexts, weights = zip(*map(course.attention, *heads, masks))
    return torch.cat(contexts, dim=-1), torch.stack(weights, dim=1)


def fused(query, key, value, num_heads, mask=None):
    query, key, value = (split_heads(each, num_heads) for each in (query, key, value))
    identity = torch.eye(key.shape[-2], dtype=key.dtype).expand(*key.shape[:-1], key.shape[-2])
    if mask is not None:
        mask = mask.expand(*query.shape[:-1], key.shape[-2])
    weights = F.scaled_dot_product_attention(query, key, identity, attn_mask=mask)
    return merge_heads(F.scaled_dot_product_attention(query, key, value, attn_mask=mask)), weights


def in_float64(query, key, value, num_heads, mask=None):
    given = query.dtype
    context, weights = attention_of()(query.double(), key.double(), value.double(), num_heads, mask)
    return context.to(given), weights.to(given)


FRESH_RIGHT = {  # {what follows "an attention": the attention}
    "that is right: it takes one head at a time": one_head_at_a_time,
    "that is right: it calls PyTorch's own": fused,
    "that is right: it computes in float64": in_float64,
}


def hopeless(query, key, value, num_heads, mask=None):
    """Break every promise at once."""
    query, key, value = (split_heads(each, num_heads) for each in (query, key, value))
    weights = (query @ key.transpose(-2, -1)).exp()
    return merge_heads(weights @ value).roll(1, dims=-2), weights
