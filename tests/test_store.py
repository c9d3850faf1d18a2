"""The stored notebooks are as a run leaves them, and a real run of pytest over notebooks is strict."""

import json
import re
import runpy
import shutil
import subprocess
import sys

import nbformat
import pytest

import store
from companion.checks.verdict import Verdict
from companion.verdict_words import NOT_ATTEMPTED
from companion.worlds.pretrained import weight_files
from folding import PREDICTION, fold
from reading import COURSE, HANDBOOK, NOTEBOOKS, read, shown
from store import WIDGET_VIEW, main, text

TABLE = "from IPython.display import display\ndisplay({'text/html': '<b>0.4917</b>', 'text/plain': 'table'}, raw=True)"
CELLS = [  # a source, what it gives, and a part of that to change
    ("print(0.4917)", nbformat.v4.new_output("stream", text="0.4917\n"), "17"),
    ("0.4917", nbformat.v4.new_output("execute_result", {"text/plain": "0.4917"}, execution_count=1), "17"),
    (TABLE, nbformat.v4.new_output("display_data", {"text/html": "<b>0.4917</b>", "text/plain": "table"}), "17"),
    ("print('17 odd')", nbformat.v4.new_output("stream", text="17 odd\n"), "odd"),
]

SEVEN = nbformat.v4.new_output("execute_result", {"text/plain": "7"}, execution_count=1)
TWICE = [  # the cells of a notebook that is run as the first ones of the course are, each cell twice in a row
    ("left, number = [7], 7", []),
    ("number", [SEVEN]),
    ("left.pop()", [SEVEN]),  # uses up what it needs
    ("number = number + 1", []),  # shows nothing itself
    ("number - 1", [SEVEN]),
]


def notebook(*cells):
    """Return a notebook of cells: (source, its outputs)."""
    return nbformat.v4.new_notebook(
        cells=[nbformat.v4.new_code_cell(source, execution_count=1, outputs=outputs) for source, outputs in cells]
    )


def changed(output, old, new):
    return nbformat.from_dict(eval(repr(dict(output)).replace(old, new)))


def start_pytest(folder, *options):
    """Start a run with the course's own test settings over a folder of notebooks; return what gives its report."""
    command = [sys.executable, "-m", "pytest", "-c", str(COURSE / "pyproject.toml"), "--rootdir", str(folder), "-n0"]
    command += ["-p", "no:cacheprovider", *options, str(folder)]
    shutil.copy(COURSE / "conftest.py", folder)
    running = subprocess.Popen(command, cwd=folder, stdout=subprocess.PIPE, text=True)
    return lambda: running.communicate(timeout=120)[0]


@pytest.mark.parametrize("path", NOTEBOOKS + HANDBOOK, ids=lambda path: path.stem)
def test_a_notebook_is_stored_as_a_run_leaves_it(path):
    assert text(read(path)) == path.read_text(encoding="utf-8")


@pytest.fixture(scope="module")
def broken(tmp_path_factory):
    """What gives the report of a run over a kernel that dies and a cell that never ends; it mostly waits."""
    folder = tmp_path_factory.mktemp("broken")
    for kind, source in (("dies", "import os\nos._exit(1)"), ("hangs", "import time\ntime.sleep(600)")):
        nbformat.write(notebook((source, []), ("1", [])), folder / f"{kind}.ipynb")
    return start_pytest(folder, "--nbval-cell-timeout=2")


@pytest.fixture(scope="module")
def report(broken, tmp_path_factory):  # meanwhile
    """The report of one run over CELLS with outputs that are true, near, false and missing, and over an exercise."""
    folder = tmp_path_factory.mktemp("notebooks")
    cells = []
    for source, output, part in CELLS:
        near = changed(output, part, part.replace("17", "18"))
        false = changed(output, part, part.replace("17", "19").replace("odd", "even"))
        cells += [(source, [output]), (source, [near]), (source, [false]), (source, [])]
    nbformat.write(notebook(*cells), folder / "outputs.ipynb")
    answers = notebook(*cells)
    asked = nbformat.v4.new_markdown_cell
    answers.cells = [part for cell in answers.cells for part in (asked(f"{PREDICTION} what?"), cell)]
    fold(answers)
    nbformat.write(answers, folder / "folded.ipynb")
    stub = "def plain_average(vectors):\n    raise NotImplementedError"
    check = "from companion.checks.notebook_02 import check_plain_average\n\ncheck_plain_average(plain_average)"
    not_yet = shown(Verdict(NOT_ATTEMPTED))
    exercise = notebook((stub, []), (check, [not_yet]), ("much = bytearray(800_000_000)", []))
    answer = "```python\ndef plain_average(vectors):\n    return vectors\n```"
    exercise.cells.append(nbformat.v4.new_markdown_cell(f"<summary>Solution</summary>\n\n{answer}"))
    nbformat.write(exercise, folder / "exercise.ipynb")
    nbformat.write(notebook(*TWICE), folder / "00_twice.ipynb")
    return start_pytest(folder)()


def failures(report, name):
    return re.findall(rf"^FAILED {name}.ipynb::(.+?)(?: - .*)?$", report, re.MULTILINE)


def test_a_changed_output_turns_the_run_red_and_a_last_digit_does_not(report):
    wrong = [f"Cell {number}" for number in range(4 * len(CELLS)) if number % 4 > 1]
    assert failures(report, "outputs") == failures(report, "folded") == wrong, report


def test_a_cell_that_does_not_survive_its_second_run_turns_the_run_red(report):
    assert failures(report, "00_twice") == ["Cell 2 again", "Cell 4", "Cell 4 again"], report


def test_a_wrong_solution_and_too_much_memory_turn_the_run_red(report):
    assert failures(report, "exercise") == ["solution of plain_average", "memory"], report


def test_a_kernel_that_dies_and_a_cell_that_never_ends_turn_the_run_red(broken):
    report = broken()
    assert "kernel died in an earlier cell" in report
    assert "Timeout of 2 seconds exceeded" in report
    assert failures(report, "dies") == failures(report, "hangs") == ["Cell 0"], report
    assert "2 failed" in report and "2 errors" in report and not re.search(r"\b\d+ passed", report), report


def test_what_a_notebook_says_on_one_machine_alone_is_kept_for_its_page(tmp_path, monkeypatch):
    kept = runpy.run_path(str(COURSE / "website/machine_texts.py"))
    assert list(json.loads(kept["STORED"].read_text("utf-8"))) == kept["NAMES"]
    monkeypatch.setitem(kept["texts_of"].__globals__, "NOTEBOOKS", tmp_path)
    source = "from companion.own_pages import on_page\nwith on_page():\n    print('a < b')"
    nbformat.write(notebook((source, []), ("7", [])), tmp_path / "one.ipynb")
    assert [re.sub(" style=.+?>", ">", page) for page in kept["texts_of"]("one")] == ["<pre>a &lt; b\n</pre>"]


def test_an_output_that_is_the_same_stays_and_another_is_stored_anew(tmp_path, monkeypatch, capsys):
    monkeypatch.setenv("COURSE_MINE", "mine.py")  # what somebody keeps there changes no output
    source = "import os\nprint(os.environ['COURSE_MINE'] or os.path.isfile('one.ipynb') * 0.4917)"
    output = nbformat.v4.new_output("stream", text="0.4918\n")
    widget = "print(1, flush=True)\nprint(2)\ndisplay({'text/plain': 'a', 'PLACE': {}}, raw=True)".replace(
        "PLACE", WIDGET_VIEW
    )
    nbformat.write(notebook((source, [output]), ("print(0.4921)", [output]), (widget, [])), tmp_path / "one.ipynb")
    nbformat.write(notebook(("1", [])), tmp_path / "19_its_weights_are_not_here.ipynb")
    monkeypatch.setattr(weight_files.WeightFile, "find", lambda self: None)
    monkeypatch.setattr(store, "HANDBOOK", [tmp_path / "one.ipynb"])
    monkeypatch.setattr(store, "NOTEBOOKS", [tmp_path / "19_its_weights_are_not_here.ipynb"])
    monkeypatch.setattr(store, "add_photographs", (new := []).append)
    monkeypatch.setattr(sys, "argv", ["store.py", "none.ipynb"])
    with pytest.raises(SystemExit):
        main()
    assert "error: there is no notebook none.ipynb\n" in capsys.readouterr().err
    sys.argv.pop()
    main()
    assert re.findall(r"^\w+", capsys.readouterr().out, re.MULTILINE) == ["left", "changed"]
    assert nbformat.read(tmp_path / "19_its_weights_are_not_here.ipynb", as_version=4).cells[0].outputs == []
    same, other, last = nbformat.read(tmp_path / "one.ipynb", as_version=4).cells
    assert new == [other.outputs, last.outputs]
    assert (same.outputs[0].text, other.outputs[0].text) == ("0.4918\n", "0.4921\n")
    assert (last.outputs[0].text, last.outputs[1].data) == ("1\n2\n", {"text/plain": "a"})
