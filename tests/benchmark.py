"""Compare ways to compute the same causal multi-head attention: python tests/benchmark.py

Prints each one's time and extra memory. Times are medians of interleaved rounds, as ratios to `utils.attention`.
"""

import time
from functools import partial
from pathlib import Path
from statistics import median

import torch
import torch.nn.functional as F
from torch import nn
from torch.nn.functional import scaled_dot_product_attention as sdpa

from utils.attention import MultiHeadAttention, causal_mask

BATCH, TOKENS, D_MODEL, HEADS, ROUNDS = 8, 1024, 768, 12, 7

torch.manual_seed(0)
torch.set_num_threads(2)
inputs = torch.randn(BATCH, TOKENS, D_MODEL)
ours = MultiHeadAttention(D_MODEL, HEADS).eval()
past = causal_mask(TOKENS)
projections = [ours.W_query, ours.W_key, ours.W_value]
combined_weight = torch.cat([layer.weight for layer in projections])
combined_bias = torch.cat([layer.bias for layer in projections])
pytorchs = nn.MultiheadAttention(D_MODEL, HEADS, batch_first=True).eval()
output = {f"out_proj.{name}": tensor for name, tensor in ours.W_output.state_dict().items()}
pytorchs.load_state_dict({"in_proj_weight": combined_weight, "in_proj_bias": combined_bias} | output)


def split(features):
    return features.unflatten(-1, (HEADS, -1)).transpose(1, 2)


def separate():
    return [split(layer(inputs)) for layer in projections]


def combined():
    return [split(features) for features in F.linear(inputs, combined_weight, combined_bias).chunk(3, dim=-1)]


def weigh(scores, head_dim):
    return (scores / head_dim**0.5).masked_fill(~past, -torch.inf).softmax(dim=-1)


def matmul(query, key, value):
    return weigh(query @ key.mT, query.shape[-1]) @ value


def einsum(query, key, value):
    weights = weigh(torch.einsum("bhqd,bhkd->bhqk", query, key), query.shape[-1])
    return torch.einsum("bhqk,bhkd->bhqd", weights, value)


def joined(project, attend):
    return ours.W_output(attend(*project()).transpose(1, 2).flatten(2))


def single_heads():
    contexts = []
    for matrices in zip(*(zip(layer.weight.chunk(HEADS), layer.bias.chunk(HEADS)) for layer in projections)):
        contexts.append(matmul(*(F.linear(inputs, *matrix) for matrix in matrices)))
    return ours.W_output(torch.cat(contexts, dim=-1))


def module(need_weights, training=False):
    options = {"attn_mask": ~past, "is_causal": not need_weights, "need_weights": need_weights}
    return pytorchs.train(training)(inputs, inputs, inputs, **options)[0]


WAYS = {
    "utils, without weights": partial(ours, inputs, causal=True),
    "utils, with weights": lambda: ours(inputs, causal=True, need_weights=True)[0],
    "a list of single heads": single_heads,
    "separate Q, K, V; matmul and softmax": partial(joined, separate, matmul),
    "combined Q, K, V; matmul and softmax": partial(joined, combined, matmul),
    "combined Q, K, V; einsum and softmax": partial(joined, combined, einsum),
    "combined Q, K, V; SDPA, is_causal": partial(joined, combined, partial(sdpa, is_causal=True)),
    "combined Q, K, V; SDPA, boolean mask": partial(joined, combined, partial(sdpa, attn_mask=past)),
    "nn.MultiheadAttention without weights": partial(module, need_weights=False),
    "nn.MultiheadAttention, in train()": partial(module, need_weights=False, training=True),
    "nn.MultiheadAttention with weights": partial(module, need_weights=True),
}


def seconds(way):
    start = time.perf_counter()
    way()
    return time.perf_counter() - start


def megabytes(way):
    """Peak memory above the start, as Linux counts it; nan elsewhere."""
    try:
        Path("/proc/self/clear_refs").write_text("5")  # start counting the peak anew
        before = resident("VmRSS")
        way()
        return (resident("VmHWM") - before) / 1024
    except OSError:
        return float("nan")


def resident(field):
    lines = Path("/proc/self/status").read_text().splitlines()
    return next(int(line.split()[1]) for line in lines if line.startswith(field))


@torch.no_grad()
def main():
    reference = ours(inputs, causal=True)
    for way in WAYS.values():  # the warm-up, and proof that all compute the same
        torch.testing.assert_close(way(), reference, atol=1e-4, rtol=0)
    times = {name: [] for name in WAYS}
    for _ in range(ROUNDS):
        for name, way in WAYS.items():
            times[name].append(seconds(way))
    unit = median(times["utils, without weights"])
    print(f"inputs {tuple(inputs.shape)}, {HEADS} heads, causal, float32, no gradients, 2 threads")
    print(f"{'':38} {'time':>6} {'extra memory':>13}   (time 1.00 = {unit:.2f} s)")
    for name, way in WAYS.items():
        print(f"{name:38} {median(times[name]) / unit:6.2f} {megabytes(way):10.0f} MB")


if __name__ == "__main__":
    main()
