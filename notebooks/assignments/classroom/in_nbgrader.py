"""Our judge within nbgrader: its gradebook, formgrader and pages, while students' code runs apart, as in our grader.

nbgrader pays a test cell in full unless its output is an error. So all here is made to fail closed: 0 points are saved
for every check before anything else happens, and only a verdict of the judge changes that.
"""

from pathlib import Path

from nbformat.v4 import new_output
from nbgrader import preprocessors as nbgraders
from nbgrader.utils import is_grade

from classroom import names
from classroom.assignment import load, read_source
from classroom.grader.records import Submission
from classroom.grader.whole_class import grade_all

NOT_JUDGED = "not graded: the grader stopped; see what `nbgrader autograde` says, and give it again with --force"


def use_in(config):
    """Set the two lists of `nbgrader autograde`: to be called with `get_config()` in nbgrader_config.py."""
    cleaning = nbgraders.ClearOutput, nbgraders.OverwriteKernelspec, nbgraders.OverwriteCells
    config.Autograde.sanitize_preprocessors = [RestoreRoles, *cleaning, nbgraders.CheckCellMetadata]
    config.Autograde.autograde_preprocessors = [JudgeApart, nbgraders.AssignLatePenalties]


class RestoreRoles(nbgraders.NbGraderPreprocessor):
    """Gives each cell the role that it was handed out with: nbgrader stops the whole class at a doubled cell."""

    enabled = True  # not an option, unlike in nbgrader

    def preprocess(self, nb, resources):
        _restore_roles(nb, resources["nbgrader"]["assignment"])
        return nb, resources


class JudgeApart(nbgraders.SaveAutoGrades):
    """Stands in place of `Execute` and `SaveAutoGrades`. Raises ValueError where the notebook would be run as well,
    RuntimeError if no grade could be made: nbgrader then names the student, whose points are 0, and goes on."""

    enabled = True

    def preprocess(self, nb, resources):
        name, file = resources["nbgrader"]["assignment"], resources["metadata"]
        tests = _restore_roles(nb, name)
        for cell in tests.values():
            cell.outputs = [_error(NOT_JUDGED)]
        super().preprocess(nb, resources)
        if any("Execute" in str(step) for step in self.config.Autograde.get("autograde_preprocessors", [])):
            raise ValueError("take Execute out of Autograde.autograde_preprocessors: JudgeApart stands in its place")
        path = Path(file["path"], f"{file['name']}.ipynb")
        submission = Submission(resources["nbgrader"]["student"], paths=((path, names.read_label(path.name)),))
        (grade,) = grade_all(load(name), [submission])
        if grade.failed:
            raise RuntimeError(grade.trouble)
        for check, (points, message) in grade.verdicts.items():
            tests[check].outputs = [_text(message) if points else _error(message)]
        tests[next(iter(tests))].outputs += [_text(note) for note in grade.notes]
        return super().preprocess(nb, resources)


def _restore_roles(nb, assignment):
    """Give each cell the role, and if it is locked the text, that it was handed out with; a test cell that is missing
    is added at the end. Return the test cells: {check: cell}."""
    cells = [cell for cell in read_source(assignment).cells if "nbgrader" in cell.metadata]
    originals = {cell.metadata.nbgrader.grade_id: cell for cell in cells}
    tests = {name: cell for name, cell in originals.items() if cell.cell_type == "code" and is_grade(cell)}
    for number, cell in reversed(list(enumerate(nb.cells))):  # like nbgrader, take the last of several
        role = cell.metadata.pop("nbgrader", None)
        name = str(role.get("grade_id")) if isinstance(role, dict) else None
        original = originals.pop(name, None)
        if name in tests and original:
            nb.cells[number] = original
        elif original:
            cell.metadata["nbgrader"] = original.metadata.nbgrader
            cell.source = original.source if original.metadata.nbgrader.locked else cell.source
    nb.cells += [originals[name] for name in tests if name in originals]
    return tests


def _error(message):
    return new_output("error", ename="Mistake", evalue=message, traceback=[message])


def _text(message):
    return new_output("stream", name="stdout", text=f"{message}\n")
