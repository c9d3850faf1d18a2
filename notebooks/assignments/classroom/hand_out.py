"""From the source of an assignment to what students get, and to the solutions that they get later."""

from pathlib import Path

import nbformat

from classroom.assignment import SOLUTION_MARKS, read_source


def write_release(assignment: str, folder: Path | str, seed: int | None = None) -> Path:
    """Write the student's version to folder/<assignment>/<assignment>.ipynb: nbgrader's own, with no gradebook."""
    from nbgrader.converters import GenerateAssignment  # only teachers have nbgrader
    from nbgrader.preprocessors import SaveCells

    notebook = read_source(assignment, seed)
    for step in GenerateAssignment().preprocessors:
        if step is not SaveCells:
            notebook, _ = step().preprocess(notebook, {"language": "python"})
    return _write(notebook, folder, assignment)


def write_solution(assignment: str, folder: Path | str, seed: int | None = None) -> Path:
    """Write the notebook with its solutions and without its hidden tests, for students after the deadline."""
    from nbgrader.preprocessors import ClearHiddenTests

    notebook, _ = ClearHiddenTests().preprocess(read_source(assignment, seed), {})
    for cell in notebook.cells:
        cell.source = "\n".join(line for line in cell.source.split("\n") if line.strip() not in SOLUTION_MARKS)
        cell.metadata.pop("nbgrader", None)
    return _write(notebook, folder, assignment)


def _write(notebook: nbformat.NotebookNode, folder: Path | str, assignment: str) -> Path:
    path = Path(folder, assignment, f"{assignment}.ipynb")
    path.parent.mkdir(parents=True, exist_ok=True)
    nbformat.write(notebook, path)
    return path
