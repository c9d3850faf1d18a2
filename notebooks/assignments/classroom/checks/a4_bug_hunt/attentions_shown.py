"""The twelve attentions of the assignment a4_bug_hunt: two are right, ten wrong in ways that were published.

The notebook shows the text of these very functions, numbered in the order of the class, and the checks run them.
So there is no comment in them. Each takes query (batch, queries, d_model), key (batch, keys, d_model), value
(batch, keys, d_value), num_heads and a boolean mask that stretches to (batch, heads, queries, keys), True = may
attend; it returns context (batch, queries, d_value) and weights (batch, heads, queries, keys).
"""

import torch

from utils.attention import merge_heads, split_heads


def right(query, key, value, num_heads, mask=None):
    query, key, value = (split_heads(each, num_heads) for each in (query, key, value))
    scores = query @ key.transpose(2, 3) / query.shape[3] ** 0.5
    if mask is not None:
        scores = scores.masked_fill(~mask, -torch.inf)
    weights = torch.softmax(scores, dim=3)
    if mask is not None:
        weights = weights.masked_fill(~mask, 0.0)
    return merge_heads(weights @ value), weights


def right_but_unusual(query, key, value, num_heads, mask=None):
    query, key, value = (split_heads(each, num_heads) for each in (query, key, value))
    scores = key @ query.transpose(-2, -1) * key.shape[-1] ** -0.5
    if mask is not None:
        mask = mask.expand_as(scores.transpose(-2, -1)).transpose(-2, -1)
        scores = scores.masked_fill(~mask, -torch.inf)
    weights = torch.softmax(scores, dim=-2).transpose(-2, -1).nan_to_num(0.0)
    return merge_heads(weights @ value), weights


def exchanged(query, key, value, num_heads, mask=None):
    mask = torch.tensor(True) if mask is None else mask
    query, key, value = (split_heads(each, num_heads) for each in (query, key, value))
    scores = key @ query.transpose(-2, -1) / query.shape[-1] ** 0.5
    weights = torch.softmax(scores.masked_fill(~mask, -torch.inf), dim=-1)
    weights = weights.masked_fill(~mask, 0.0)
    return merge_heads(weights @ value), weights


def unscaled(query, key, value, num_heads, mask=None):
    query, key, value = (split_heads(each, num_heads) for each in (query, key, value))
    scores = torch.einsum("bhqd,bhkd->bhqk", query, key)
    if mask is not None:
        scores = torch.where(mask, scores, -torch.inf)
    weights = torch.softmax(scores, dim=-1).nan_to_num(0.0)
    context = torch.einsum("bhqk,bhkd->bhqd", weights, value)
    return merge_heads(context), weights


def scaled_by_d_model(query, key, value, num_heads, mask=None):
    query = query / query.shape[-1] ** 0.5
    query, key, value = (split_heads(each, num_heads) for each in (query, key, value))
    scores = query @ key.transpose(-2, -1)
    if mask is not None:
        scores = scores.masked_fill(~mask, -torch.inf)
    weights = torch.nan_to_num(torch.softmax(scores, dim=-1), nan=0.0)
    return merge_heads(weights @ value), weights


def over_queries(query, key, value, num_heads, mask=None):
    mask = torch.tensor(True) if mask is None else mask
    query, key, value = (split_heads(each, num_heads) for each in (query, key, value))
    scores = query @ key.transpose(2, 3) / query.shape[3] ** 0.5
    weights = torch.softmax(scores.masked_fill(~mask, -torch.inf), dim=2)
    weights = weights.masked_fill(~mask, 0.0)
    return merge_heads(weights @ value), weights


def over_heads(query, key, value, num_heads, mask=None):
    query, key, value = (split_heads(each, num_heads) for each in (query, key, value))
    scores = query @ key.transpose(-2, -1) * query.shape[-1] ** -0.5
    if mask is not None:
        scores = scores.masked_fill(~mask, -torch.inf)
    weights = torch.softmax(scores, dim=1).nan_to_num(0.0)
    return merge_heads(weights @ value), weights


def masked_late(query, key, value, num_heads, mask=None):
    query, key, value = (split_heads(each, num_heads) for each in (query, key, value))
    scores = query @ key.transpose(-2, -1) / query.shape[-1] ** 0.5
    weights = torch.softmax(scores, dim=-1)
    if mask is not None:
        weights = torch.where(mask, weights, 0.0)
    return merge_heads(weights @ value), weights


def inverted(query, key, value, num_heads, mask=None):
    query, key, value = (split_heads(each, num_heads) for each in (query, key, value))
    scores = torch.einsum("bhqd,bhkd->bhqk", query, key) / query.shape[-1] ** 0.5
    if mask is not None:
        scores = scores.masked_fill(mask, -torch.inf)
    weights = torch.softmax(scores, dim=-1).nan_to_num(0.0)
    return merge_heads(weights @ value), weights


def empty_row(query, key, value, num_heads, mask=None):
    mask = torch.tensor(True) if mask is None else mask
    query, key, value = (split_heads(each, num_heads) for each in (query, key, value))
    scores = query * query.shape[-1] ** -0.5 @ key.transpose(-2, -1)
    scores = scores.masked_fill(~mask, -torch.inf)
    weights = torch.softmax(scores, dim=-1)
    return merge_heads(weights @ value), weights


def overflowing(query, key, value, num_heads, mask=None):
    query, key, value = (split_heads(each, num_heads) for each in (query, key, value))
    scores = query @ key.transpose(-2, -1) / query.shape[-1] ** 0.5
    if mask is not None:
        scores = scores.masked_fill(~mask, -torch.inf)
    exps = torch.exp(scores)
    weights = exps / exps.sum(dim=-1, keepdim=True).clamp(min=1e-30)
    return merge_heads(weights @ value), weights


def cut_by_reshape(query, key, value, num_heads, mask=None):
    cut = (len(query), num_heads, -1, query.shape[-1] // num_heads)
    query, key = query.reshape(cut), key.reshape(cut)
    value = value.reshape(*cut[:3], value.shape[-1] // num_heads)
    scores = query @ key.transpose(-2, -1) / query.shape[-1] ** 0.5
    if mask is not None:
        scores = scores.masked_fill(~mask, -torch.inf)
    weights = torch.softmax(scores, dim=-1).nan_to_num(0.0)
    return merge_heads(weights @ value), weights
