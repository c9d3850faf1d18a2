"""Wrong solutions are caught by the message that names their mistake, unusual right ones pass; each runs for real."""

import assignments
import pytest

from classroom import release
from classroom.assignment import load
from classroom.checks.graded import Draw
from classroom.grader import grading
from classroom.student import Local
from utils.checks.feedback import Mistake

SEEDS = range(5)


def cases(kind):
    return [
        pytest.param(name, case, id=f"{name[:2]}-{case}")
        for name in assignments.NAMES
        if (data := assignments.solutions(name))
        for case in getattr(data, kind)
    ]


def in_the_notebook(name, extra, seed):
    """Run an assignment's own solution and then `extra` here, and return {check: message} of what fails."""
    names = {}
    for source in assignments.code(name, lambda role: not role.get("grade")):
        exec(source, names)
    exec(extra, names)
    found = {}
    for check in assignments.points(name):
        try:
            getattr(release.checks(name), check).__wrapped__(Local(names), Draw(seed))
        except (Mistake, NotImplementedError) as error:
            found[check] = str(error)
    return found


@pytest.fixture(scope="module")
def in_the_grader():
    """Grade all solutions on all cores: {(assignment, case): {check: message} of what fails}."""
    found = {}
    for name in assignments.NAMES:
        data = assignments.solutions(name)
        extra = {case: source for case, (source, _) in data.WRONG.items()} | data.UNUSUAL if data else {}
        handed_in = [assignments.submission(name, source) for source in extra.values()]
        for case, grade in zip(extra, grading.grade_all(load(name), handed_in, seed=1)):
            failed = {check: message for check, (points, message) in grade.verdicts.items() if not points}
            found[name, case] = failed
    return found


@pytest.mark.parametrize("seed", SEEDS)
@pytest.mark.parametrize("name, case", cases("WRONG"))
def test_a_wrong_solution_fails_the_checks_of_its_mistake_and_no_other(name, case, seed):
    source, expected = assignments.solutions(name).WRONG[case]
    compare(in_the_notebook(name, source, seed), expected)


@pytest.mark.parametrize("name, case", cases("WRONG"))
def test_the_grader_finds_the_same_mistakes(in_the_grader, name, case):
    compare(in_the_grader[name, case], assignments.solutions(name).WRONG[case][1])


@pytest.mark.parametrize("seed", SEEDS)
@pytest.mark.parametrize("name, case", cases("UNUSUAL"))
def test_an_unusual_right_solution_passes_every_check(name, case, seed):
    assert in_the_notebook(name, assignments.solutions(name).UNUSUAL[case], seed) == {}


@pytest.mark.parametrize("name, case", cases("UNUSUAL"))
def test_the_grader_gives_an_unusual_right_solution_full_points(in_the_grader, name, case):
    assert in_the_grader[name, case] == {}


def compare(found, expected):
    assert set(found) == set(expected), found
    for check, fragment in expected.items():
        assert fragment in found[check]
