"""What the tests read off a notebook."""

import re
from pathlib import Path

import nbformat
from nbformat.v4 import new_output

from companion.worlds.pretrained import weight_files
from folding import unfold

COURSE = Path(__file__).parent.parent
NOTEBOOKS = sorted((COURSE / "notebooks").glob("*.ipynb"))
HANDBOOK = sorted((COURSE / "notebooks/handbook").glob("*.ipynb"))
EXERCISE = re.compile(r"## Exercise(?: \d)?: .+ \((\d+) minutes\)\n")
NOT_WORDS = re.compile(r"```.*?```|(?<=\])\([^)]*\)|</?\w+>", re.DOTALL)  # code, what a link leads to, and tags


def read(path):
    """Return a notebook as a run leaves it: stored answers are unfolded."""
    notebook = nbformat.v4.reads(path.read_text(encoding="utf-8"))  # it is validated when it is stored
    for cell in code_cells(notebook):
        unfold(cell)
    return notebook


def why_not_compared(path):
    """Return why this machine cannot give what a notebook stores, "" if it can."""
    needed = weight_files.ALL.get(path.name[:2])
    if needed and needed.find() is None:
        no_weights = f"its weights are not here; run {weight_files.FETCH}"
        return f"{path.name} ran on random numbers and was not compared: {no_weights}"
    return ""


def code_cells(notebook):
    return [cell for cell in notebook.cells if cell.cell_type == "code"]


def prose_cells(notebook):
    return [cell for cell in notebook.cells if cell.cell_type == "markdown"]


def outputs(notebook):
    return [output for cell in code_cells(notebook) for output in cell.outputs]


def printed(notebook):
    """All text that the notebook's cells print, captions of pictures included."""
    texts = []
    for output in outputs(notebook):
        texts += [output.get("text", "")]
        texts += [text for kind, text in output.get("data", {}).items() if kind.startswith("text/")]
    return "\n".join(texts)


def filled_lines(cell):
    """Return how many lines of a cell are not empty."""
    return sum(1 for line in cell.source.splitlines() if line.strip())


def addresses(notebook):
    """Return what a link may name after the #: the headings, with hyphens for spaces."""
    prose = "\n".join(cell.source for cell in prose_cells(notebook))
    return [heading.replace(" ", "-") for heading in re.findall(r"^#+ (.+)$", prose, flags=re.MULTILINE)]


def parts(notebook):
    """Return the cells of a notebook's thread, of its exercises, and of its recap."""
    cells, part = {name: [] for name in ("thread", "exercises", "recap")}, "thread"
    for cell in notebook.cells:
        if cell.cell_type == "markdown" and (heading := re.match(r"## .+\n", cell.source)):
            part = "recap" if heading[0] == "## Recap\n" else "exercises" if EXERCISE.match(cell.source) else "thread"
        cells[part].append(cell)
    return cells


def solutions(notebook):
    """{function name: source of its folded solution}, in the order of the exercises."""
    sources = {}
    for cell in prose_cells(notebook):
        for source in re.findall(r"<summary>Solution</summary>\s+```python\n(.*?)```", cell.source, flags=re.DOTALL):
            sources[defined(source)] = source
    return sources


def defined(source):
    """Return the name that a cell's first line defines."""
    return re.match(r"(?:def|class) (\w+)", source)[1]


def is_stub(cell):
    return "raise NotImplementedError" in cell.source


def shown(verdict):
    """Return the output of a check that shows this verdict."""
    return new_output("display_data", {"text/plain": repr(verdict), "text/html": verdict._repr_html_()})
