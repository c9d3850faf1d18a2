"""The assignments as the tests see them: their folders, their cells, and solutions as data."""

import importlib.util
from pathlib import Path

import nbformat

from classroom import release
from classroom.grader.submissions import Submission

HERE = Path(__file__).parent
FOLDER = HERE.parent.parent / "notebooks" / "assignments"
NAMES = sorted(path.name for path in (FOLDER / "source").glob("a*") if path.is_dir())


def notebook(name, version="source"):
    """Return an assignment's notebook; version: "source" or "release"."""
    return nbformat.read(FOLDER / version / name / f"{name}.ipynb", as_version=4)


def role(cell):
    """Return the nbgrader metadata of a cell."""
    return cell.metadata.get("nbgrader", {})


def code(name, wanted):
    """Return the sources of the code cells for whose role `wanted` is true."""
    return [cell.source for cell in notebook(name).cells if cell.cell_type == "code" and wanted(role(cell))]


def points(name):
    """Return {grade_id: points} of all test cells."""
    cells = [cell for cell in notebook(name).cells if cell.cell_type == "code"]
    return {role(cell)["grade_id"]: role(cell)["points"] for cell in cells if role(cell).get("grade")}


def submission(name, *extra, version="source", seed=None):
    """Return what a student hands in who leaves the notebook as it is, and adds cells."""
    found = notebook(name, version) if seed is None else release.source(name, seed)
    sources = [cell.source for cell in found.cells if cell.cell_type == "code"]
    cells = [(f"cell {number}", source) for number, source in enumerate([*sources, *extra], start=1)]
    return Submission("someone", path=Path("someone.ipynb"), cells=cells, class_seed=seed)


def solutions(name):
    """Return the module tests/classroom/solutions/a1.py that belongs to a1_..., or None."""
    path = HERE / "solutions" / f"{name.split('_')[0]}.py"
    if not path.exists():
        return None
    spec = importlib.util.spec_from_file_location(f"solutions_{path.stem}", path)
    module = importlib.util.module_from_spec(spec)
    spec.loader.exec_module(module)
    return module
