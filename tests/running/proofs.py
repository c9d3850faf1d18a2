"""What is proven beside a notebook's own cells: a second run of each, the solutions, and the memory."""

import copy
import importlib
import re
from collections import defaultdict

from nbformat.v4 import new_code_cell

from companion.checks.verdict import Verdict
from companion.verdict_words import CORRECT
from reading import HANDBOOK, code_cells, defined, is_stub, shown, solutions
from running import entries, memory
from running.cases import FAST
from running.comparing import sanitize


def pytest_collection_modifyitems(config, items):
    """Add the proofs of each notebook of which all cells run; those named below `twice_before` run each cell twice."""
    twice_before = "99" if config.getoption("--all") else "" if config.option.markexpr == FAST else "07"
    for file in dict.fromkeys(item.parent for item in items if hasattr(item.parent, "skip_compare")):
        cells = [item for item in items if item.parent is file]
        if len(cells) == len(code_cells(file.nb)):  # else some were left out
            start = items.index(cells[0])
            if file.path in HANDBOOK:
                order = entries.alone(file, cells)
            else:
                order = _twice(file, cells) if file.path.name < twice_before else cells
            items[start : start + len(cells)] = [*order, *_behind(file, type(cells[-1]))]


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
    proofs["memory"] = memory.proof(file.path)
    for number, (name, (source, output)) in enumerate(proofs.items(), start=len(cells)):
        cell = new_code_cell(source, execution_count=number, outputs=[output])
        yield kind.from_parent(file, name=name, cell_num=number, cell=cell, options=defaultdict(bool, check=True))
