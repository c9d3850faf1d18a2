"""The course's heads as PyTorch's own module, which has the same parameters under other names."""

import torch
from torch import nn


def as_pytorch(module):
    """Return PyTorch's `nn.MultiheadAttention`, batch first, with the parameters of a `MultiHeadAttention`.

    It has no `positions`. Raises RuntimeError for shared key heads, and for a memory of another width.
    """
    like, bias = module.W_output.weight, module.W_output.bias is not None
    theirs = nn.MultiheadAttention(module.d_model, module.num_heads, bias=bias, batch_first=True).to(like)
    theirs.load_state_dict(pytorchs_names(module.state_dict()))
    return theirs


def pytorchs_names(own):
    """Return an attention's parameters, or their gradients, {name: tensor}, by PyTorch's names.

    There, those of query, key and value are one, one below the other.
    """
    roles, parts = ("query", "key", "value"), ("weight", "bias") if "W_output.bias" in own else ("weight",)
    joined = {f"in_proj_{part}": torch.cat([own[f"W_{role}.{part}"] for role in roles]) for part in parts}
    return joined | {f"out_proj.{part}": own[f"W_output.{part}"] for part in parts}
