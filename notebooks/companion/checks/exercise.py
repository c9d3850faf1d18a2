"""An exercise in a notebook: judge the reader's function or class, and let the notebook work with it.

A check never stops the notebook. It shows "not attempted yet", "not yet: ..." with the likely cause, or "correct".
"""

import ast
import functools
import inspect
import re
import traceback

import torch
from IPython import get_ipython
from IPython.display import display

from companion import mine
from companion.checks.feedback import Mistake, on_copies
from companion.checks.verdict import Verdict
from companion.verdict_words import CORRECT, NOT_ATTEMPTED, NOT_YET

CURES = {  # what Python says to a slip that many make, and what to do
    "'Tensor' and 'Linear'": "; a layer is called, not multiplied: layer(inputs)",
    "name 'd_k' is not defined": "; Python does not know the name d_k yet: it is query.shape[-1]",
    "name 'num_heads' is not defined": "; in forward it is self.num_heads, which __init__ keeps",
    "sqrt(): argument 'input'": "; the root of a number is number ** 0.5, or math.sqrt(number)",
    "Boolean value of Tensor": "; an if needs one True or False, and comparing tensors gives many: leave out the if",
    "'Tensor' and 'list'": "; a list is not a tensor: make one from it first, torch.tensor(...)",
}


def exercise(check=None, *, mistakes=None):
    """Turn a check that raises `Mistake` into one that shows its verdict; its docstring is the praise.

    What is correct is kept in the reader's file (`companion.mine`), under the name of the check's parameter.
    mistakes: {message: a wrong function or class}, for `expect_like`; the tests run each through the check.
    """
    if check is None:
        return functools.partial(exercise, mistakes=mistakes)
    name = next(iter(inspect.signature(check).parameters))

    @functools.wraps(check)
    def run(answer):
        judgement = _unread(name) or run.verdict(answer)
        display(judgement)
        if judgement.correct and (line := mine.keep(name, answer, run)):
            print(line)

    def verdict(answer):
        try:
            with torch.random.fork_rng(devices=[]):  # the reader's own random numbers must not change
                torch.default_generator.manual_seed(0)
                check(answer if isinstance(answer, type) else on_copies(answer))
        except Mistake as mistake:
            return Verdict(NOT_YET, str(mistake), mistake.masks)
        except (Exception, SystemExit) as error:
            if isinstance(error, NotImplementedError) and not error.args:  # a stub; PyTorch's own has a message
                stub = _other_stub(answer, error)
                kind = _kind(answer)
                said = f"your {kind} {name} is there, but it calls {stub}, which is not written yet"
                return Verdict(NOT_YET, said) if stub else Verdict(NOT_ATTEMPTED)
            cure = next((CURES[sign] for sign in CURES if sign in str(error)), "")
            return Verdict(NOT_YET, f"your {_kind(answer)} stopped with {type(error).__name__}: {error}{cure}")
        return Verdict(CORRECT, check.__doc__)

    run.name, run.verdict, run.mistakes = name, verdict, mistakes or {}
    return run


def yours_or(ours, check, yours=None):
    """Return the reader's own function or class if its check calls it correct, else the course's; say which.

    yours: what this notebook defines; without it, or if it is not correct, the reader's file is asked.
    """
    if yours is not None and check.verdict(yours).correct:
        print(f"{check.name}: your own")
        return yours
    piece, cause = _piece_of(check)
    if piece is not None:
        print(f"{check.name}: your own, from {mine.where().name}")
    elif cause:
        print(f"{check.name}: the course's own, because {cause}")
    elif yours is not None:
        print(f"{check.name}: the course's own, until yours is correct")
    else:
        print(f"{check.name}: the course's own, until yours is in mine.py")
    return ours if piece is None else piece


def _piece_of(check):
    """Return what the reader's file has for a check, None if nothing correct, and the cause if it should be there."""
    try:
        piece = mine.load().get(check.name)
    except mine.Unfit as error:
        return None, str(error)
    if getattr(piece, "__module__", None) != getattr(mine.where(), "stem", ""):
        return None, ""  # imported there: the course's own, which another piece needed
    verdict = check.verdict(piece)
    if verdict.correct:
        return piece, ""
    return None, f"yours in {mine.where().name} is not correct any more: {verdict.words or verdict.kind}"


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


def _other_stub(answer, error):
    """Return the name of what raised an error, an earlier exercise for instance; None if it was the answer itself."""
    *_, (frame, _) = traceback.walk_tb(error.__traceback__)
    parts = vars(answer).values() if isinstance(answer, type) else [answer]
    own = [part.__code__ for part in parts if hasattr(part, "__code__")]
    return frame.f_code.co_qualname.removesuffix(".__init__") if own and frame.f_code not in own else None


def _kind(answer):
    return "class" if isinstance(answer, type) else "function"
