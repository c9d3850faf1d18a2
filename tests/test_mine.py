"""The reader's own file, in real kernels: what is kept, what is refused, and that nothing is ever lost."""

import subprocess
import sys
from pathlib import Path

import pytest
from filelock import FileLock

from checks.found import CHECKS
from companion.checks.exercise import yours_or
from kernels import Kernel
from lessons import notebook_04

HERE = Path.cwd()
DOUBLE = "def double(number):\n    return 2 * number"
TRIPLE = "def triple(number):\n    return 3 * number"
START = """from lessons.notebook_04 import *
from lessons.notebook_06 import *
from companion.checks.exercise import yours_or"""


@pytest.fixture
def file(tmp_path, monkeypatch):
    monkeypatch.setenv("COURSE_MINE", str(tmp_path / "mine.py"))
    return tmp_path / "mine.py"


@pytest.fixture(scope="module")
def kernel():
    kernel = Kernel()
    yield kernel
    kernel.close()


@pytest.fixture
def notebook(kernel, file):
    return begun(kernel, file)


def begun(kernel, file):
    kernel.begin(file, HERE).says(START)
    return kernel


def plain(file, expression):
    """Return what plain Python prints of the reader's file, which it imports from its folder."""
    command = [sys.executable, "-c", f"import mine; print({expression})"]
    return subprocess.run(command, cwd=file.parent, capture_output=True, text=True, check=True).stdout.strip()


def test_pieces_stand_in_the_courses_order_with_what_they_need(notebook, file):
    two = f"def triple(number):\n    return 0\n\n\n{TRIPLE}"  # of which the later one counts
    assert notebook.says(two, "check_triple(triple)")[-1] == "kept in mine.py (1 piece)"
    needs = "import math\nfrom math import sqrt as root\nimport torch.nn.functional as F\nimport torch.nn\n"
    needs += "from torch import nn, softmax"
    helper = "@torch.no_grad()\ndef twice(number):\n"
    helper += "    return number * root(4) * softmax(torch.nn.Identity()(F.torch.ones(1)), 0).item()"
    assert notebook.says(needs, helper) == []
    double = "%%time\ndef double(number):  # through a helper\n    return math.floor(twice(number))"
    assert notebook.says(double, "check_double(double)")[-1] == "kept in mine.py (2 pieces)"
    text = file.read_text(encoding="utf-8")
    assert text.index("# Notebook 04: double\nimport math") < text.index("# Notebook 06: triple") and "%%" not in text
    assert "# through a helper" in text and "import softmax\nimport torch.nn\n\n@torch.no_grad()\ndef twice" in text
    assert plain(file, "mine.double(4), mine.triple(4)") == "8 12"
    notebook.says("thrice = yours_or(None, check_triple)\ndef soften(scores):\n    return scores.softmax(thrice(0))")
    assert notebook.says("check_soften(soften)")[-1] == "kept in mine.py (3 pieces)"
    assert "\nthrice = triple\n" in file.read_text(encoding="utf-8")
    layer = "class Layer(nn.Module):\n    def forward(self, inputs):\n        return inputs.new_ones(3)"
    assert notebook.says(layer, "check_Layer(Layer)")[-1] == "kept in mine.py (4 pieces)"
    assert plain(file, "mine.Layer()(mine.F.torch.ones(2)).shape") == "torch.Size([3])"
    assert notebook.says("from companion.mine import report\nreport()") == ["mine.py: 4 pieces, 20 lines"]


def test_the_courses_stand_in_goes_once_the_readers_own_is_there(notebook, file):
    later = "double = yours_or(ours, check_double)\ndef triple(number):\n    return double(number) + undouble(number)"
    notebook.says("from operator import pos as undouble", later, "check_triple(triple)")
    assert "from lessons.notebook_04 import ours as double\n" in file.read_text(encoding="utf-8")
    assert notebook.says("check_double(double)") == ["correct: well doubled."], "what is not one's own is not kept"
    notebook.says(DOUBLE, "check_double(double)")
    assert "lessons" not in file.read_text(encoding="utf-8")
    assert plain(file, "mine.double.__module__, mine.triple(4)") == "mine 12"


def test_what_is_replaced_is_saved_and_other_lines_stay(notebook, file):
    notebook.says(DOUBLE, "check_double(double)")
    by_hand = file.read_text(encoding="utf-8").replace('."""\n', '."""\nnotes = "3 * 4"  # Notebook 06: é\n')
    file.write_text(by_hand, encoding="utf-8")
    assert len(notebook.says("check_double(double)")) == 1 and file.read_text(encoding="utf-8") == by_hand
    line = notebook.says(DOUBLE.replace("2 * number", "number + number"), "check_double(double)")
    assert line[-1] == "kept in mine.py (1 piece); the old one is in mine_before.py"
    assert file.read_text(encoding="utf-8") == by_hand.replace("2 * number", "number + number")
    notebook.says(DOUBLE.replace("2 * number", "number * 2"), "check_double(double)")
    before = file.with_name("mine_before.py").read_text(encoding="utf-8")
    assert f"# Notebook 04: double\n{DOUBLE}\n" in before and "number + number" in before, "each old one is kept"


@pytest.mark.parametrize(
    "cell, cause",
    [
        ("def double(number):\n    return 5", ""),
        ("odd = __import__('fractions').Fraction(2)\ndef double(number):\n    return int(3 * odd)", "name 'odd' is"),
        ("double = lambda number: 2 * number", "no cell defines double at its left edge"),
        (f"{DOUBLE} + double.zero\ndouble.zero = 0", "has no attribute 'zero'"),
    ],
)
def test_what_is_wrong_or_works_only_in_the_notebook_is_not_kept(cell, cause, notebook, file):
    *_, line = notebook.says(cell, "check_double(double)")
    assert not file.exists()
    assert line.startswith("double is not kept in mine.py: ") and cause in line if cause else line.startswith("not yet")


@pytest.mark.parametrize(
    "text, cause",
    [
        ("# Notebook 06: triple\ndef triple(number:\n", "line 2: "),
        ("x = 1\n\nx.y\n", "AttributeError("),
        ("raise SystemExit(3)", "SystemExit(3)"),
    ],
)
def test_a_file_that_python_cannot_run_is_told_and_left_alone(text, cause, notebook, file):
    file.write_text(text, encoding="utf-8")
    *_, line = notebook.says(DOUBLE, "check_double(double)")
    assert line.startswith(f"double is not kept in mine.py: Python stops in mine.py ({cause}")
    *_, works_with, result = notebook.says("print(yours_or(ours, check_double)(4))")
    assert works_with.startswith("double: the course's own, because Python stops in mine.py (") and result == "8"
    assert file.read_text(encoding="utf-8") == text


def test_a_place_that_cannot_be_written_is_told_and_nothing_is_lost(notebook, file, tmp_path):
    notebook.says(DOUBLE, "check_double(double)")
    kept = file.read_bytes()
    error = "OSError(28, 'No space left')"
    full = f"import os\nreplace = os.replace\ndef full(*paths):\n    raise {error}\nos.replace = full"
    *_, line = notebook.says(TRIPLE, full, "check_triple(triple)")
    notebook.says("os.replace = replace", "from companion import mine\nmine.PATIENCE = 0.1")
    assert line == "triple is not kept in mine.py: it cannot be written (No space left)"
    with FileLock(tmp_path / ".mine.lock"):
        *_, line = notebook.says("check_triple(triple)")
    notebook.says("mine.PATIENCE = 5")
    assert line == "triple is not kept in mine.py: another notebook is writing there; run this cell again"
    assert file.read_bytes() == kept
    (tmp_path / "no_folder").touch()
    move = f"os.environ['COURSE_MINE'] = {str(tmp_path / 'no_folder' / 'mine.py')!r}"
    assert "it cannot be written (" in notebook.says(move, "check_triple(triple)")[-1]


def test_two_notebooks_that_write_at_once_lose_nothing(notebook, file):
    second_kernel = begun(Kernel(), file)
    keep = """for number in range(8):
    get_ipython().run_cell(f"def LETTER{number}():\\n    return 1", store_history=True)
    check_of(f"LETTER{number}")(globals()[f"LETTER{number}"])"""
    running = [(kernel.client, kernel.client.execute(keep.replace("LETTER", letter))) for kernel, letter in
               ((notebook, "a"), (second_kernel, "b"))]  # fmt: skip
    for client, asked in running:
        while client.get_shell_msg(timeout=60)["parent_header"].get("msg_id") != asked:
            pass
    second_kernel.close()
    assert plain(file, "sum(name[1:].isdigit() for name in dir(mine))") == "16"


def test_an_empty_setting_keeps_nothing_and_reads_nothing(kernel, file):
    file.write_text(f"# Notebook 04: double\n{DOUBLE}", encoding="utf-8")
    notebook = begun(kernel, "")
    *_, line, is_ours = notebook.says(f"%cd -q {file.parent}", "print(yours_or(ours, check_double) is ours)")
    assert (line, is_ours) == ("double: the course's own, until yours is in mine.py", "True")
    assert notebook.says(TRIPLE, "check_triple(triple)") == ["correct: well tripled."]
    *_, line = notebook.says("import os; del os.environ['COURSE_MINE']", TRIPLE, "check_triple(triple)")
    assert line == "kept in mine.py (2 pieces)"
    assert "triple" in file.read_text(encoding="utf-8"), "without a setting it is mine.py in the kernel's folder"


FALSE = "the course's own, because yours in mine.py is not correct any more: "
STUB = "def double(number):\n    raise NotImplementedError"


@pytest.mark.parametrize(
    "text, yours, line",
    [
        (DOUBLE, None, "your own, from mine.py"),
        (DOUBLE, lambda number: 5, "your own, from mine.py"),
        (DOUBLE, lambda number: 2 * number, "your own"),
        ("", None, "the course's own, until yours is in mine.py"),
        ("", lambda number: 5, "the course's own, until yours is correct"),
        ("from lessons.notebook_04 import ours as double", None, "the course's own, until yours is in mine.py"),
        ("def double(number):\n    return 7", None, f"{FALSE}double(3) gives 7, but 6 was expected"),
        (STUB, lambda number: 5, f"{FALSE}not attempted yet"),
    ],
)
def test_a_later_notebook_works_with_what_is_kept_and_correct(text, yours, line, file, capsys):
    file.write_text(text, encoding="utf-8")
    chosen = yours_or(notebook_04.ours, notebook_04.check_double, yours)
    assert capsys.readouterr().out == f"double: {line}\n" and chosen(3) == 6
    assert (chosen is notebook_04.ours) is ("your own" not in line)


def test_no_two_exercises_have_the_same_name():
    names = [check.name for check in CHECKS]
    assert len(set(names)) == len(names)
