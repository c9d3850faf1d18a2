"""Ways to write multi-head attention, all with the same weights, and the proof that they do the same.

`tests/benchmark.py` compares them. Self-attention is causal; cross-attention, with a memory, has no mask.
"""

import math
from collections.abc import Callable
from contextlib import suppress
from dataclasses import dataclass
from functools import partial

import torch
import torch.nn.functional as F
from torch import nn
from torch.nn.attention import SDPBackend, sdpa_kernel
from torch.nn.functional import scaled_dot_product_attention as sdpa

from utils.attention import causal_mask, merge_heads, split_heads
from utils.fast import tiled_attention

OURS = "`utils`, fused"
WITHIN = {torch.float32: 1e-4, torch.bfloat16: 3e-2}
KERNELS = (SDPBackend.FLASH_ATTENTION, SDPBackend.EFFICIENT_ATTENTION, SDPBackend.CUDNN_ATTENTION, SDPBackend.MATH)


@dataclass
class Way:
    run: Callable  # returns the output
    parameters: list
    all_weights: bool = False  # are held at once, one for each query and key
    everywhere: bool = False  # is compared at each size, not at one only


def ways(ours, inputs, memory=None):
    """Return {name: way}; each gives the output of the module `ours` for these inputs (batch, tokens, d_model)."""
    causal, num_heads, d_model = memory is None, ours.num_heads, ours.d_model
    sequences = inputs, *(2 * [inputs if causal else memory])  # query, key and value are read from these
    past = causal_mask(inputs.shape[1]).to(inputs.device) if causal else None
    layers = [ours.W_query, ours.W_key, ours.W_value]
    weight, bias = (
        torch.cat([getattr(layer, kind) for layer in layers]).detach().requires_grad_() for kind in ("weight", "bias")
    )
    pytorchs = nn.MultiheadAttention(d_model, num_heads, batch_first=True, device=inputs.device, dtype=inputs.dtype)
    output = {f"out_proj.{name}": tensor for name, tensor in ours.W_output.state_dict().items()}
    pytorchs.load_state_dict({"in_proj_weight": weight, "in_proj_bias": bias} | output)

    def separate():
        return [split_heads(layer(each), num_heads) for layer, each in zip(layers, sequences)]

    def combined():
        if causal:
            parts = F.linear(inputs, weight, bias).chunk(3, dim=-1)
        else:
            query = F.linear(inputs, weight[:d_model], bias[:d_model])
            parts = query, *F.linear(memory, weight[d_model:], bias[d_model:]).chunk(2, dim=-1)
        return [split_heads(part, num_heads) for part in parts]

    def weigh(scores, head_dim):
        scores = scores / math.sqrt(head_dim)
        return (scores.masked_fill(~past, -torch.inf) if causal else scores).softmax(dim=-1)

    def matmul(query, key, value):
        return weigh(query @ key.mT, query.shape[-1]) @ value

    def einsum(query, key, value):
        weights = weigh(torch.einsum("bhqd,bhkd->bhqk", query, key), query.shape[-1])
        return torch.einsum("bhqk,bhkd->bhqd", weights, value)

    def joined(project, attend):
        return ours.W_output(merge_heads(attend(*project())))

    def single_heads():
        contexts = []
        for matrices in zip(*(zip(layer.weight.chunk(num_heads), layer.bias.chunk(num_heads)) for layer in layers)):
            contexts.append(matmul(*(F.linear(each, *one) for each, one in zip(sequences, matrices))))
        return ours.W_output(torch.cat(contexts, dim=-1))

    def module(need_weights):
        options = {"attn_mask": ~past, "is_causal": not need_weights} if causal else {}
        return pytorchs(*sequences, need_weights=need_weights, **options)[0]

    def with_kernel(kernel):
        with sdpa_kernel(kernel):
            return joined(combined, partial(sdpa, is_causal=causal))

    own, packed = list(ours.parameters()), [weight, bias, *ours.W_output.parameters()]
    theirs = list(pytorchs.parameters())
    tiled = partial(tiled_attention, causal=causal)
    found = {
        OURS: Way(partial(ours, inputs, memory, causal=causal), own, everywhere=True),
        "`tiled_attention`": Way(
            partial(joined, separate, tiled),
            own,
            everywhere=not torch.is_grad_enabled(),  # its gradients need all weights
        ),
        "combined Q, K, V; SDPA": Way(
            partial(joined, combined, partial(sdpa, is_causal=causal)), packed, everywhere=True
        ),
        "`nn.MultiheadAttention`": Way(partial(module, need_weights=False), theirs, everywhere=True),
        "combined Q, K, V; matmul": Way(partial(joined, combined, matmul), packed, True, everywhere=True),
        "combined Q, K, V; einsum": Way(partial(joined, combined, einsum), packed, True),
        "a list of single heads": Way(single_heads, own, True),
        "`utils`, with weights": Way(lambda: ours(inputs, memory, causal=causal, need_weights=True)[0], own, True),
        "`nn.MultiheadAttention`, with weights": Way(partial(module, need_weights=True), theirs, True),
    }
    if causal:
        found["combined Q, K, V; SDPA, mask"] = Way(partial(joined, combined, partial(sdpa, attn_mask=past)), packed)
    for kernel in KERNELS if inputs.is_cuda else ():
        way = Way(partial(with_kernel, kernel), packed, kernel == SDPBackend.MATH, everywhere=True)
        with suppress(RuntimeError):  # this GPU or this precision has no such kernel
            way.run()
            found[f"combined Q, K, V; SDPA, {kernel.name}"] = way
    return found


def check(build, inputs, memory=None):
    """Raise AssertionError, with the way's name, unless all agree in output and gradients, and none sees the future.

    build: `ways` with its module, a function of inputs and memory.
    """
    sources = [source for source in (inputs, memory) if source is not None]
    expected, half = None, inputs.shape[1] // 2
    for name, way in build(inputs, memory).items():
        output = way.run()
        found = [output, *torch.autograd.grad(output.square().sum(), sources)]
        expected = expected or found
        assert_same(name, found, expected)
    if memory is None:
        changed = torch.cat([inputs[:, :half], inputs[:, half:] + 3], dim=1)
        for name, way in build(changed).items():
            assert_same(f"{name}, with another future", way.run()[:, :half], expected[0][:, :half])


def assert_same(name, found, expected):
    within = WITHIN[found[0].dtype]
    torch.testing.assert_close(found, expected, atol=within, rtol=within, msg=lambda text: f"{name}: {text}")
