"""The course's heads as PyTorch's own module, which has the same parameters under other names. As in notebook 09."""

import torch
from torch import nn


def as_pytorch(module):
    """Return PyTorch's `nn.MultiheadAttention`, batch first, with the parameters of a `MultiHeadAttention`.

    Raises ValueError for what that module has not: positions, shared key heads, a memory of another width.
    """
    like, bias = module.W_output.weight, module.W_output.bias is not None
    if module.positions is not None:
        raise ValueError("positions is given, and PyTorch's module takes none; leave it out")
    if module.W_key.weight.shape != like.shape:
        shapes = f"{tuple(module.W_key.weight.shape)}, and in PyTorch's module {tuple(like.shape)}"
        raise ValueError(f"W_key has shape {shapes}; leave out num_kv_heads and d_memory")
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
