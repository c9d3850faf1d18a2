"""Our judge within the real nbgrader: the same points as our own grader's, and none where anything goes wrong."""

import contextlib
import copy

import attacks
import nbformat
import pytest
from nbgrader.api import Gradebook
from nbgrader.converters import Autograde, GenerateAssignment, GenerateFeedback
from nbgrader.converters.base import NbGraderException
from nbgrader.coursedir import CourseDirectory
from nbgrader.preprocessors import AssignLatePenalties, Execute, SaveAutoGrades
from traitlets.config import Config

import assignments
from classroom import in_nbgrader
from classroom.__main__ import main
from classroom.checks import graded
from classroom.grader import judge
from classroom.grader.records import make_failed_grade

pytestmark = pytest.mark.filterwarnings(
    "ignore::sqlalchemy.exc.SAWarning",
    "ignore::nbformat.validator.DuplicateCellId",
    "ignore:.*[eE]nabled.*:UserWarning",
)
NAME = attacks.NAME


class Course:
    """A teacher's course in nbgrader, with its notebooks handed in by students."""

    def __init__(self, folder, name):
        self.folder, self.name, self.config = folder, name, Config()
        self.config.CourseDirectory = Config(root=str(folder), course_id="attention", assignment_id=name)
        in_nbgrader.use_in(self.config)
        assert AssignLatePenalties in self.config.Autograde.autograde_preprocessors  # a teacher may have a rule for it

    def put(self, folder, notebook):
        path = self.folder / folder / self.name / f"{self.name}.ipynb"
        path.parent.mkdir(parents=True)
        nbformat.write(notebook, path)
        return path

    def run(self, converter, **options):
        converter(coursedir=CourseDirectory(config=self.config), config=self.config, **options).start()

    def points(self):
        """Return {student: {check: points}} as the gradebook has them."""
        checks = assignments.points(self.name)
        with Gradebook(f"sqlite:///{self.folder / 'gradebook.db'}", "attention") as gradebook:
            return {
                book.student.id: {
                    grade.name: grade.auto_score for grade in book.notebooks[0].grades if grade.name in checks
                }
                for book in gradebook.assignment_submissions(self.name)
            }


@pytest.fixture
def course(tmp_path, request, monkeypatch):
    """A course with an assignment that was handed out."""
    monkeypatch.setattr("nbgrader.api.get_alembic_version", lambda: "")  # it starts a program for it
    course = Course(tmp_path / "course", getattr(request, "param", NAME))
    course.put("source", assignments.notebook(course.name))
    course.run(GenerateAssignment)
    return course


def with_tests_that_claim_to_be_solved(cells):
    for cell in attacks.tests_of(cells):
        cell.metadata.nbgrader.update(solution=True, points=100)
    for cell in (cell for cell in cells if cell.cell_type == "code"):
        cell.outputs = [nbformat.v4.new_output("execute_result", data={"text/plain": "100"}, execution_count=1)]
    return cells


def with_roles_that_are_none(cells):
    cells[0].metadata["nbgrader"] = "x"
    cells[1].metadata["nbgrader"] = {"grade_id": ["a"], "grade": True}
    role = {"grade": True, "grade_id": "mine", "points": 100, "locked": False, "solution": False, "schema_version": 3}
    return [*cells, nbformat.v4.new_code_cell("1", metadata={"nbgrader": role})]


PATCHED = f"import torch\ntorch.equal = torch.allclose = lambda *given, **more: True\n{attacks.FAKE}"
HANDED_IN = {  # student: (code, what becomes of the cells)
    "no tests": (attacks.GOOD, attacks.without_tests),
    "odd roles": (attacks.GOOD, with_roles_that_are_none),
    "a test twice": (attacks.GOOD, lambda cells: [*cells, copy.deepcopy(attacks.tests_of(cells)[3])]),
    "patched": (PATCHED, list),
    "claims": (attacks.FAKE, with_tests_that_claim_to_be_solved),
    "one mistake": (f"{attacks.GOOD}\ndef softmax_rows(scores): return scores", list),  # its page is looked at
}


@pytest.mark.parametrize(
    "course",
    [NAME, *(pytest.param(name, marks=pytest.mark.only_with_all) for name in assignments.NAMES[1:])],
    indirect=True,
)
def test_nbgrader_pays_what_our_own_grader_pays(course, tmp_path):
    students = {"solved": assignments.notebook(course.name), "unsolved": assignments.notebook(course.name, "release")}
    for student, (code, change) in HANDED_IN.items() if course.name == NAME else ():
        students[student] = attacks.notebook(code, change=change)
    (tmp_path / "ours").mkdir()
    for student, notebook in students.items():
        (tmp_path / "ours" / f"{student}.ipynb").hardlink_to(course.put(f"submitted/{student}", notebook))
    course.run(Autograde)
    assert main(["grade", course.name, str(tmp_path / "ours"), str(tmp_path / "graded")]) == 0
    rows = assignments.rows(tmp_path / "graded")
    for student, points in course.points().items():
        titles = {check: f"{check} (of {most})" for check, most in assignments.points(course.name).items()}
        assert points == {check: float(rows[student][title]) for check, title in titles.items()}
        autograded = course.folder / "autograded" / student / course.name / f"{course.name}.ipynb"
        text = autograded.read_text(encoding="utf-8")
        assert in_nbgrader.NOT_JUDGED not in text and "execute_result" not in text
    assert course.points()["solved"] == assignments.points(course.name)
    assert set(course.points()) == set(students)
    course.config.CourseDirectory.student_id = shown = next(reversed(students))
    course.run(GenerateFeedback)
    page = (course.folder / "feedback" / shown / course.name / f"{course.name}.html").read_text(encoding="utf-8")
    assert "no answer in words was found" in page
    assert graded.CORRECT_WITH_RIGHT in page if shown == "one mistake" else judge.NOT_ATTEMPTED in page


def test_a_judge_that_dies_costs_its_student_all_points_and_no_other(course, monkeypatch):
    course.put("submitted/ada", assignments.notebook(NAME))
    course.run(Autograde)
    assert course.points()["ada"] == assignments.points(NAME)
    course.put("submitted/zoe", assignments.notebook(NAME))

    def die_with_ada(assignment, submissions):
        if submissions[0].student == "ada":
            return [make_failed_grade(assignment, "ada", "killed")]
        return grade_all(assignment, submissions)

    grade_all = in_nbgrader.grade_all
    monkeypatch.setattr(in_nbgrader, "grade_all", die_with_ada)
    with pytest.raises(NbGraderException):
        course.run(Autograde, force=True)
    assert set(course.points()["ada"].values()) == {0}  # what was paid before is gone, too
    assert course.points()["zoe"] == assignments.points(NAME)
    assert not (course.folder / "autograded" / "ada" / NAME).exists()  # so the next run tries again


@pytest.mark.parametrize(
    "listed, refused",
    [([in_nbgrader.JudgeApart, SaveAutoGrades], False), ([SaveAutoGrades, Execute, in_nbgrader.JudgeApart], True)],
)
def test_however_the_judge_is_listed_or_switched_off_an_empty_notebook_earns_nothing(course, listed, refused):
    course.put("submitted/ada", assignments.notebook(NAME, "release"))
    course.config.Autograde.autograde_preprocessors = listed
    for name in ("JudgeApart", "NbGraderPreprocessor"):
        course.config[name].enabled = False
    with pytest.raises(NbGraderException) if refused else contextlib.nullcontext():
        course.run(Autograde)
    assert set(course.points()["ada"].values()) == {0}


def test_of_an_answer_that_is_there_twice_the_last_is_marked():
    notebook = assignments.notebook(NAME, "release")
    first = next(cell for cell in notebook.cells if cell.id == "explain-repeated")
    notebook.cells.append(copy.deepcopy(first))
    setup = next(cell for cell in notebook.cells if assignments.role(cell).get("locked"))
    text, setup.source = setup.source, "a student's own"
    in_nbgrader._restore_roles(notebook, NAME)
    assert setup.source == text
    assert assignments.role(notebook.cells[-1]) and not assignments.role(first)
