"""Our modules' tensors, parameters or their gradients, under the names that PyTorch gives them."""

import torch

ATTENTIONS = {"attention": "self_attn", "cross_attention": "multihead_attn"}
LAYERS = {"feed_forward.widen": "linear1", "feed_forward.narrow": "linear2"}


def of_attention(ours):
    """Name and join the eight tensors of a `MultiHeadAttention` as `torch.nn.MultiheadAttention` does."""
    weight, bias = (
        torch.cat([ours[f"W_{role}.{kind}"] for role in ("query", "key", "value")]) for kind in ("weight", "bias")
    )
    output = {f"out_proj.{kind}": ours[f"W_output.{kind}"] for kind in ("weight", "bias")}
    return {"in_proj_weight": weight, "in_proj_bias": bias, **output}


def of_block(ours):
    """Name and join the tensors of an encoder's or a decoder's block as PyTorch's layers do."""
    parts = {}
    for name, tensor in ours.items():
        part, _, kind = name.rpartition(".")
        parts.setdefault(part, {})[kind] = tensor
    norms = [part for part in parts if part.endswith(".norm")]  # in the order of the block
    layers = LAYERS | {norm: f"norm{number}" for number, norm in enumerate(norms, start=1)}
    found = {f"{layers[part]}.{kind}": parts[part][kind] for part in layers for kind in parts[part]}
    for attention, theirs in ATTENTIONS.items():
        own = {name.removeprefix(f"{attention}."): ours[name] for name in ours if name.startswith(f"{attention}.")}
        found |= {f"{theirs}.{name}": tensor for name, tensor in of_attention(own).items()} if own else {}
    return found
