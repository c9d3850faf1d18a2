"""The assignments as the tests see them: their cells, their grades, and solutions as data; and which processes live."""

import csv
import fnmatch
import functools
import importlib
import re
import time
from pathlib import Path
from unittest import mock

import nbformat

from classroom.assignment import ASSIGNMENTS, list_assignments, load, read_source
from classroom.grader import judge, whole_class
from classroom.grader.records import Submission
from classroom.local import Local

FOLDER, NAMES = ASSIGNMENTS, list_assignments()


def notebook(name, version="source"):
    """Return an assignment's notebook; version: "source" or "release"."""
    return nbformat.read(FOLDER / version / name / f"{name}.ipynb", as_version=4)


def role(cell):
    """Return the nbgrader metadata of a cell."""
    return cell.metadata.get("nbgrader", {})


def code(name, has_role):
    """Return the sources of the code cells for whose role `has_role` is true."""
    return [cell.source for cell in notebook(name).cells if cell.cell_type == "code" and has_role(role(cell))]


@functools.cache
def points(name):
    """Return {check: points} of an assignment."""
    return {check.name: check.points for check in load(name).checks}


@functools.cache
def _own_solution(name):
    return [compile(source, name, "exec") for source in code(name, lambda role: role and not role.get("grade"))]


def solved(name, *extra):
    """Run an assignment's own solution and then `extra` here, and return it as a check meets it in a notebook."""
    names = {}
    for source in (*_own_solution(name), *extra):
        exec(source, names)
    return Local(names)


def submission(name, *extra, version="source", seed=None):
    """Return what a student hands in who leaves the notebook as it is, and adds cells."""
    source_notebook = notebook(name, version) if seed is None else read_source(name, seed)
    sources = [cell.source for cell in source_notebook.cells if cell.cell_type == "code"]
    cells = [(f"cell {number}", source) for number, source in enumerate([*sources, *extra], start=1)]
    return Submission("someone", cells=cells, class_seed=seed)


def rows(folder):
    """Return {student: {title: cell}} of the table that the grader wrote into a folder."""
    with open(folder / "grades.csv", encoding="utf-8-sig", newline="") as file:
        return {row["student"]: row for row in csv.DictReader(file)}


@mock.patch.object(judge, "RUNS", (None,))  # what several are for is a test of its own
def verdicts(name, submissions, seed=None):
    """Grade submissions on all cores, and return {check: (points, message)} of each; seed: the class's."""
    return [grade.verdicts for grade in whole_class.grade_all(load(name, seed), submissions)]


@functools.cache
def right_sources(name):
    """Return {function or class: source} of an assignment's own solution, without the marks around it."""
    cells = code(name, lambda role: role.get("solution"))
    sources = ["".join(f"{line}\n" for line in cell.split("\n") if "### " not in line) for cell in cells]
    return {re.search(r"^(?:def|class) (\w+)", source, re.MULTILINE)[1]: source for source in sources}


@functools.cache
def solutions(name):
    """Return {case: (source, {check: message})} of an assignment's solutions in tests/classroom/solutions.

    A source is run after the assignment's own solution, and so replaces a part of it. SLIPS holds for a function or
    class of that {told: {old text: new text}}, WRONG {told: a whole one}, RIGHT {name: a whole one}. What is told,
    "check*: message | ...", is what these checks must say, without their "check_"; all others pass.
    """
    module, checks, cases = importlib.import_module(f"solutions.{name[:2]}"), points(name), {}
    for function, slips in module.SLIPS.items():
        for number, (expected, changes) in enumerate(slips.items()):
            source = right_sources(name)[function]
            for old_text, new_text in changes.items():
                assert old_text in source, old_text
                source = source.replace(old_text, new_text)
            cases[f"{function}-{number}"] = source, expected
    cases |= {f"whole-{number}": pair[::-1] for number, pair in enumerate(getattr(module, "WRONG", {}).items())}
    cases |= {case: (source, "") for case, source in module.RIGHT.items()}
    return {case: (source, _parse_expected(expected, checks)) for case, (source, expected) in cases.items()}


def _parse_expected(expected, checks):
    messages = [part.split(":", 1) for part in expected.split(" | ") if part]
    messages = [(f"check_{pattern}", message.strip()) for patterns, message in messages for pattern in patterns.split()]
    assert all(fnmatch.filter(checks, pattern) for pattern, _ in messages), (
        f"{expected} names a check that is not there"
    )
    return {check: message for pattern, message in messages for check in fnmatch.filter(checks, pattern)}


def has_ended(pid):
    """Say whether a process has ended, whether or not its parent has asked how."""
    try:
        return Path(f"/proc/{pid}/stat").read_text().rpartition(") ")[2].startswith("Z")
    except (FileNotFoundError, ProcessLookupError):
        return True


def wait_until(condition):
    end = time.monotonic() + 60
    while not condition():
        assert time.monotonic() < end
        time.sleep(0.01)
