"""Right and wrong answers to the exercises in notebook 09 (multi-head attention)."""

import copy

import torch
from torch import nn

from checks.answers.changed import changed
from companion.checks.notebook_09 import check_many_heads, check_merge_heads, check_split_heads, check_without_head
from utils.attention import MultiHeadAttention, attention, merge_heads, split_heads


def by_slices(features, num_heads):
    size = features.shape[-1] // num_heads
    return torch.stack([features[..., h * size : (h + 1) * size] for h in range(num_heads)], dim=-3)


def many_heads(read):
    """Make a module that reads with read(module, inputs, mask)."""
    return changed(MultiHeadAttention, lambda module, inputs, mask=None: read(module, inputs, mask))


def composed(mask_of=lambda mask: mask, cut=lambda module, layer, inputs: split_heads(layer(inputs), module.num_heads)):
    """Read with the course's functions, in which the mask, or how inputs become heads, may be wrong."""

    def read(module, inputs, mask):
        projections = (cut(module, layer, inputs) for layer in (module.W_query, module.W_key, module.W_value))
        context, weights = attention(*projections, mask_of(mask))
        return module.W_output(merge_heads(context)), weights

    return many_heads(read)


def cut_first(module, layer, inputs):
    return layer(split_heads(inputs, module.num_heads))


def all_but_value(module, layer, inputs):
    return layer(inputs) if layer is module.W_value else split_heads(layer(inputs), module.num_heads)


def merged_late(module, inputs, mask):
    return merge_heads(module.W_output(split_heads(inputs, module.num_heads))), None


def without_value(module, head):
    module, own = copy.deepcopy(module), slice(4 * head, 4 * head + 4)
    with torch.no_grad():
        module.W_value.weight[own], module.W_value.bias[own] = 0, 0
    return module


def in_place(module, head):
    module.W_output.weight.data[:, 4 * head : 4 * head + 4] = 0
    return module


def by_leaf(module, head):
    module = copy.deepcopy(module)
    module.W_output.weight[:, 4 * head : 4 * head + 4] = 0
    return module


AS_IT_IS = "hand the mask on as it is, None included: it broadcasts over the heads"
RIGHT = {
    check_split_heads: [by_slices],
    check_merge_heads: [lambda context: torch.cat(context.unbind(-3), -1)],
    check_many_heads: [composed()],
    check_without_head: [without_value],
}
WRONG = {
    check_split_heads: [
        (lambda features, heads: features.unflatten(-1, (heads, heads)), "unflatten: Provided sizes [2, 2]"),
        (lambda features, heads: features.view(2, 3, 2), "these sizes fit one example only, and view alone would mix"),
        (lambda features, heads: features.unflatten(-1, (heads, -1)).transpose(2, 3), "the number of axes is fixed"),
        (lambda features, heads: features.unflatten(-1, (heads, -1)).permute(1, 0, 2), "the number of axes is fixed"),
        (lambda features, heads: [size for _, size in [features.shape]], "the number of axes is fixed"),
        (lambda features, heads: features.view(-1, features.shape[-1] / heads), "d_model / num_heads gives a float"),
    ],
    check_merge_heads: [
        (
            lambda context: context.transpose(-3, -2).view(2, 1, 3, 12),
            "after transpose the numbers lie in another order",
        ),
        (lambda context: context.transpose(2, 3).flatten(3), "the number of axes is fixed"),
        (lambda context: context.transpose(-3, -2).reshape(5, 12), "these sizes fit one example only, and view alone"),
    ],
    check_many_heads: [
        (nn.MultiheadAttention, "there is no W_query: give self.W_query a layer in __init__"),
        (changed(composed(), W_value=lambda heads: nn.Linear(12, 12, bias=False)), "W_value has no bias; leave out bi"),
        (composed(cut=cut_first), "W_query reads 12 features and got 4: split what it gives, not what it reads"),
        (composed(cut=lambda module, layer, inputs: split_heads(layer(inputs), 3)), "the output of ManyHeads(6, 2) of"),
        (
            many_heads(lambda *inputs: [part.detach() for part in composed().forward(*inputs)]),
            "the output has no gradi",
        ),
        (composed(cut=all_but_value), "the value is not split: query, key and value are all cut into heads"),
        (composed(lambda mask: None if mask is None else mask.unsqueeze(1)), AS_IT_IS),
        (many_heads(merged_late), "W_output reads 12 features and got 4: merge the contexts before it, not after it"),
    ],
    check_without_head: [
        (lambda module, head: module.head_dim, "your module keeps num_heads only"),
        (lambda module, head: without_value(module, 1), "the output of without_head(module, 2) has the right shape"),
        (in_place, "the module that was given has changed: change a copy of it, copy.deepcopy(module)"),
        (by_leaf, "change the numbers of a layer inside `with torch.no_grad():`"),
    ],
}
