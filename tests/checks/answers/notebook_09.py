"""Right and wrong answers to the exercises in notebook 09 (multi-head attention)."""

import copy

import torch
from torch import nn

from checks.answers.changed import changed
from companion.checks.notebook_09 import check_many_heads, check_merge_heads, check_split_heads, check_without_head
from companion.mistakes import join_by_view
from utils.attention import MultiHeadAttention, attention, merge_heads, split_heads


def by_slices(features, num_heads):
    size = features.shape[-1] // num_heads
    return torch.stack([features[..., h * size : (h + 1) * size] for h in range(num_heads)], dim=-3)


class Heads(MultiHeadAttention):
    def forward(self, inputs, mask=None):
        layers = self.W_query, self.W_key, self.W_value
        query, key, value = (split_heads(layer(inputs), self.num_heads) for layer in layers)
        context, weights = attention(query, key, value, mask)
        output = self.W_output(merge_heads(context))
        return output, weights


def without_value(module, head):
    module, own = copy.deepcopy(module), slice(4 * head, 4 * head + 4)
    with torch.no_grad():
        module.W_value.weight[own], module.W_value.bias[own] = 0, 0
    return module


AS_IT_IS = "hand the mask on as it is, None included: it broadcasts over the heads, without unsqueeze. "
FIXED = "the number of axes is fixed, but there may be none or several in front of these: count from the end."
RIGHT = {
    check_split_heads: [by_slices],
    check_merge_heads: [lambda context: torch.cat(context.unbind(-3), -1)],
    check_many_heads: [Heads],
    check_without_head: [without_value],
}
WRONG = {
    check_split_heads: {
        "unflatten: Provided sizes [2, 2]": lambda features, heads: features.unflatten(-1, (heads, heads)),
        "these sizes fit one example only, and view alone would mix": lambda features, heads: features.view(2, 3, 2),
        f"{FIXED} Dimension out of range": lambda features, heads: features.unflatten(-1, (heads, -1)).transpose(2, 3),
        f"{FIXED} permute": lambda features, heads: features.unflatten(-1, (heads, -1)).permute(1, 0, 2),
        f"{FIXED} too many values to unpack": {"size =": "tokens, d_model = features.shape; size ="},
        "d_model / num_heads gives a float": lambda features, heads: features.view(-1, features.shape[-1] / heads),
        "d_model / num_heads gives a flo": lambda features, heads: features.split(features.shape[-1] / heads, dim=-1),
    },
    check_merge_heads: {
        "after transpose the numbers lie in another order": lambda context: context.transpose(-3, -2).view(2, 1, 3, 12),
        FIXED: lambda context: context.transpose(2, 3).flatten(3),
        "these sizes fit one example only, and view alone": lambda context: context.transpose(-3, -2).reshape(5, 12),
    },
    check_many_heads: {
        "there is no W_query: give self.W_query a layer in __init__": nn.MultiheadAttention,
        "W_value has no bias; leave out bi": changed(Heads, W_value=lambda heads: nn.Linear(12, 12, bias=False)),
        "W_query reads 12 features and got 4: split what it gives, not what it reads": {
            "split_heads(layer(inputs), self.num_heads)": "layer(split_heads(inputs, self.num_heads))"
        },
        "the output of ManyHeads(6, 2) of": {"self.num_heads": "3"},
        "the output has no gradi": {"return output": "return output.detach()"},
        "the value is not split: query, key and value are all cut": {"value, mask": "merge_heads(value), mask"},
        f"{AS_IT_IS}mask has": {"value, mask": "value, None if mask is None else mask.unsqueeze(1)"},
        f"{AS_IT_IS}'NoneType'": {"value, mask": "value, mask.unsqueeze(1)"},
        f"{AS_IT_IS}The size of": {"output, weights": "output, weights if mask is None else weights * mask[:, None]"},
        "merge got a context without an axis": {
            "split_heads(layer(inputs), self.num_heads)": "layer(inputs)",
            "merge_heads": join_by_view,
        },
        "W_output reads 12 features and got 4: merge the contexts before it, not after it": {
            "self.W_output(merge_heads(context))": "merge_heads(self.W_output(context))"
        },
    },
    check_without_head: {
        "your module keeps num_heads only": {"module, own =": "module.head_dim; module, own ="},
        "the output of without_head(module, 2) has the right shape": {"4 * head, 4 * head + 4": "4, 8"},
        "the module that was given has changed: change a copy of it, copy.deepcopy(module)": {
            "copy.deepcopy(module)": "module"
        },
        "change the numbers of a layer inside `with torch.no_grad():`": {"torch.no_grad()": "torch.enable_grad()"},
    },
}
