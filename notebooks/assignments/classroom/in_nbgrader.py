"""Our judge within nbgrader: its gradebook, formgrader and pages, while students' code runs apart, as in our grader.

nbgrader pays a test cell in full unless its output is an error. So all here is made to fail closed: 0 points are saved
for every check before anything else happens, and only a verdict of the judge changes that.
"""

import nbformat
from nbformat.v4 import new_output
from nbgrader.preprocessors import (
    AssignLatePenalties,
    CheckCellMetadata,
    ClearOutput,
    NbGraderPreprocessor,
    OverwriteCells,
    OverwriteKernelspec,
    SaveAutoGrades,
)

from classroom import hand_out
from classroom.assignment import load
from classroom.grader import reading
from classroom.grader.grade_class import grade_all
from classroom.grader.grade_one import PASSED
from classroom.grader.submissions import Submission

NOT_JUDGED = "not graded: the grader stopped; see what `nbgrader autograde` says, and give it again with --force"


def use_in(config):
    """Set the two lists of `nbgrader autograde`: to be called with `get_config()` in nbgrader_config.py."""
    config.Autograde.sanitize_preprocessors = [
        RolesPutBack,
        ClearOutput,
        OverwriteKernelspec,
        OverwriteCells,
        CheckCellMetadata,
    ]
    config.Autograde.autograde_preprocessors = [JudgeApart, AssignLatePenalties]


class RolesPutBack(NbGraderPreprocessor):
    """Gives each cell the role that it was handed out with: nbgrader stops the whole class at a doubled cell."""

    enabled = True  # no option, as it is in nbgrader

    def preprocess(self, nb, resources):
        roles = _roles(hand_out.source(resources["nbgrader"]["assignment"]))
        for cell in reversed(nb.cells):  # as nbgrader, it takes the last of several
            original = roles.pop(_grade_id(cell), None)
            cell.metadata.pop("nbgrader", None)
            if original:
                cell.metadata["nbgrader"] = original.metadata.nbgrader
                cell.source = original.source if original.metadata.nbgrader.locked else cell.source
        return nb, resources


class JudgeApart(SaveAutoGrades):
    """Stands in `Autograde.autograde_preprocessors` in place of `Execute` and `SaveAutoGrades`.

    Raises ValueError if the list would run the notebook as well, RuntimeError if no grade could be made: nbgrader then
    names the student, whose points are 0, goes on with the others, and tries again the next time.
    """

    enabled = True

    def preprocess(self, nb, resources):
        assignment = load(resources["nbgrader"]["assignment"])
        submission = Submission(resources["nbgrader"]["student"], found=_Found(nb))
        reading.read(submission)
        tests = _tests_put_back(nb, hand_out.source(assignment.name))
        for cell in tests.values():
            cell.outputs = [_error(NOT_JUDGED)]
        super().preprocess(nb, resources)
        if any("Execute" in str(each) for each in self.config.Autograde.get("autograde_preprocessors", [])):
            raise ValueError("take Execute out of Autograde.autograde_preprocessors: JudgeApart stands in its place")
        (grade,) = grade_all(assignment, [submission], seed=0)
        if grade.failed:
            raise RuntimeError(grade.trouble)
        for check, (_, message) in grade.verdicts.items():
            tests[check].outputs = [_text(message) if message == PASSED else _error(message)]
        tests[assignment.checks[0].name].outputs += [_text(note) for note in grade.notes]
        return super().preprocess(nb, resources)


class _Found:
    """The notebook as `reading.py` and `grade_one.py` ask for it. nbgrader itself knows when it was handed in."""

    name, handed_in = "the notebook", 0

    def __init__(self, nb):
        self.nb = nb

    def content(self):
        return nbformat.writes(self.nb).encode("utf-8", "replace")


def _roles(source):
    """Return {grade_id: cell} of all cells of a source notebook that nbgrader knows."""
    return {cell.metadata.nbgrader.grade_id: cell for cell in source.cells if "nbgrader" in cell.metadata}


def _grade_id(cell):
    role = cell.metadata.get("nbgrader")
    return str(role.get("grade_id")) if isinstance(role, dict) else None


def _tests_put_back(nb, source):
    """Put each test cell of the source where the student has it, or at the end, and return them: {check: cell}."""
    graded = {name: cell for name, cell in _roles(source).items() if cell.metadata.nbgrader.grade}
    tests = {name: cell for name, cell in graded.items() if cell.cell_type == "code"}
    left, cells = dict(tests), []
    for cell in nb.cells:
        if _grade_id(cell) not in tests:
            cells.append(cell)
        elif _grade_id(cell) in left:
            cells.append(left.pop(_grade_id(cell)))
    nb.cells = [*cells, *left.values()]
    return tests


def _error(message):
    return new_output("error", ename="Mistake", evalue=message, traceback=[message])


def _text(message):
    return new_output("stream", name="stdout", text=f"{message}\n")
