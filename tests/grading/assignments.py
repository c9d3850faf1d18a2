"""The assignments as the tests see them: their folders, their cells, and solutions as data."""

import importlib.util
from pathlib import Path

import nbformat

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


def solutions(name):
    """Return the module tests/grading/solutions/a1.py that belongs to a1_..., or None."""
    path = HERE / "solutions" / f"{name.split('_')[0]}.py"
    if not path.exists():
        return None
    spec = importlib.util.spec_from_file_location(f"solutions_{path.stem}", path)
    module = importlib.util.module_from_spec(spec)
    spec.loader.exec_module(module)
    return module
