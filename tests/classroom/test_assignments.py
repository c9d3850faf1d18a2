"""What every assignment promises: its release, its points, its way through nbgrader."""

import os
import sys
from pathlib import Path

import assignments
import nbformat
import pytest
from assignments import notebook, role
from nbgrader.api import Gradebook
from nbgrader.converters import Autograde, GenerateAssignment
from nbgrader.coursedir import CourseDirectory
from nbgrader.validator import Validator
from traitlets.config import Config

from classroom import release
from classroom.__main__ import main
from classroom.assignment import load
from classroom.grader import judging

each_assignment = pytest.mark.parametrize("name", assignments.NAMES)


def secret_and_public(cells):
    """Return the lines within solutions and hidden tests, and all others."""
    secret, public = set(), set()
    for cell in cells:
        inside = False
        for line in map(str.strip, cell.source.split("\n")):
            if line.startswith(("### BEGIN ", "### END ")):
                inside = line.startswith("### BEGIN ")
            elif line:
                (secret if inside else public).add(line)
    return secret, public


def grade(name, seed=None, version="source"):
    return judging.grade(load(name, seed), assignments.submission(name, version=version, seed=seed), seed=5)


def earned(name, seed=None):
    return {check: points for check, (points, _) in grade(name, seed).verdicts.items()}


@each_assignment
def test_the_release_is_what_the_source_gives(name, tmp_path):
    fresh = release.write_release(name, tmp_path)
    stored = assignments.FOLDER / "release" / name / f"{name}.ipynb"
    assert stored.read_text(encoding="utf-8") == fresh.read_text(encoding="utf-8"), "run: python -m classroom release"


@each_assignment
def test_no_line_of_a_solution_or_of_a_hidden_test_is_released(name):
    secret, public = secret_and_public(notebook(name).cells)
    hidden, released = secret_and_public(notebook(name, "release").cells)
    assert secret and not hidden
    assert not (secret - public) & released


@each_assignment
def test_an_unsolved_release_earns_nothing_and_is_told_that_nothing_was_attempted(name):
    result = grade(name, version="release")
    assert result.points == 0
    assert {message for _, message in result.verdicts.values()} == {judging.NOT_ATTEMPTED}


@each_assignment
def test_the_source_earns_full_points(name):
    assert earned(name) == assignments.points(name)


@each_assignment
@pytest.mark.parametrize("seed", [1, 2027])
def test_the_version_of_a_class_differs_and_its_source_earns_full_points(name, seed):
    sources = [cell.source for cell in notebook(name).cells]
    for old in release.checks(name).variation(seed):
        assert any(old in source for source in sources), old
    varied = [cell.source for cell in release.source(name, seed).cells]
    assert varied != sources and varied != [cell.source for cell in release.source(name, seed + 1).cells]
    assert earned(name, seed=seed) == assignments.points(name)


@each_assignment
def test_the_cells_are_as_nbgrader_and_the_grader_need_them(name):
    cells = notebook(name).cells
    roles = [role(cell) for cell in cells if role(cell)]
    assert len({found["grade_id"] for found in roles}) == len(roles)
    assert len({cell.id for cell in cells}) == len(cells)
    for cell in cells:
        assert not cell.get("outputs") and cell.get("execution_count") is None
        found = role(cell)
        if cell.cell_type == "code" and found.get("grade"):
            check = getattr(release.checks(name), found["grade_id"])
            assert check.__doc__.endswith(".") and found["locked"] and found["points"] > 0
            assert cell.source.count(f"{found['grade_id']}(student)") == 1
            assert cell.source.count(f"{found['grade_id']}(student, seed=None)") == 1
        elif found.get("solution"):
            assert "### BEGIN SOLUTION" in cell.source


@each_assignment
def test_solutions_are_released_without_marks_and_hidden_tests(name, tmp_path):
    assert main(["solutions", name, str(tmp_path)]) == 0
    solved = nbformat.read(tmp_path / name / f"{name}.ipynb", as_version=4)
    assert not any("###" in cell.source and "BEGIN" in cell.source for cell in solved.cells)
    text = "\n".join(cell.source for cell in solved.cells)
    secret, _ = secret_and_public(cell for cell in notebook(name).cells if role(cell).get("solution"))
    assert all(line in text for line in secret)


def test_an_assignment_that_does_not_exist_is_named(capsys, tmp_path):
    assert main(["solutions", "a9", str(tmp_path)]) == 2
    assert "there is no assignment 'a9'; there are a1_single_head" in capsys.readouterr().err


# The same notebooks in nbgrader itself


@pytest.fixture
def course(tmp_path, monkeypatch):
    """An empty nbgrader course."""
    monkeypatch.setenv("PATH", f"{Path(sys.executable).parent}{os.pathsep}{os.environ['PATH']}")  # it calls alembic
    config = Config()
    config.CourseDirectory.root = str(tmp_path)
    config.CourseDirectory.course_id = "attention"
    config.Execute.extra_arguments = ["--log-level=ERROR"]
    return config


def run(converter, config, **names):
    config = Config(config)
    config.CourseDirectory.update(names)
    converter(coursedir=CourseDirectory(config=config), config=config).start()


@each_assignment
def test_nbgrader_autogrades_the_source_with_full_points_and_the_release_with_none(name, course):
    root = Path(course.CourseDirectory.root)
    given = (("source", root / "source" / name), ("source", root / "submitted" / "solved" / name))
    for version, folder in (*given, ("release", root / "submitted" / "unsolved" / name)):
        folder.mkdir(parents=True)
        nbformat.write(notebook(name, version), folder / f"{name}.ipynb")
    run(GenerateAssignment, course, assignment_id=name)
    run(Autograde, course, assignment_id=name)
    with Gradebook(f"sqlite:///{root / 'gradebook.db'}", "attention") as gradebook:
        scores = {
            found.student_id: {grade.name: grade.auto_score for book in found.notebooks for grade in book.grades}
            for found in gradebook.assignment_submissions(name)
        }
    for check, points in assignments.points(name).items():
        assert scores["solved"][check] == points, check
        assert scores["unsolved"][check] == 0, check


@each_assignment
def test_nbgrader_validates_the_source_and_not_the_release(name):
    for version, fine in (("source", True), ("release", False)):
        path = assignments.FOLDER / version / name / f"{name}.ipynb"
        found = Validator().validate(str(path))
        assert ("failed" not in found) == fine
        if not fine:
            errors = [part["error"] for part in found["failed"] if "did not provide a response" not in part["error"]]
            assert errors and all("NotImplementedError" in error for error in errors)
