"""The whole run: which cases run and in which order, how a notebook's cells are compared, and what is proven behind
its last cell. How outputs are compared is in `tests/compare_outputs.py`."""

import copy
import gc
import importlib
import json
import os
import re
from collections import defaultdict

import nbformat
import nbval.kernel
import psutil  # comes with ipykernel
import pytest
import torch
from nbformat.v4 import new_code_cell, new_output
from xdist.scheduler import LoadFileScheduling

import forked
from companion.checks.verdict import Verdict
from companion.pictures.palette import CORRECT
from companion.worlds.pretrained import weights
from compare_outputs import Compared
from folding import unfold
from handbook import HEADING
from kernels import twice
from reading import HANDBOOK, NOTEBOOKS, defined, is_stub, shown, solutions, why_not_compared

# What `-m "not slow"` leaves out, with all that needs a browser: the grader, what trains, the installation.
TRAINING = ("07", "08", "09", "1", "2")  # 1: from 10 on
SLOW = (
    "tests/classroom/",
    "tests/worlds/pronunciation/",
    "tests/worlds/stories/",
    "tests/test_door.py",
    "tests/test_mine.py",
)
SLOW += ("tests/test_setup.py", "tests/test_store.py")
SLOW += tuple(f"notebooks/{number}" for number in TRAINING)
# Before each entry of the handbook: what other entries have defined is forgotten, and the first cell's names are as it
# left them. Entries run from the last to the first, so that each has to do with the first cell of its page alone.
FORGET = """_first = globals().get("_first") or dict(globals())
for _name in [name for name in globals() if name not in _first and not name.startswith("_")]:
    del globals()[_name]
globals().update({name: value for name, value in _first.items() if not name.startswith("_")})
"""
MEGABYTES = {"14": 900, "16": 900, "17": 900, "19": 900}  # of others 700
CUDA = 300 if torch.version.cuda else 0  # so much more does `import torch` alone take, where it is built for CUDA
PEAK = r"""import os, re, sys
from pathlib import Path
if sys.platform == "linux":  # not `ru_maxrss`, which starts at the peak of the process that started the kernel
    status = Path("/proc/self/status").read_text()
    peak, files = (int(re.search(rf"{name}:\s+(\d+)", status)[1]) for name in ("VmHWM", "RssFile"))
    # A fork has yet to touch the pages of libraries that its parent has read.
    peak = (peak + max(0, int(os.environ.get("LIBRARY_PAGES", 0)) - files)) / 1024
elif sys.platform == "win32":
    import psutil
    peak = psutil.Process().memory_info().peak_wset / 1024**2
else:
    import resource
    peak = resource.getrusage(resource.RUSAGE_SELF).ru_maxrss / 1024**2
print(f"under {limit} MB" if peak < limit else f"{peak:.0f} MB")"""


# ---- what runs, in which order, beside what ----


def pytest_addoption(parser):
    parser.addoption("--all", action="store_true", help="run all cases of the tests that run a sample by default")


def pytest_report_header(config):
    return "cases: all" if config.getoption("--all") else "cases: a sample of those that take long; --all runs all"


def pytest_xdist_auto_num_workers(config):
    """Return one more process than there are cores, as each waits now and then for its kernel or browser; but with a
    kernel, one takes up to 1.5 GB."""
    return max(1, min((os.cpu_count() or 1) + 1, psutil.virtual_memory().total // 1_500_000_000))


def pytest_configure(config):
    gc.disable()  # until all is collected: thousands of tests stay, and would be gone through again and again
    torch.set_num_threads(1)  # the tests' tensors are small: threads would only wait for each other
    os.environ["OMP_NUM_THREADS"] = "1"  # in kernels, too
    forked.use()
    nbval.kernel.start_new_kernel = twice(nbval.kernel.start_new_kernel)
    os.environ["COURSE_MINE"] = ""  # for each kernel, too: what somebody keeps in mine.py changes no output


def pytest_sessionstart(session):
    """Fetch the weights of notebooks 15 and 19 (91 and 98 MB) before a run of everything, once, or go on without."""
    config = session.config
    everything = config.args == config.getini("testpaths") and not hasattr(config, "workerinput")
    for missing in [each for each in weights.ALL.values() if everything and each.find() is None]:
        try:
            missing.fetch()
        except OSError as error:
            print(error)


def pytest_ignore_collect(collection_path, config):
    """Do not even read what the fast line leaves out."""
    place = f"{collection_path.as_posix()}/".removeprefix(f"{config.rootpath.as_posix()}/")
    return True if _is_fast(config) and place.startswith(SLOW) else None


def _is_fast(config):
    return config.option.markexpr == "not slow"


def pytest_collection_modifyitems(config, items):
    """Choose the cases, let what is slow start first, and prove solutions and memory behind a notebook's last cell."""
    all_cases = config.getoption("--all")
    if not all_cases:
        left_out = [item for item in items if item.get_closest_marker("only_with_all")]
        items[:] = [item for item in items if not item.get_closest_marker("only_with_all")]
        config.hook.pytest_deselected(items=left_out)
    _add_proofs(items, twice_before="99" if all_cases else "" if _is_fast(config) else TRAINING[0])
    for item in items:
        if item.nodeid.startswith(SLOW) or "browser" in getattr(item, "fixturenames", ()):
            item.add_marker("slow")
    # Then notebooks, so that small files come last and all processes end together.
    items.sort(key=lambda item: (item.get_closest_marker("slow") is None, not hasattr(item.parent, "skip_compare")))


def pytest_collection_finish():
    gc.freeze()
    gc.enable()


class Scheduling(LoadFileScheduling):
    """Each file runs in one process, and all that needs the browser in the same: there is one JupyterLab."""

    def _split_scope(self, nodeid):
        return "browser" if nodeid.startswith("tests/browser/") else super()._split_scope(nodeid)


def pytest_xdist_make_scheduler(config, log):
    return Scheduling(config, log)


# ---- notebooks: how cells are compared, and what is proven behind the last one ----


def pytest_itemcollected(item):
    if hasattr(item.parent, "skip_compare"):  # a cell of a notebook
        unfold(item.cell)
        item.parent.skip_compare = ("execution_count", "traceback", "application/vnd.jupyter.widget-view+json")
        if why_not_compared(item.parent.path):
            item.options["check"] = False
        item.sanitize = _sanitize


def _sanitize(part):
    return Compared(part if isinstance(part, str) else json.dumps(part, sort_keys=True))


def pytest_runtest_setup(item):
    """Fail at once, not cell by cell, once a notebook's kernel is dead."""
    kernel = getattr(item.parent, "kernel", None)
    if kernel is not None and not kernel.is_alive():
        pytest.fail("the notebook's kernel died in an earlier cell", pytrace=False)


def _add_proofs(items, twice_before):
    notebooks = {}
    for item in items:
        if hasattr(item.parent, "skip_compare"):
            notebooks.setdefault(item.parent, []).append(item)
    for file, cells in notebooks.items():
        if len(cells) == sum(cell.cell_type == "code" for cell in file.nb.cells):  # else some were left out
            place = items.index(cells[0])
            if file.path in HANDBOOK:
                order = _entries_alone(file, cells)
            else:
                order = _twice(file, cells) if file.path.name < twice_before else cells
            items[place : place + len(cells)] = [*order, *_proofs(file, type(cells[-1]))]


def _twice(file, cells):
    """Return the cells with each a second time behind it. Readers run a cell twice: it breaks then if it uses up what
    it needs, or gives a new meaning to a name that it reads; and a later cell may be the first to show it."""
    for cell in cells:
        options = {"cell_num": cell.cell_num, "cell": copy.deepcopy(cell.cell), "options": cell.options}
        again = type(cell).from_parent(file, name=f"{cell.name} again", **options)
        again.sanitize = _sanitize
        yield from (cell, again)


def _entries_alone(file, cells):
    """Return the cells of a page of the handbook, the first one first, then its entries from the last to the first."""
    entries, waiting = [[]], iter(cells)
    for cell in file.nb.cells:
        if cell.cell_type == "code":
            entries[-1].append(next(waiting))
        elif HEADING.match(cell.source):
            entries.append([])
    for entry in entries[1:]:
        for cell in entry[:1]:
            cell.cell = nbformat.from_dict(cell.cell | {"source": FORGET + cell.cell.source})
    exercises = [entry for entry in entries[1:] if any("NotImplementedError" in cell.cell.source for cell in entry)]
    others = [entry for entry in reversed(entries[1:]) if entry not in exercises]
    return sum([*others, *exercises], entries[0])  # exercises at the end: their solutions are proven behind them


def _proofs(file, kind):
    """Yield cells for a finished notebook's kernel: each solution with its check, and the memory that it all took."""
    cells, answers = [cell for cell in file.nb.cells if cell.cell_type == "code"], solutions(file.nb)
    proofs = {}
    for stub, check in zip(cells, cells[1:]):
        if is_stub(stub):
            name = defined(stub.source)
            module, judge = re.search(r"from (companion\.checks\.\w+) import (\w+)", check.source).groups()
            praise = getattr(importlib.import_module(module), judge).__doc__
            proofs[f"solution of {name}"] = f"{answers[name]}\n\n{check.source}", shown(Verdict(CORRECT, praise))
    limit = MEGABYTES.get(file.path.name[:2], 700) + CUDA
    proofs["memory"] = f"limit = {limit}\n{PEAK}", new_output("stream", text=f"under {limit} MB\n")
    for number, (name, (source, output)) in enumerate(proofs.items(), start=len(cells)):
        cell = new_code_cell(source, execution_count=number, outputs=[output])
        options = defaultdict(bool, check=True)
        yield kind.from_parent(file, name=name, cell_num=number, cell=cell, options=options)


def pytest_terminal_summary(terminalreporter):
    """Say which notebooks were not compared, and what was measured in tests that recorded it."""
    for path in filter(why_not_compared, NOTEBOOKS):
        terminalreporter.line(why_not_compared(path))
    for passed in terminalreporter.getreports("passed"):
        for _, measured in passed.user_properties:
            terminalreporter.line(measured)
