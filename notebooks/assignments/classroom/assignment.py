"""What an assignment is: its source notebook, in the version of each class, and what the grader takes from it."""

import importlib
import re
from collections.abc import Callable
from dataclasses import dataclass, field
from pathlib import Path
from types import ModuleType
from typing import NamedTuple

import nbformat

from classroom.code_cells import DEFINED, words_in

ASSIGNMENTS = Path(__file__).resolve().parents[1]
STUDENT = "Local(globals())"
SOLUTION_MARKS = ("### BEGIN SOLUTION", "### END SOLUTION")


def list_assignments() -> list[str]:
    return sorted(path.name for path in (ASSIGNMENTS / "source").glob("a*"))


def import_checks(assignment: str) -> ModuleType:
    """Return the module with the checks of an assignment: `classroom.checks.a1_single_head`."""
    return importlib.import_module(f"classroom.checks.{assignment}")


def read_source(assignment: str, seed: int | None = None) -> nbformat.NotebookNode:
    """Return an assignment's source notebook in the version of one class; without its seed, as it is written."""
    notebook = nbformat.read(ASSIGNMENTS / "source" / assignment / f"{assignment}.ipynb", as_version=4)
    changes = {}
    if seed is not None:
        changes = {**import_checks(assignment).variation(seed), STUDENT: f"Local(globals(), class_seed={seed})"}
    for cell in notebook.cells:
        for old_text, new_text in changes.items():
            cell.source = cell.source.replace(old_text, new_text)
        role = cell.metadata.get("nbgrader", {})
        if cell.cell_type == "code" and (role.get("grade") or not role):  # what is handed out before it can work
            cell.metadata["tags"] = ["raises-exception"]  # so that "Run All" goes on where it stops
    return notebook


class Check(NamedTuple):
    """One test cell of an assignment."""

    name: str
    points: float
    function: Callable  # as a notebook calls it
    about: str  # what it shows, in words
    part: str  # the title above it
    reread: str  # "notebook 04" or ""


class Question(NamedTuple):
    """What a teacher marks by hand."""

    points: float
    text: str
    answer: str  # a good one, and what earns points


@dataclass
class Assignment:
    """What the grader takes from a source notebook."""

    name: str
    class_seed: int | None
    note_code: Callable[[list[str]], list[str]] | None  # notes on the sources of a student's code cells
    setup: list[tuple[str, str]] = field(default_factory=list)  # (name, source) of its set-up cells
    checks: list[Check] = field(default_factory=list)
    by_hand: dict[str, Question] = field(default_factory=dict)  # by grade_id
    texts: set[str] = field(default_factory=set)  # all others, and the sentences in its code
    functions: set[str] = field(default_factory=set)  # that students define

    @property
    def max_points(self) -> float:
        return sum(check.points for check in self.checks)

    @property
    def max_total(self) -> float:
        return self.max_points + sum(question.points for question in self.by_hand.values())


def load(name: str, class_seed: int | None = None) -> Assignment:
    """Read an assignment: its set-up cells, checks and points, from the source notebook."""
    module, part = import_checks(name), ("", "")
    assignment = Assignment(name, class_seed, getattr(module, "note_code", None))
    for cell in read_source(name, class_seed).cells:
        role = cell.metadata.get("nbgrader", {})
        if cell.cell_type == "code":
            assignment.texts.update(words_in(cell.source))
        if cell.cell_type == "markdown" and role:
            text, _, answer = cell.source.partition(SOLUTION_MARKS[0])
            answer = answer.partition(SOLUTION_MARKS[1])[0]
            assignment.by_hand[role["grade_id"]] = Question(role["points"], text.strip(), answer.strip())
        elif cell.cell_type == "markdown":
            assignment.texts.add(cell.source)
            if title := re.match(r"#+ +([^·\n]+)", cell.source):  # without its minutes
                notebook = re.search(r"notebooks? \d\d(?: and \d\d)?", cell.source, re.IGNORECASE)
                part = title[1].strip(), notebook[0].lower() if notebook else ""
        elif role.get("grade"):
            if not (function := getattr(module, role["grade_id"], None)):
                raise AttributeError(f"{module.__name__} has no {role['grade_id']}: list it in its __init__.py")
            assignment.checks.append(Check(role["grade_id"], role["points"], function, function.__doc__, *part))
        elif role.get("locked"):
            assignment.setup.append((f"the set-up cell {role['grade_id']}", cell.source))
        elif role.get("solution"):
            assignment.functions |= set(DEFINED.findall(cell.source))
    return assignment
