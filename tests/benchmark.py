"""Time five ways to write causal multi-head attention, all with the same weights: python tests/benchmark.py

Writes `notebooks/companion/measured.json`, which notebook 16 reads, and prints the table of `tests/README.md`. It needs
Linux, which forgets a peak of memory when asked to, and some minutes; leave the machine alone meanwhile.
"""

import ctypes
import json
import re
from functools import partial
from pathlib import Path

import torch
from torch.nn import functional as F
from torch.utils.benchmark import Timer

from utils.attention import MultiHeadAttention, causal_mask, merge_heads, split_heads
from utils.fast import tiled_attention
from utils.pytorch import as_pytorch

MEASURED = Path(__file__).parent.parent / "notebooks" / "companion" / "measured.json"
SIZES = ((1, 256), (1, 1024), (1, 4096), (1, 16384), (8, 1024))  # batch, tokens
D_MODEL, NUM_HEADS = 768, 12
OURS, PLAIN = "`utils`, fused", "combined Q, K, V; matmul"
LONGEST_PLAIN = 4096  # tokens: for 16,384 it would hold tens of GB of weights


def ways_of(ours):
    """Return {name: a function from inputs (batch, tokens, d_model) to the outputs of the module `ours`}."""
    layers, pytorchs = (ours.W_query, ours.W_key, ours.W_value), as_pytorch(ours)

    def run(attend, project, inputs):
        heads = (split_heads(features, ours.num_heads) for features in project(inputs))
        return ours.W_output(merge_heads(attend(*heads)))

    def plain(query, key, value):
        scores = query @ key.mT / query.shape[-1] ** 0.5
        return scores.masked_fill(~causal_mask(query.shape[-2]), -torch.inf).softmax(dim=-1) @ value

    def pytorch(inputs):
        future = ~causal_mask(inputs.shape[1])
        return pytorchs(inputs, inputs, inputs, attn_mask=future, is_causal=True, need_weights=False)[0]

    def combined(inputs):  # query, key and value by one product
        return F.linear(inputs, pytorchs.in_proj_weight, pytorchs.in_proj_bias).chunk(3, dim=-1)

    def separate(inputs):
        return [layer(inputs) for layer in layers]

    return {
        OURS: partial(ours, causal=True),
        "combined Q, K, V; SDPA": partial(run, partial(F.scaled_dot_product_attention, is_causal=True), combined),
        "`nn.MultiheadAttention`": pytorch,
        "`tiled_attention`": partial(run, partial(tiled_attention, causal=True), separate),
        PLAIN: partial(run, plain, combined),
    }


def check(ways, inputs):
    """Raise AssertionError, with the way's name, unless each has our outputs and gradients and sees no future."""
    half, expected = inputs.shape[1] // 2, None
    another_future = torch.cat([inputs[:, :half], inputs[:, half:] + 3], dim=1)
    for name, way in ways.items():
        output = way(inputs)
        answer = [output, *torch.autograd.grad(output.square().sum(), inputs)]
        expected = expected or answer
        future = [way(another_future)[:, :half], output[:, :half]]
        for pair, label in (((answer, expected), name), (future, f"{name}, with another future")):
            torch.testing.assert_close(*pair, atol=1e-4, rtol=1e-4, msg=lambda text, label=label: f"{label}: {text}")


@torch.no_grad()
def measure(way, inputs, seconds):
    """Return the median seconds of a run, measured for so many, and by how many MB the memory in use rose."""
    megabytes = extra_memory(way, inputs)  # also the warm-up
    timer = Timer("way(inputs)", globals={"way": way, "inputs": inputs}, num_threads=torch.get_num_threads())
    return round(timer.blocked_autorange(min_run_time=seconds).median, 5), megabytes


def extra_memory(way, inputs):
    """Return by how many MB this process's memory rises while a way runs."""
    ctypes.CDLL(None).malloc_trim(0)  # gives back what earlier runs left, or this run would seem to need nothing
    Path("/proc/self/clear_refs").write_text("5")
    before = kilobytes("VmRSS")
    way(inputs)
    return round((kilobytes("VmHWM") - before) * 1.024e-3)


def kilobytes(field):
    return int(re.search(rf"{field}:\s+(\d+)", Path("/proc/self/status").read_text())[1])


def table(measured):
    """Return the table of `tests/README.md`: times as multiples of ours, and memory."""
    sizes = [f"{batch} × {tokens:,}" for batch, tokens in measured["sizes"]]
    rows = [["way", *sizes, f"extra MB at {sizes[-1]}"], ["---"] * (2 + len(sizes))]
    for name, way in measured["ways"].items():
        times = zip(way["seconds"], measured["ways"][OURS]["seconds"])
        ratios = ["does not fit" if one is None else f"{one / ours:.2f}" for one, ours in times]
        rows.append([name, *ratios, f"{way['megabytes'][-1]:,}"])
    return "".join(f"| {' | '.join(row)} |\n" for row in rows) + f"\nMeasured on: {measured['machine']}.\n"


def main(sizes=SIZES, d_model=D_MODEL, seconds=5):
    """Return what was measured, as `measured.json` holds it."""
    torch.manual_seed(0)
    ways = ways_of(MultiHeadAttention(d_model, NUM_HEADS))
    check(ways, torch.randn(2, 48, d_model, requires_grad=True))
    rows = {name: {"seconds": [], "megabytes": []} for name in ways}
    for batch, tokens in sizes:
        inputs = torch.randn(batch, tokens, d_model)
        for name, way in ways.items():
            fits = name != PLAIN or tokens <= LONGEST_PLAIN
            for column, figure in zip(rows[name].values(), measure(way, inputs, seconds) if fits else (None, None)):
                column.append(figure)
    processor = re.search("model name.*: (.+)", Path("/proc/cpuinfo").read_text())[1]
    instructions, threads = torch.backends.cpu.get_cpu_capability(), torch.get_num_threads()
    machine = f"{processor}, {instructions}, {threads} threads; torch {torch.__version__}"
    return {"machine": machine, "sizes": [list(size) for size in sizes], "ways": rows}


if __name__ == "__main__":
    measured = main()
    MEASURED.write_text(json.dumps(measured, indent=1) + "\n", encoding="utf-8")
    print(table(measured))
