"""Who solves all exercises has a file that Python imports, and that is a model that writes."""

import ast
import os
import re
import subprocess
import sys

import pytest
from nbclient import NotebookClient
from nbformat.v4 import new_code_cell, new_notebook

from reading import NOTEBOOKS, code_cells, defined, is_stub, read, solutions

pytestmark = pytest.mark.slow
# As a new kernel, whose history is empty; what is frozen need not be searched for what can be thrown away.
ANEW = "import gc; gc.freeze(); get_ipython().reset()"
SLOW = ("progress(", "write(", "tally(", "share_right(", "here(", "explore(", "becoming(", "tried", "if file:", "parts")


def light(cell):
    """Return what a cell imports, and what it takes from the reader, without what it computes."""
    lines = [node for node in ast.parse(cell.source).body if isinstance(node, ast.Import | ast.ImportFrom | ast.Assign)]
    taken = re.compile(r"(from|import) |\w+ = (yours_or\([^()]+\)|gather\(\)|pieces\.\w+)$", re.DOTALL)
    return "\n".join(line for line in map(ast.unparse, lines) if taken.match(line))


def run(sources, file):
    """Run cells in one kernel beside this file, and return the texts that each shows."""
    notebook = new_notebook(cells=[new_code_cell(source) for source in sources])
    client = NotebookClient(notebook, timeout=60, resources={"metadata": {"path": str(file.parent)}})
    client.execute(env=os.environ | {"COURSE_MINE": str(file)})
    texts = ([each.get("text") or each["data"]["text/plain"] for each in cell.outputs] for cell in notebook.cells)
    return ["\n".join(each) for each in texts]


@pytest.fixture(scope="module")
def solved(tmp_path_factory):
    """Solve all exercises, each notebook in a fresh namespace; return the file and {exercise: what its check shows}."""
    file, sources, checks = tmp_path_factory.mktemp("reader") / "mine.py", [], {}
    for path in NOTEBOOKS[1:]:
        notebook = read(path)
        cells, answers = code_cells(notebook), solutions(notebook)
        sources.append(ANEW)
        for before, cell in zip([None, *cells], cells):
            if is_stub(cell):
                sources.append(answers[defined(cell.source)])
            elif before is not None and is_stub(before):
                checks[len(sources)] = defined(before.source)
                sources.append(cell.source)
            else:
                sources.append(light(cell))
    texts = run(sources, file)
    return file, {name: texts[place] for place, name in checks.items()}


def test_every_solution_is_correct_and_kept_in_the_courses_order(solved):
    file, shown = solved
    assert [name for name, text in shown.items() if not re.match(r"correct(.|\n)*\nkept in mine.py", text)] == []
    kept = re.findall(r"^# Notebook (\d\d): (\w+)$", file.read_text(encoding="utf-8"), flags=re.MULTILINE)
    assert [name for _, name in kept] == list(shown) and [number for number, _ in kept] == sorted(n for n, _ in kept)


def test_plain_python_imports_it_from_its_folder(solved):
    run = subprocess.run([sys.executable, "-c", "import mine"], cwd=solved[0].parent, capture_output=True, text=True)
    assert (run.returncode, run.stdout, run.stderr) == (0, "", "")


def test_the_model_that_writes_is_made_of_it_with_and_without_a_cache(solved):
    notebook = read(NOTEBOOKS[17])
    asked = [place for place, cell in enumerate(notebook.cells) if cell.source.startswith("### Asked in public")]
    notebook.cells = notebook.cells[: asked[0]]  # what strangers asked is not built of the reader's pieces
    answers = solutions(notebook)
    sources = [answers[defined(cell.source)] if is_stub(cell) else cell.source for cell in code_cells(notebook)]
    first, *_ = [place for place, source in enumerate(sources) if "models" in source]
    quick = [source for source in sources if not any(sign in source for sign in SLOW)]
    imported = re.findall("^from companion.*pictures.* import .*", "\n".join(sources), re.MULTILINE)
    sources = [sources[first], "wrote = [['Ida', 'sang', '.']]", *imported, *quick]
    said = "\n".join(run(sources, solved[0]))
    assert re.search(r"^(\d+) of \1 pieces are your own$", said, re.MULTILINE)
    assert len(re.findall(r": equal \(", said)) == 2 and "DIFFERENT" not in said
    page = (solved[0].parent / "what_i_built.html").read_text(encoding="utf-8")
    assert "Ida sang." in page and "def causal_mask(" in page
