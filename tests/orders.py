"""Execute all notebooks with sums in other orders, as other processors take them, and compare with what is stored.

python tests/orders.py    for each order: how many numbers differ, each by no more than `compare_outputs.py` allows
"""

from pathlib import Path

import torch
from torch.utils._python_dispatch import TorchDispatchMode

import compare_outputs
from reading import HANDBOOK, NOTEBOOKS, code_cells, read, why_not_compared
from store import run

OLD, THREADS, LAST_BITS = "instructions of 2006", "two threads", "last bits at random"
ORDERS = {  # what the libraries read from the environment when they start
    OLD: {"MKL_CBWR": "COMPATIBLE", "ATEN_CPU_CAPABILITY": "default", "ONEDNN_MAX_CPU_ISA": "SSE41"},
    "instructions of 2013": {
        "MKL_ENABLE_INSTRUCTIONS": "AVX2",
        "ATEN_CPU_CAPABILITY": "avx2",
        "ONEDNN_MAX_CPU_ISA": "AVX2",
    },
    THREADS: {},
    LAST_BITS: {},
}


def report(orders, paths=(*NOTEBOOKS, *HANDBOOK)):
    """Run notebooks in one order, or in several at once; say how many numbers differ. Raises Different."""
    settings = {"PYTHONPATH": str(Path(__file__).parent)}  # for `start`
    for order in orders:
        settings |= ORDERS[order]
    differed, different = [], []
    for path in paths:
        if not why_not_compared(path):
            fresh = run(read(path), path.parent, f"import orders; orders.start({orders!r})", **settings)
            for number, (cell, stored) in enumerate(zip(code_cells(fresh), code_cells(read(path)))):
                try:
                    compare_outputs.compare(stored.outputs, cell.outputs, differed)
                except compare_outputs.Different as difference:
                    different.append(f"{path.name}, code cell {number}:\n{cell.source}\n{difference}")
    summary = f"{', '.join(orders)}: {sum(differed)} of {len(differed)} numbers differ"
    if different:
        raise compare_outputs.Different("\n".join([summary, *different]))
    return summary


def start(orders):
    """Begin in a kernel what is not read from the environment."""
    if THREADS in orders:
        torch.set_num_threads(2)
        torch.set_num_threads = lambda number: None  # the notebooks themselves ask for one
    if LAST_BITS in orders:
        LastBits().__enter__()


class LastBits(TorchDispatchMode):
    """Each number of a matrix product moves by its last bit, up, down or not, at random.

    Whole numbers stay: they are exact in any order.
    """

    names = "mm bmm addmm baddbmm mv addmv dot _scaled_dot_product_flash_attention_for_cpu"
    products = [getattr(torch.ops.aten, name) for name in names.split()]
    chance = torch.Generator().manual_seed(0)

    def __torch_dispatch__(self, function, types, args=(), kwargs=None):
        result = function(*args, **(kwargs or {}))
        moved = result[0] if isinstance(result, tuple) else result
        if function.overloadpacket in self.products and moved.is_floating_point():
            aims = torch.randint(-1, 2, moved.shape, generator=self.chance) * torch.inf
            aims = torch.where(aims.isnan() | (moved == moved.round()), moved, aims.to(moved.dtype))
            moved.copy_(torch.nextafter(moved, aims))
        return result


if __name__ == "__main__":
    for name in ORDERS:
        print(report([name]), flush=True)
