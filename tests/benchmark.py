"""Compare ways to write multi-head attention: python tests/benchmark.py

Measures time and memory of each, on the processor and on a GPU if there is one, writes them to `tests/README.md`
and to `notebooks/companion/measured.json`, which notebook 15 reads. What counts are ratios: a way's median time over
that of `utils.attention`, of runs that take turns. It takes minutes; leave the machine alone meanwhile.
"""

import ctypes
import json
import platform
import sys
import time
from dataclasses import asdict, dataclass, fields
from itertools import product
from pathlib import Path
from statistics import median

import psutil
import torch

from utils.attention import MultiHeadAttention
from ways import OURS, Ways, assert_same, check

COURSE = Path(__file__).parent.parent
MEASURED, PAGE = COURSE / "notebooks" / "companion" / "measured.json", COURSE / "tests" / "README.md"
MARKS = "<!-- what tests/benchmark.py measured -->\n", "<!-- end -->\n"
D_MODEL, NUM_HEADS = 768, 12
BATCH, LENGTHS = (8, 1024), ((1, 256), (1, 1024), (1, 4096), (1, 16384))  # batch, tokens
DIRECTIONS = "forward", "forward and backward"
COPIES = 5  # of the matrix of weights, at most: scores, scaled, masked, softmax, and what the gradients need
CLOSE = 0.95  # of our time: a way that takes no less is not called faster
SECONDS, FEWEST, MOST = 10, 3, 25  # for the rounds of a case, each run twice; and how many


@dataclass(frozen=True)
class Case:
    device: str
    dtype: str
    batch: int
    tokens: int
    memory: bool  # cross-attention to as many tokens, else causal self-attention
    direction: str

    @property
    def every_way(self):
        return (self.batch, self.tokens) == BATCH and self.dtype == "float32" and self.direction == "forward"


def cases(devices):
    """List what is measured; the longest sequence reads only itself."""
    kinds = product(devices, ("float32", "bfloat16"), (BATCH, *LENGTHS), (False, True), DIRECTIONS)
    every = [Case(device, dtype, *size, memory, direction) for device, dtype, size, memory, direction in kinds]
    return [case for case in every if not (case.memory and case.tokens == LENGTHS[-1][1])]


def measure(case):
    """Return the case with the ways' times, as ratios to ours, and extra memory, and why others were left out.

    Raises AssertionError if a way gives another output or other gradients than ours, or sees the future.
    """
    torch.manual_seed(0)
    like = {"device": case.device, "dtype": getattr(torch, case.dtype)}
    ours = MultiHeadAttention(D_MODEL, NUM_HEADS).to(**like).eval()
    shape = case.batch, case.tokens, D_MODEL
    sequences = [torch.randn(shape, **like).requires_grad_() for _ in range(1 + case.memory)]
    check(lambda *given: Ways(ours, *given).named(), *(sequence[:2, :48] for sequence in sequences))
    with torch.set_grad_enabled(case.direction == "forward and backward"):
        compared, left_out = fitting(case, Ways(ours, *sequences).named(), like["dtype"].itemsize)
        found = compare(compared, sequences)
    return asdict(case) | found | {"left_out": left_out}


def fitting(case, ways, itemsize):
    """Return the ways that this case compares and that fit into memory, and for the others the reason."""
    compared = {name: way for name, way in ways.items() if way.everywhere or case.every_way}
    needed = COPIES * case.batch * NUM_HEADS * case.tokens**2 * itemsize / 1e9
    free = (psutil.virtual_memory().available if case.device == "cpu" else torch.cuda.mem_get_info()[0]) / 1e9
    reason = f"all weights at once need about {needed:.0f} GB, and {free:.0f} GB are free"
    left_out = {name: reason for name, way in compared.items() if way.all_weights and needed > free}
    return {name: way for name, way in compared.items() if name not in left_out}, left_out


def compare(ways, sequences):
    """Run the ways in turns, another first in each round, and return the number of rounds, times and memory."""
    times, megabytes, expected = {name: [] for name in ways}, {}, None
    start = time.perf_counter()
    for name, way in ways.items():  # the warm-up
        output, megabytes[name] = with_memory(way, sequences)
        expected = output if expected is None else expected
        assert_same(name, [output], [expected])
    rounds = min(max(int(SECONDS / 2 / (time.perf_counter() - start)), FEWEST), MOST)
    names = list(ways)
    for first in range(rounds):
        for place in range(len(names)):
            name = names[(first + place) % len(names)]
            run(ways[name], sequences)  # pays for the memory that the way before it gave back
            start = time.perf_counter()
            run(ways[name], sequences)
            times[name].append(time.perf_counter() - start)
    medians = {name: median(each) for name, each in times.items()}
    found = {
        name: {"time": round(took / medians[OURS], 3), "seconds": round(took, 5), "megabytes": megabytes[name]}
        for name, took in medians.items()
    }
    return {"rounds": rounds, "ways": found}


def run(way, sequences):
    output = way.run()
    if torch.is_grad_enabled():
        torch.autograd.grad(output, [*sequences, *way.parameters], torch.ones_like(output))
    if output.is_cuda:
        torch.cuda.synchronize()
    return output.detach()


def with_memory(way, sequences):
    """Return the output, and by how many MB the memory in use rose meanwhile: torch's on a GPU, else the process's."""
    if sequences[0].is_cuda:
        torch.cuda.reset_peak_memory_stats()
        before = torch.cuda.memory_allocated()
        return run(way, sequences), round((torch.cuda.max_memory_allocated() - before) / 1e6)
    if sys.platform != "linux":  # which counts a peak anew when asked to
        return run(way, sequences), None
    ctypes.CDLL(None).malloc_trim(0)  # give back what earlier runs left, or this one would seem to need nothing
    Path("/proc/self/clear_refs").write_text("5")
    before = resident("VmRSS")
    return run(way, sequences), round((resident("VmHWM") - before) / 1e6)


def resident(field):
    lines = Path("/proc/self/status").read_text().splitlines()
    return next(int(line.split()[1]) for line in lines if line.startswith(field)) * 1024


def machine():
    """Name what was measured on."""
    return {
        "processor": processor(),
        "instructions": torch.backends.cpu.get_cpu_capability(),
        "cores": psutil.cpu_count(logical=False),
        "gpu": torch.cuda.get_device_name() if torch.cuda.is_available() else None,
        "threads": torch.get_num_threads(),
        "python": platform.python_version(),
        "torch": torch.__version__,
    }


def processor():
    if sys.platform != "linux":
        return platform.processor()
    lines = Path("/proc/cpuinfo").read_text().splitlines()
    return next((line.split(": ")[1] for line in lines if line.startswith("model name")), platform.machine())


COLUMNS = {  # of the table: which case, and what of it
    "forward": (Case("cpu", "float32", *BATCH, False, "forward"), "time"),
    "forward and backward": (Case("cpu", "float32", *BATCH, False, "forward and backward"), "time"),
    "bfloat16, forward": (Case("cpu", "bfloat16", *BATCH, False, "forward"), "time"),
    "cross, forward": (Case("cpu", "float32", *BATCH, True, "forward"), "time"),
    "1 × 4,096, forward": (Case("cpu", "float32", 1, 4096, False, "forward"), "time"),
    "extra MB at 1 × 4,096": (Case("cpu", "float32", 1, 4096, False, "forward"), "megabytes"),
    "1 × 16,384, forward": (Case("cpu", "float32", 1, 16384, False, "forward"), "time"),
}


def table(measured):
    """Write the table, what it was measured on, and in which of all cases another way is faster than ours."""
    found = {Case(*(case[field.name] for field in fields(Case))): case for case in measured["cases"]}
    columns = {title: (found[case], quantity) for title, (case, quantity) in COLUMNS.items() if case in found}
    rows = [["way", *columns], ["---"] * (1 + len(columns))]
    for name in dict.fromkeys(name for case, _ in columns.values() for name in case["ways"]):
        rows.append([name, *(entry(case, name, quantity) for case, quantity in columns.values())])
    fastest = {case: min((way["time"], name) for name, way in found[case]["ways"].items()) for case in found}
    ahead = {case: way for case, way in fastest.items() if way[0] < CLOSE}
    lengths, on = [case.tokens for case in found], measured["machine"]
    parts = on["processor"], on["instructions"], f"{on['cores']} cores", f"{on['threads']} threads", on["gpu"]
    return (
        "".join(f"| {' | '.join(row)} |\n" for row in rows)
        + f"\nMeasured on: {', '.join(filter(None, parts))}; torch {on['torch']}.\nOf all {len(found)} cases, forward "
        f"and backward, self and cross, {min(lengths):,} to {max(lengths):,} tokens, another way took less than "
        f"{CLOSE} of the time of {OURS}, in {len(ahead)}.\n\n"
        + "".join(
            f"- {case.dtype}, {case.batch} × {case.tokens:,}, {'cross' if case.memory else 'self'}, {case.direction}: "
            f"{time:.2f}, {name}\n"
            for case, (time, name) in ahead.items()
        )
    )


def entry(case, name, quantity):
    if name in case["left_out"]:
        return "does not fit"
    value = case["ways"].get(name, {}).get(quantity)
    return "" if value is None else f"{value:.2f}" if quantity == "time" else f"{value:,}"


def main():
    every = cases(["cpu", "cuda"] if torch.cuda.is_available() else ["cpu"])
    measured = {"machine": machine(), "d_model": D_MODEL, "num_heads": NUM_HEADS, "cases": []}
    for number, case in enumerate(every, start=1):
        print(f"{number}/{len(every)}: {case}", file=sys.stderr)
        measured["cases"].append(measure(case))
    MEASURED.write_text(json.dumps(measured, indent=1) + "\n", encoding="utf-8")
    before, _, rest = PAGE.read_text(encoding="utf-8").partition(MARKS[0])
    PAGE.write_text(before + MARKS[0] + table(measured) + MARKS[1] + rest.partition(MARKS[1])[2], encoding="utf-8")


if __name__ == "__main__":
    main()
