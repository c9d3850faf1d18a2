"""An exercise in a notebook: judge the reader's function or class, and let the notebook work with it.

A check never stops the notebook. It shows "not attempted yet", "not yet: ..." with the likely cause, or "correct".
"""

import ast
import functools
import inspect
import re

import torch
from IPython import get_ipython
from IPython.display import display

from companion.checks.feedback import Mistake, on_copies
from companion.checks.verdict import CORRECT, NOT_ATTEMPTED, NOT_YET, Verdict


def exercise(check):
    """Turn a check that raises `Mistake` into one that shows its verdict; its docstring is the praise."""
    name = next(iter(inspect.signature(check).parameters))

    @functools.wraps(check)
    def run(answer):
        display(_unread(name) or run.verdict(answer))

    def verdict(answer):
        try:
            with torch.random.fork_rng(devices=[]):  # the reader's own random numbers must not change
                torch.default_generator.manual_seed(0)
                check(answer if isinstance(answer, type) else on_copies(answer))
        except Mistake as mistake:
            return Verdict(NOT_YET, str(mistake), mistake.masks)
        except (Exception, SystemExit) as error:
            if isinstance(error, NotImplementedError) and not error.args:  # a stub; PyTorch's own has a message
                return Verdict(NOT_ATTEMPTED)
            return Verdict(NOT_YET, f"your {_kind(answer)} stopped with {type(error).__name__}: {error}")
        return Verdict(CORRECT, check.__doc__)

    run.verdict = verdict
    return run


def yours_or(ours, check, yours):
    """Return the reader's own function or class if its check calls it correct, else the course's; say which."""
    correct = check.verdict(yours).kind == CORRECT
    print("works with your own" if correct else "works with the course's own, until yours is correct")
    return yours if correct else ours


def _unread(name):
    """Say so if the newest cell that defines this name has a syntax error: what would be judged is an older one."""
    notebook = get_ipython()
    cells = notebook.history_manager.input_hist_raw if notebook else []
    newest = next((cell for cell in reversed(cells) if re.search(rf"^\s*(def|class) {name}\b", cell, re.MULTILINE)), "")
    try:
        ast.parse(notebook.transform_cell(newest) if newest else "")
    except SyntaxError as error:
        return Verdict(NOT_YET, f"Python could not read your newest {name} (line {error.lineno}: {error.msg})")
    return None


def _kind(answer):
    return "class" if isinstance(answer, type) else "function"
