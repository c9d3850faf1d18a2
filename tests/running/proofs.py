"""What is proven beside a notebook's own cells: a second run of each, the solutions, and the memory; of a page of the
handbook, that each entry has to do with the first cell alone."""

import copy
import importlib
import re
import sys
from collections import defaultdict

import nbformat
import torch
from nbformat.v4 import new_code_cell, new_output

from companion.checks.verdict import Verdict
from companion.verdict_words import CORRECT
from handbook import HEADING
from reading import HANDBOOK, code_cells, defined, is_stub, shown, solutions
from running.cases import FAST
from running.comparing import sanitize

# Before an entry, what other entries have defined is forgotten, and the first cell's names are as it left them.
FORGET = """_first = globals().get("_first") or dict(globals())
for _name in [name for name in globals() if name not in _first and not name.startswith("_")]:
    del globals()[_name]
globals().update({name: value for name, value in _first.items() if not name.startswith("_")})
"""

MEGABYTES = {"14": 900, "16": 900, "17": 900, "19": 900}  # of others 700, on Linux, which Binder runs
CUDA = 300 if torch.version.cuda else 0  # so much more does `import torch` alone take, where it is built for CUDA
# Not `ru_maxrss`, which starts at the peak of the process that started the kernel.
PEAK = r"""import os, re
from pathlib import Path
status = Path("/proc/self/status").read_text()
peak, files = (int(re.search(rf"{name}:\s+(\d+)", status)[1]) for name in ("VmHWM", "RssFile"))
# A fork has yet to touch the pages of libraries that its parent has read.
peak = (peak + max(0, int(os.environ.get("LIBRARY_PAGES", 0)) - files)) / 1024
print(f"under {limit} MB" if peak < limit else f"{peak:.0f} MB")"""


def pytest_collection_modifyitems(config, items):
    """Add the proofs of each notebook of which all cells run; those named below `twice_before` run each cell twice."""
    twice_before = "99" if config.getoption("--all") else "" if config.option.markexpr == FAST else "07"
    for file in dict.fromkeys(item.parent for item in items if hasattr(item.parent, "skip_compare")):
        cells = [item for item in items if item.parent is file]
        if len(cells) == len(code_cells(file.nb)):  # else some were left out
            start = items.index(cells[0])
            if file.path in HANDBOOK:
                order = _entries_alone(file, cells)
            else:
                order = _twice(file, cells) if file.path.name < twice_before else cells
            items[start : start + len(cells)] = [*order, *_behind(file, type(cells[-1]))]


def _entries_alone(file, cells):
    """Return the cells of a page of the handbook, the first one first, then its entries from the last to the first."""
    entries, waiting = [[]], iter(cells)
    for cell in file.nb.cells:
        if cell.cell_type == "code":
            entries[-1].append(next(waiting))
        elif HEADING.match(cell.source):
            entries.append([])
    first, *others = entries
    for entry in filter(None, others):
        entry[0].cell = nbformat.from_dict(entry[0].cell | {"source": FORGET + entry[0].cell.source})
    # Exercises stand at the end: their solutions are proven behind them.
    return sum(sorted(others[::-1], key=lambda entry: any(is_stub(cell.cell) for cell in entry)), first)


def _twice(file, cells):
    """Run each cell a second time, as readers do: it breaks if it uses up, or gives a new meaning to, what it reads."""
    for cell in cells:
        options = {"cell_num": cell.cell_num, "cell": copy.deepcopy(cell.cell), "options": cell.options}
        again = type(cell).from_parent(file, name=f"{cell.name} again", **options)
        again.sanitize = sanitize
        yield from (cell, again)


def _behind(file, kind):
    """Yield cells for a finished notebook's kernel: each solution with its check, and the memory that it all took."""
    cells, answers, proofs = code_cells(file.nb), solutions(file.nb), {}
    for stub, check in zip(cells, cells[1:]):
        if is_stub(stub):
            name = defined(stub.source)
            module, judge = re.search(r"from (companion\.checks\.\w+) import (\w+)", check.source).groups()
            praise = getattr(importlib.import_module(module), judge).__doc__
            proofs[f"solution of {name}"] = f"{answers[name]}\n\n{check.source}", shown(Verdict(CORRECT, praise))
    if sys.platform == "linux":
        limit = MEGABYTES.get(file.path.name[:2], 700) + CUDA
        proofs["memory"] = f"limit = {limit}\n{PEAK}", new_output("stream", text=f"under {limit} MB\n")
    for number, (name, (source, output)) in enumerate(proofs.items(), start=len(cells)):
        cell = new_code_cell(source, execution_count=number, outputs=[output])
        yield kind.from_parent(file, name=name, cell_num=number, cell=cell, options=defaultdict(bool, check=True))
