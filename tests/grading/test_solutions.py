"""Wrong solutions are caught by the message that names their mistake, unusual right ones pass."""

import importlib

import assignments
import pytest

from utils.checks.feedback import Mistake
from utils.checks.graded import Draw
from utils.grading.student import Local

SEEDS = (0, 1, 2)
WRONG = [
    pytest.param(name, case, id=f"{name[:2]}-{case}")
    for name in assignments.NAMES
    if (data := assignments.solutions(name))
    for case in data.WRONG
]
UNUSUAL = [
    pytest.param(name, case, id=f"{name[:2]}-{case}")
    for name in assignments.NAMES
    if (data := assignments.solutions(name))
    for case in data.UNUSUAL
]


def failures(name, extra, seed):
    """Run an assignment's own solution and then `extra` cells, and return {check: message} of what fails."""
    names = {}
    for source in assignments.code(name, lambda role: not role.get("grade")):
        exec(source, names)
    exec(extra, names)
    module = importlib.import_module(f"utils.checks.{name.split('_')[0]}")
    found = {}
    for cell in assignments.notebook(name).cells:
        role = assignments.role(cell)
        if cell.cell_type == "code" and role.get("grade"):
            try:
                getattr(module, role["grade_id"]).__wrapped__(Local(names), Draw(seed))
            except (Mistake, NotImplementedError) as error:
                found[role["grade_id"]] = str(error)
    return found


@pytest.mark.parametrize("seed", SEEDS)
@pytest.mark.parametrize("name, case", WRONG)
def test_a_wrong_solution_fails_the_checks_of_its_mistake_and_no_other(name, case, seed):
    source, expected = assignments.solutions(name).WRONG[case]
    found = failures(name, source, seed)
    assert set(found) == set(expected), found
    for check, fragment in expected.items():
        assert fragment in found[check]


@pytest.mark.parametrize("seed", SEEDS)
@pytest.mark.parametrize("name, case", UNUSUAL)
def test_an_unusual_right_solution_passes_every_check(name, case, seed):
    assert failures(name, assignments.solutions(name).UNUSUAL[case], seed) == {}
