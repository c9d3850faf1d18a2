"""Ways to write multi-head attention, all with the same weights, and the proof that they do the same.

`tests/benchmark.py` compares them. Self-attention is causal; cross-attention, with a memory, has no mask.
"""

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
KERNELS = SDPBackend.FLASH_ATTENTION, SDPBackend.EFFICIENT_ATTENTION, SDPBackend.CUDNN_ATTENTION  # of a GPU


@dataclass
class Way:
    run: Callable  # returns the output
    parameters: list
    all_weights: bool = False  # are held at once, one for each query and key
    everywhere: bool = False  # is compared at each size, not at one only


class Ways:
    """The output of the module `ours` for inputs (batch, tokens, d_model), computed in many ways."""

    def __init__(self, ours, inputs, memory=None):
        self.ours, self.inputs, self.memory, self.causal = ours, inputs, memory, memory is None
        self.sequences = inputs, *(2 * [inputs if memory is None else memory])  # for query, key and value
        self.future = ~causal_mask(inputs.shape[1]).to(inputs.device) if self.causal else None
        self.layers = [ours.W_query, ours.W_key, ours.W_value]
        self.weight, self.bias = (
            torch.cat([getattr(layer, kind) for layer in self.layers]).detach().requires_grad_()
            for kind in ("weight", "bias")
        )
        like = {"device": inputs.device, "dtype": inputs.dtype}
        self.pytorchs = nn.MultiheadAttention(ours.d_model, ours.num_heads, batch_first=True, **like).eval()
        output = {f"out_proj.{name}": tensor for name, tensor in ours.W_output.state_dict().items()}
        self.pytorchs.load_state_dict({"in_proj_weight": self.weight, "in_proj_bias": self.bias} | output)

    def named(self):
        """Return {name: way}."""
        own, theirs = list(self.ours.parameters()), list(self.pytorchs.parameters())
        packed = [self.weight, self.bias, *self.ours.W_output.parameters()]
        tiled, fused = partial(tiled_attention, causal=self.causal), partial(sdpa, is_causal=self.causal)
        forward_only = not torch.is_grad_enabled()
        found = {
            OURS: Way(self.our_module, own, everywhere=True),
            "combined Q, K, V; SDPA": Way(partial(self.combined, fused), packed, everywhere=True),
            "`nn.MultiheadAttention`": Way(self.pytorchs_module, theirs, everywhere=True),
            "`tiled_attention`": Way(partial(self.separate, tiled), own, everywhere=forward_only),
            "combined Q, K, V; matmul": Way(partial(self.combined, self.matmul), packed, True, everywhere=True),
            "combined Q, K, V; einsum": Way(partial(self.combined, self.einsum), packed, True),
            "a list of single heads": Way(self.single_heads, own, True),
            "`utils`, with weights": Way(partial(self.our_module, need_weights=True), own, True),
            "`nn.MultiheadAttention`, with weights": Way(
                partial(self.pytorchs_module, need_weights=True), theirs, True
            ),
        }
        if self.causal:
            masked = partial(sdpa, attn_mask=~self.future)
            found["combined Q, K, V; SDPA, mask"] = Way(partial(self.combined, masked), packed)
        for kernel in KERNELS if self.inputs.is_cuda else ():
            way = Way(partial(self.with_kernel, kernel, fused), packed, everywhere=True)
            with suppress(RuntimeError):  # this GPU has no such kernel, or not for this precision
                way.run()
                found[f"combined Q, K, V; SDPA, {kernel.name}"] = way
        return found

    def our_module(self, need_weights=False):
        answer = self.ours(self.inputs, self.memory, causal=self.causal, need_weights=need_weights)
        return answer[0] if need_weights else answer

    def pytorchs_module(self, need_weights=False):
        options = {"attn_mask": self.future, "is_causal": not need_weights} if self.causal else {}
        return self.pytorchs(*self.sequences, need_weights=need_weights, **options)[0]

    def separate(self, attend):
        return self._joined(attend, [layer(each) for layer, each in zip(self.layers, self.sequences)])

    def combined(self, attend):
        if self.causal:
            return self._joined(attend, F.linear(self.inputs, self.weight, self.bias).chunk(3, dim=-1))
        size = self.ours.d_model
        query = F.linear(self.inputs, self.weight[:size], self.bias[:size])
        return self._joined(attend, [query, *F.linear(self.memory, self.weight[size:], self.bias[size:]).chunk(2, -1)])

    def with_kernel(self, kernel, attend):
        with sdpa_kernel(kernel):
            return self.combined(attend)

    def single_heads(self):
        contexts, heads = [], self.ours.num_heads
        for one in zip(*(zip(layer.weight.chunk(heads), layer.bias.chunk(heads)) for layer in self.layers)):
            contexts.append(self.matmul(*(F.linear(each, *matrix) for each, matrix in zip(self.sequences, one))))
        return self.ours.W_output(torch.cat(contexts, dim=-1))

    def matmul(self, query, key, value):
        return self._weigh(query @ key.mT) @ value

    def einsum(self, query, key, value):
        weights = self._weigh(torch.einsum("bhqd,bhkd->bhqk", query, key))
        return torch.einsum("bhqk,bhkd->bhqd", weights, value)

    def _weigh(self, scores):
        scores = scores / self.ours.head_dim**0.5
        return (scores.masked_fill(self.future, -torch.inf) if self.causal else scores).softmax(dim=-1)

    def _joined(self, attend, features):
        return self.ours.W_output(merge_heads(attend(*(split_heads(each, self.ours.num_heads) for each in features))))


def check(build, inputs, memory=None):
    """Raise AssertionError, with the way's name, unless all agree in output and gradients, and none sees the future.

    build: returns the named ways for these inputs and memory.
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
