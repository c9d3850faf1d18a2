"""Execute all notebooks with sums in other orders, as other processors take them, and compare with what is stored.

python tests/orders.py    for each order: how many numbers differ, each by no more than `compare_outputs.py` allows

Each order is a process of its own, which imports everything once and forks itself for each notebook. So it needs Linux.
"""

import contextlib
import io
import multiprocessing
import os
import subprocess
import sys
from pathlib import Path

from PIL import Image

import compare_outputs
from reading import NOTEBOOKS, read, why_not_compared
from store import WIDGET_VIEW

PNG = "image/png"
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
TOGETHER = f"{OLD}, {LAST_BITS}"


def report(order, paths=NOTEBOOKS):
    """Run notebooks in this order, in a process of its own; return its report. Raises Different."""
    command = [sys.executable, __file__, order, *map(str, paths)]
    settings = os.environ | {"COURSE_MINE": ""}  # what somebody keeps in mine.py changes no output
    for each in order.split(", "):
        settings |= ORDERS[each]
    run = subprocess.run(command, env=settings, capture_output=True, text=True, timeout=1_800)
    if run.returncode:
        raise compare_outputs.Different(run.stdout or run.stderr)
    return run.stdout


def main(order, paths):
    """Compare notebooks in this process's order, print what differed, and return the exit status."""
    import torch
    import torch._dynamo  # for each fork: `last_bits` and every optimizer need it

    from companion.pictures import charts, heatmap, lines, picture  # noqa: F401, for each fork
    from companion.pictures.live import explore  # noqa: F401, for each fork

    blank = io.BytesIO()
    Image.new("1", (picture.SCALE, picture.SCALE)).save(blank, "png")
    picture.Picture.png = lambda self: blank.getvalue()  # drawing takes longest; the captions have the numbers
    if THREADS in order:
        torch.set_num_threads(2)
        torch.set_num_threads = lambda number: None  # the notebooks themselves ask for one
    everything, different = compare_outputs.Counts(), []
    with multiprocessing.get_context("fork").Pool(1, maxtasksperchild=1) as pool:
        for counts, difference in pool.imap(compared, [(Path(path), order) for path in paths], chunksize=1):
            everything.add(counts.numbers, counts.differed)
            different += [difference] * bool(difference)
    print("\n".join([f"{order}: {everything.differed} of {everything.numbers} numbers differ", *different]))
    return int(bool(different))


def compared(task):
    """Execute a notebook in this process; return what was compared, and the first difference in words or ""."""
    path, order = task
    counts, notebook = compare_outputs.Counts(), read(path)
    if why_not_compared(path):
        return counts, ""
    os.chdir(path.parent)
    with last_bits() if LAST_BITS in order else contextlib.nullcontext():
        for number, (cell, fresh) in enumerate(executed(notebook)):
            try:
                compare_outputs.compare(as_stored(cell), fresh, counts)
            except compare_outputs.Different as difference:
                return counts, f"{path.name}, code cell {number}:\n{cell.source}\n{difference}"
    return counts, ""


def executed(notebook):
    """Yield each code cell with the text that it prints and all else that it shows, as `as_stored` gives them."""
    from IPython.core.displayhook import CapturingDisplayHook
    from IPython.core.displaypub import CapturingDisplayPublisher
    from IPython.core.interactiveshell import InteractiveShell

    shell = InteractiveShell.instance()
    shell.display_pub = CapturingDisplayPublisher()
    shown = shell.display_pub.outputs
    shell.display_trap.hook = CapturingDisplayHook(shell, shown)
    for cell in (cell for cell in notebook.cells if cell.cell_type == "code"):
        shown.clear()
        with contextlib.redirect_stdout(io.StringIO()) as printed:
            shell.run_cell(cell.source).raise_error()
        parts = [each for each in shown if each["data"]]  # a picture displays itself, and then is an empty result
        yield cell, [printed.getvalue(), [_compared(each["data"], each["metadata"]) for each in parts]]


def as_stored(cell):
    """Return the text that a stored cell prints, and all else that it shows."""
    text = "".join(output.text for output in cell.outputs if "text" in output)
    return [text, [_compared(output.data, output.metadata) for output in cell.outputs if "data" in output]]


def _compared(data, metadata):
    kept = {kind: part for kind, part in data.items() if kind not in (WIDGET_VIEW, PNG)}
    return [kept, metadata.get(PNG, {}).get("alt", "")]


def last_bits():
    """Return a mode in which each number of a matrix product moves by its last bit, up, down or not, at random.

    Whole numbers stay: they are exact in any order.
    """
    import torch
    from torch.utils._python_dispatch import TorchDispatchMode

    names = ("mm", "bmm", "addmm", "baddbmm", "mv", "addmv", "dot", "_scaled_dot_product_flash_attention_for_cpu")
    products = {getattr(torch.ops.aten, name) for name in names}
    chance = torch.Generator().manual_seed(0)

    class LastBits(TorchDispatchMode):
        def __torch_dispatch__(self, function, types, args=(), kwargs=None):
            result = function(*args, **(kwargs or {}))
            moved = result[0] if isinstance(result, tuple) else result
            if function.overloadpacket in products and moved.is_floating_point():
                aims = torch.randint(-1, 2, moved.shape, generator=chance) * torch.inf
                aims = torch.where(aims.isnan() | (moved == moved.round()), moved, aims.to(moved.dtype))
                moved.copy_(torch.nextafter(moved, aims))
            return result

    return LastBits()


if __name__ == "__main__":
    if len(sys.argv) > 1:
        sys.exit(main(sys.argv[1], sys.argv[2:]))
    for name in ORDERS:
        print(report(name), end="", flush=True)
