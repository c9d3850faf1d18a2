"""From the source of an assignment to what students get, and to the solutions that they get later."""

import importlib
from pathlib import Path

import nbformat

ASSIGNMENTS = Path(__file__).resolve().parents[1]
GOES_ON = "raises-exception"  # with this tag, a cell that stops does not end "Run All"
STUDENT = "Local(globals())"
MARKS = ("### BEGIN SOLUTION", "### END SOLUTION")


def names():
    """Return the names of all assignments."""
    return sorted(path.name for path in (ASSIGNMENTS / "source").glob("a*"))


def checks(assignment):
    """Return the module with the checks of an assignment: `classroom.checks.a1_single_head`."""
    return importlib.import_module(f"classroom.checks.{assignment}")


def source(assignment, seed=None):
    """Return an assignment's source notebook, in the version of one class.

    seed: the class's; None for the version as it is written.
    """
    notebook = nbformat.read(ASSIGNMENTS / "source" / assignment / f"{assignment}.ipynb", as_version=4)
    if seed is not None:
        changes = {**checks(assignment).variation(seed), STUDENT: f"Local(globals(), class_seed={seed})"}
        for cell in notebook.cells:
            for old, new in changes.items():
                cell.source = cell.source.replace(old, new)
    for cell in notebook.cells:
        role = cell.metadata.get("nbgrader", {})
        if cell.cell_type == "code" and (role.get("grade") or not role):  # what is handed out before it can work
            cell.metadata["tags"] = [GOES_ON]
    return notebook


def write_release(assignment, folder, seed=None):
    """Write the student's version to folder/<assignment>/<assignment>.ipynb: nbgrader's own, with no gradebook."""
    from nbgrader.converters import GenerateAssignment  # only teachers have nbgrader
    from nbgrader.preprocessors import SaveCells

    steps = [step for step in GenerateAssignment().preprocessors if step is not SaveCells]
    return _write(_through(steps, source(assignment, seed)), folder, assignment)


def write_solution(assignment, folder, seed=None):
    """Write the notebook with its solutions and without its hidden tests, for students after the deadline."""
    from nbgrader.preprocessors import ClearHiddenTests

    notebook = _through([ClearHiddenTests], source(assignment, seed))
    for cell in notebook.cells:
        cell.source = "\n".join(line for line in cell.source.split("\n") if line.strip() not in MARKS)
        cell.metadata.pop("nbgrader", None)
    return _write(notebook, folder, assignment)


def _through(steps, notebook):
    """Return what these preprocessors of nbgrader make of a notebook."""
    for step in steps:
        notebook, _ = step().preprocess(notebook, {"language": "python"})
    return notebook


def _write(notebook, folder, assignment):
    path = Path(folder, assignment, f"{assignment}.ipynb")
    path.parent.mkdir(parents=True, exist_ok=True)
    nbformat.write(notebook, path)
    return path
