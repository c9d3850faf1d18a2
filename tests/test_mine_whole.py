"""Who solves all exercises has a file that Python imports, and that is a model that writes; two hours end in a head."""

import ast
import html
import re
import subprocess
import sys
from urllib.parse import unquote

import pytest
from nbformat.v4 import new_notebook

from kernels import RESET, Kernel
from minutes import exercise_minutes, thread_minutes
from reading import COURSE, NOTEBOOKS, code_cells, defined, is_stub, prose_cells, read, solutions

pytestmark = pytest.mark.slow
FREEZE = "import gc; gc.freeze()"  # what was imported stays, and need not be searched for what can be thrown away
SLOW = ("progress(", "fit(", "page(", "write(", "tally(", "share_right(", "here(", "explore(", "becoming(")
SLOW += "tried", "if file:", "parts", "copied("


def light(cell):
    """Return what a cell imports, defines (without defaults), and takes from the reader, without what it computes."""
    kinds = ast.Import | ast.ImportFrom | ast.Assign | ast.FunctionDef
    lines = [node for node in ast.parse(cell.source).body if isinstance(node, kinds)]
    imports_and_pieces = r"(from|import) |def \w+\([\w, ]+\):|\w+ = (yours_or\([^()]+\)|gather\(\)|pieces\.\w+)$"
    return "\n".join(line for line in map(ast.unparse, lines) if re.match(imports_and_pieces, line, re.DOTALL))


def solved_cells(notebook, written=None):
    """Return the texts of a notebook's cells, its exercises solved, or those of them that are written."""
    answers = solutions(notebook)
    return [
        answers[defined(cell.source)] if is_stub(cell) and (written is None or cell in written) else cell.source
        for cell in code_cells(notebook)
    ]


@pytest.fixture(scope="module")
def run():
    """Return a function that runs cells beside a file, as in a fresh kernel, and gives the text that each shows."""
    kernel = Kernel()

    def run_all(sources, file):
        kernel.begin(file, file.parent)
        return ["\n".join(kernel.says(source)) for source in sources]

    yield run_all
    kernel.close()


@pytest.fixture(scope="module")
def solved(run, tmp_path_factory):
    """Solve all exercises, each notebook in a fresh namespace; return the file and {exercise: what its check shows}."""
    file, sources, checks = tmp_path_factory.mktemp("reader") / "mine.py", [], {}
    for path in NOTEBOOKS[1:]:
        notebook = read(path)
        cells, answers = code_cells(notebook), solutions(notebook)
        sources.append(f"{FREEZE}; {RESET}")
        for before, cell in zip([None, *cells], cells):
            if is_stub(cell):
                sources.append(answers[defined(cell.source)])
            elif before is not None and is_stub(before):
                checks[len(sources)] = defined(before.source)
                sources.append(cell.source)
            else:
                sources.append(light(cell))
    texts = run(sources, file)
    return file, {name: texts[number] for number, name in checks.items()}


def test_every_solution_is_correct_and_kept_in_the_courses_order(solved):
    file, verdicts = solved
    assert [name for name, text in verdicts.items() if not re.match(r"correct(.|\n)*\nkept in mine.py", text)] == []
    pieces = re.findall(r"^# Notebook (\d\d): (\w+)$", file.read_text(encoding="utf-8"), flags=re.MULTILINE)
    assert [name for _, name in pieces] == list(verdicts) and [number for number, _ in pieces] == sorted(
        n for n, _ in pieces
    )


def test_plain_python_imports_it_from_its_folder(solved):
    alone = subprocess.run([sys.executable, "-c", "import mine"], cwd=solved[0].parent, capture_output=True, text=True)
    assert (alone.returncode, alone.stdout, alone.stderr) == (0, "", "")


def test_the_model_that_writes_is_made_of_it(run, solved):
    sources = solved_cells(read(COURSE / "notebooks/18_a_model_that_writes.ipynb"))
    first, *_ = [number for number, source in enumerate(sources) if "models" in source]
    quick = [source for source in sources if not any(sign in source for sign in SLOW)]
    imported = re.findall("^from companion.*pictures.* import .*", "\n".join(sources), re.MULTILINE)
    sources = [sources[first], "wrote = [['Ida', 'sang', '.']]", *imported, *quick]
    output = "\n".join(run(sources, solved[0]))
    assert re.search(r"^(\d+) of \1 pieces are your own$", output, re.MULTILINE)
    assert len(re.findall(r": equal \(", output)) == 1 and "DIFFERENT" not in output
    page = (solved[0].parent / "what_i_built.html").read_text(encoding="utf-8")
    assert "Ida sang." in page and html.escape(solved[0].read_text(encoding="utf-8")) in page


def test_a_language_model_runs_on_it_and_without_the_published_weights(run, solved, tmp_path):
    hidden = "from pathlib import Path; from companion.worlds.pretrained import weight_files; "
    hidden += f"weight_files.FOLDER = Path({str(tmp_path)!r})"
    sources = solved_cells(read(COURSE / "notebooks/19_a_language_model.ipynb"))
    slow = "probes.count_right", "lost(", "leans_to_"
    sources = [source for source in sources if not any(sign in source for sign in slow)]
    output = "\n".join(run([hidden, *sources], solved[0]))
    assert "RANDOM NUMBERS" in output and re.search(r"^(\d+) of \1 pieces are your own$", output, re.MULTILINE)
    assert output.count(": your own\n") == 4 and output.count("correct: ") == 4


def sections(notebook):
    """Return {heading as a link has it: its cells}; what comes before the first one is under "top"."""
    cells, heading = {}, "top"
    for cell in notebook.cells:
        if cell.cell_type == "markdown" and (start := re.search(r"^## (.+)", cell.source, flags=re.MULTILINE)):
            heading = start[1].replace(" ", "-")
        cells.setdefault(heading, []).append(cell)
    return cells


def evening():
    """Yield each row of the evening: its minutes, its notebook as far as it goes, and the cells to be written."""
    (table,) = [cell.source for cell in prose_cells(read(NOTEBOOKS[0])) if "| in one evening |" in cell.source]
    *rows, (_, total) = re.findall(r"^\| (.+) \| (\d+) \|$", table, flags=re.MULTILINE)
    assert sum(int(minutes) for _, minutes in rows) == int(total) <= 120
    for row, minutes in rows:
        (path, end), *exercises = re.findall(r"\]\((\d\d_\w+\.ipynb)#([^)]+)\)", row)
        notebook = read(COURSE / "notebooks" / path)
        parts = sections(notebook)
        notebook.cells = [cell for way in list(parts)[: list(parts).index(unquote(end)) + 1] for cell in parts[way]]
        written = [cell for _, heading in exercises for cell in parts[unquote(heading)]]
        yield int(minutes), notebook, written


def test_the_evening_ends_with_a_trained_head_of_ones_own(run, tmp_path):
    sources = []
    for _, notebook, written in evening():
        sources += [RESET, *solved_cells(notebook, written)]  # each notebook is opened once, and run from its top
    output = "\n".join(run(sources, tmp_path / "mine.py"))
    own = {f"{name}: your own" for name in ("read_one", "train", "OneHead")}
    assert own <= set(output.splitlines()) and "100% of the 400 are right" in output
    assert output.count("kept in mine.py") == 3


def test_the_evening_takes_the_minutes_that_are_stated():
    for stated, notebook, written in evening():
        assert stated == thread_minutes(notebook) + exercise_minutes(new_notebook(cells=written)), notebook.cells[
            0
        ].source
