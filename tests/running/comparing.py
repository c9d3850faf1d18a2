"""How a cell of a notebook is compared with what it stores; `compare_outputs.py` has the rule for its outputs."""

import json

import pytest

from companion.worlds.pretrained import weight_files
from compare_outputs import Compared
from folding import unfold
from reading import NOTEBOOKS, why_not_compared
from running.cases import FAST


def pytest_sessionstart(session):
    """Fetch the weights that notebooks need, once, before a run of everything."""
    config = session.config
    everything = config.args_source is config.ArgsSource.TESTPATHS and config.option.markexpr != FAST
    for number, missing in weight_files.ALL.items() if everything and not hasattr(config, "workerinput") else ():
        if missing.find() is None:
            print(f"notebook {number} needs {missing.megabytes} of weights, which are fetched once;", end=" ")
            print(f'a run of some files (pytest tests notebooks), or with -m "{FAST}", goes without')
            try:
                missing.fetch()
            except OSError as error:  # the run goes on without them, and says so at its end
                print(error)


def pytest_itemcollected(item):
    if hasattr(item.parent, "skip_compare"):  # a cell of a notebook
        unfold(item.cell)
        item.parent.skip_compare = ("execution_count", "traceback", "application/vnd.jupyter.widget-view+json")
        if why_not_compared(item.parent.path):
            item.options["check"] = False
        item.sanitize = sanitize


def sanitize(part):
    return Compared(part if isinstance(part, str) else json.dumps(part, sort_keys=True))


def pytest_runtest_setup(item):
    """Fail at once, not cell by cell, once a notebook's kernel is dead."""
    kernel = getattr(item.parent, "kernel", None)
    if kernel is not None and not kernel.is_alive():
        pytest.fail("the notebook's kernel died in an earlier cell", pytrace=False)


def pytest_terminal_summary(terminalreporter):
    """Say which notebooks were not compared, and what was measured in tests that recorded it."""
    for path in filter(why_not_compared, NOTEBOOKS):
        terminalreporter.line(why_not_compared(path))
    for passed in terminalreporter.getreports("passed"):
        for _, measured in passed.user_properties:
            terminalreporter.line(measured)
