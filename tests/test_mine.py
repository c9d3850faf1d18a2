"""What a check calls correct is kept in the reader's file, in order, and never at the cost of what stands there."""

import os
import re
import subprocess
import sys
from pathlib import Path

import nbformat
import pytest
import torch
from jupyter_client.manager import start_new_kernel

from checks.found import CHECKS
from companion import mine
from companion.checks.exercise import yours_or
from companion.mine_layout import START, sections
from lessons.notebook_04 import check_double, ours
from store import executed

DOUBLE = "def double(number):\n    return 2 * number"
TRIPLE = "def triple(number):\n    return 3 * number"
SHARED = {"merge"}  # names of exercises in more than one notebook, while those are written anew: there must be none


class Notebook:
    """A running kernel, which each test begins anew: `%reset` is faster than another kernel."""

    def __init__(self, manager, client):
        self.manager, self.client = manager, client

    def begin(self, file):
        start = f"%reset -f\n%env COURSE_MINE={file}\nimport sys\nsys.path.insert(0, {str(Path(__file__).parent)!r})"
        self.says(f"{start}\nfrom lessons.notebook_04 import *\nfrom lessons.notebook_06 import *")
        return self

    def says(self, *cells):
        """Run cells, errors or not, and return the lines that the last one shows."""
        for cell in cells:
            shown, asked = [], self.client.execute(cell)
            while True:
                message = self.client.get_iopub_msg(timeout=60)
                content = message["content"]
                if message["parent_header"].get("msg_id") != asked:
                    continue
                if content.get("execution_state") == "idle":
                    break
                shown.append(content.get("text") or content.get("data", {}).get("text/plain") or "")
                shown[-1] += f"{content['ename']}: {content['evalue']}" if "ename" in content else ""
        return "\n".join(text.strip() for text in shown if text.strip()).splitlines()


@pytest.fixture(scope="module")
def kernels():
    """Return a function that starts a kernel; all end with the last test."""
    started = []

    def start():
        started.append(Notebook(*start_new_kernel(extra_arguments=["--log-level=ERROR"])))
        return started[-1]

    yield start
    for notebook in started:
        notebook.client.stop_channels()
        notebook.manager.shutdown_kernel(now=True)


@pytest.fixture(scope="module")
def kernel(kernels):
    return kernels()


@pytest.fixture
def file(tmp_path, monkeypatch):
    """Return the path of a reader's file that does not exist yet, for this process, too."""
    monkeypatch.setenv("COURSE_MINE", str(tmp_path / "mine.py"))
    return tmp_path / "mine.py"


@pytest.fixture
def notebook(kernel, file):
    return kernel.begin(file)


def plain(file, expression):
    """Return what plain Python prints of the reader's file, which it imports from its folder."""
    command = [sys.executable, "-c", f"import mine; print({expression})"]
    return subprocess.run(command, cwd=file.parent, capture_output=True, text=True, check=True).stdout.strip()


def body(file):
    """Return what the file has behind its first line."""
    return file.read_text(encoding="utf-8").removeprefix(START).strip("\n")


def test_pieces_are_kept_in_the_courses_order_as_they_were_written(notebook, file):
    commented = DOUBLE.replace("2 * number", "number + number  # twice")
    assert notebook.says(TRIPLE, "check_triple(triple)") == ["correct: well tripled.", "kept in mine.py (1 piece)"]
    assert notebook.says(f"1 + 1\n{commented}\n3", "check_double(double)")[-1] == "kept in mine.py (2 pieces)"
    assert body(file) == f"# Notebook 04: double\n{commented}\n\n\n# Notebook 06: triple\n{TRIPLE}"
    assert plain(file, "mine.double(4), mine.triple(4)") == "8 12"


def test_the_file_imports_what_its_pieces_need_by_the_readers_names(notebook, file):
    imports = """import torch, math, numpy as np, torch.nn.functional as F, torch.nn as nn
from math import inf, sqrt as root
from torch import softmax
from utils.attention import causal_mask as mask_of"""
    soften = """def soften(scores):
    assert root(4) == math.sqrt(4) and np.ones(1) < inf and mask_of(1).all()
    return F.softmax(scores, -1)"""
    layer = """class Layer(nn.Module):
    def __init__(self):
        super().__init__()
        self.layer = nn.Linear(2, 3)
    def forward(self, inputs: torch.Tensor):
        return softmax(self.layer(inputs), -1)"""
    assert notebook.says(imports, layer, "check_Layer(Layer)")[-1] == "kept in mine.py (1 piece)"
    assert body(file).partition("\n\n\n")[0] == "import torch\nfrom torch import nn\nfrom torch import softmax"
    assert notebook.says(soften, "check_soften(soften)")[-1] == "kept in mine.py (2 pieces)"
    assert body(file).partition("\n\n\n")[0].split("\n") == [
        *("import math", "from math import inf", "from math import sqrt as root", ""),
        *("import numpy as np", "import torch", "import torch.nn.functional as F"),
        *(
            "from torch import nn",
            "from torch import softmax",
            "",
            "from utils.attention import causal_mask as mask_of",
        ),
    ]
    assert plain(file, "mine.Layer()(mine.torch.ones(2)).shape") == "torch.Size([3])"
    notebook.says("def soften(scores):\n    return scores.softmax(-1)", "check_soften(soften)")
    assert body(file).partition("\n\n\n")[0] == "import torch\nfrom torch import nn\nfrom torch import softmax"


def test_helpers_come_along_even_under_another_name(notebook, file):
    helpers = "def add(first, second):\n    return first + second\n\nplus = add\n\ndef unused():\n    pass"
    tripled = "def my_triple(number):\n    return plus(plus(number, number), number) if number else my_triple(0)"
    said = notebook.says(helpers, tripled, "check_triple(my_triple)")
    assert said[-1] == "kept in mine.py (1 piece)"
    parts = "add, for triple", "plus, for triple", "my_triple, for triple", "triple"
    assert re.findall(r"# Notebook 06: (.+)", body(file)) == list(parts)
    assert plain(file, "mine.triple(4), mine.plus is mine.add, hasattr(mine, 'unused')") == "12 True False"


def test_a_class_below_time_and_a_decorated_function_are_kept_whole(notebook, file):
    notebook.says("from torch import nn")
    built = "%%time\nclass Layer(nn.Module):\n    def forward(self, inputs):\n        return inputs.new_ones(3)"
    assert notebook.says(built, "check_Layer(Layer)")[-1] == "kept in mine.py (1 piece)"
    assert "class Layer(nn.Module):\n    def forward" in body(file) and "%%time" not in body(file)
    once = "def once(function):\n    return lambda number: function(number)"
    cached = f"@functools.lru_cache(\n    maxsize=3\n)\n@once\n{DOUBLE}"
    said = notebook.says(f"{once}\nimport functools", cached, "check_double(double)")
    assert said[-1] == "kept in mine.py (2 pieces)" and f"# Notebook 04: double\n{cached}\n" in body(file)
    assert plain(file, "mine.double(4), mine.double.cache_info().misses") == "8 1"


def test_what_is_replaced_is_saved_and_what_was_written_by_hand_stays(notebook, file):
    before = file.with_name("mine_before.py")
    notebook.says(TRIPLE, "check_triple(triple)", DOUBLE, "check_double(double)")
    by_hand = "\n\n# my notes: 3 * 4\nnotes   = [triple( 4 )]  # é\n"
    file.write_text(file.read_text(encoding="utf-8") + by_hand, encoding="utf-8")
    kept = file.read_bytes()
    assert notebook.says("check_double(double)") == ["correct: well doubled."]
    assert file.read_bytes() == kept and not before.exists(), "the same text once more changes nothing"
    said = notebook.says(DOUBLE.replace("2 * number", "number * 2"), "check_double(double)")
    assert said[-1] == "kept in mine.py (2 pieces); what stood there is now in mine_before.py"
    assert file.read_bytes() == kept.replace(b"2 * number", b"number * 2")
    assert (
        f"# Notebook 04: double\n{DOUBLE}\n" in before.read_text(encoding="utf-8")
        and "triple" not in before.read_text()
    )
    notebook.says(DOUBLE.replace("2 * number", "number + number"), "check_double(double)")
    saved = before.read_text(encoding="utf-8")
    assert saved.index("return 2 * number") < saved.index("return number * 2")
    assert sorted(file.parent.iterdir()) == [file, before], "no litter"


def test_what_is_wrong_or_works_only_in_the_notebook_is_not_kept(notebook, file):
    assert notebook.says("def double(number):\n    return 5", "check_double(double)")[0].startswith("not yet")
    assert not file.exists()
    refused = "correct: well doubled.", "double is not kept in mine.py: "
    cases = {
        "table = [0, 2, 4, 6]\ndef double(number):\n    return table[number]": (
            "it uses table, a variable of this notebook; make it an argument, or write it inside"
        ),
        "double = lambda number: 2 * number": "no cell defines double by a `def` or `class` at its left edge",
        "double = (2).__mul__": "only a function or a class that a cell of this notebook defines can be kept",
        "double = ours": "only a function or a class that a cell of this notebook defines can be kept",
        "def double(number):\n    return 2 * number + double.zero\ndouble.zero = 0": (
            "it is correct here, but not in a file of its own (your function stopped with AttributeError: "
            "'function' object has no attribute 'zero')"
        ),
    }
    for cell, cause in cases.items():
        assert notebook.says(cell, "check_double(double)") == [refused[0], refused[1] + cause]
        assert not file.exists()


def test_a_name_that_stands_for_something_else_is_not_replaced(notebook, file):
    helper = "def add(number):\n    return number{}"
    calls_it = "def {}(number):\n    return add({} * number)"
    notebook.says(helper.format(""), calls_it.format("double", 2), "check_double(double)")
    kept = file.read_bytes()
    said = notebook.says(helper.format(" + 0"), calls_it.format("triple", 3), "check_triple(triple)")
    assert said[-1].endswith("mine.py: notebook 04 kept another add there; give your helper add another name")
    said = notebook.says(
        "def double(number):\n    return 3 * number / 1.5\ndef triple(number):\n    return int(double(1.5 * number))"
    )
    assert notebook.says("check_triple(triple)")[-1].endswith(
        "notebook 04 kept another double there; give your helper double another name"
    )
    assert file.read_bytes() == kept
    file.write_text(f"{TRIPLE}  # by hand\n", encoding="utf-8")
    assert notebook.says(TRIPLE, "check_triple(triple)")[-1].endswith("you wrote another triple there by hand")


def test_a_helper_that_gets_a_check_of_its_own_becomes_a_piece(notebook, file):
    notebook.says("def one():\n    return 1", "def same():\n    return one()", "check_of('same')(same)")
    assert "# Notebook 04: one, for same\n" in body(file)
    assert notebook.says("check_of('one')(one)")[-1] == "kept in mine.py (2 pieces)"
    assert len(notebook.says("check_of('same')(same)")) == 1, "it was kept already"
    assert re.findall("# .+", body(file)) == ["# Notebook 04: one", "# Notebook 04: same"]


def test_what_other_pieces_call_is_changed_by_its_own_check_alone(notebook, file):
    notebook.says("def one():\n    return 1", "def same():\n    return one()", "check_of('same')(same)")
    other = "def one():\n    return 2 - 1", "def again():\n    return one()", "check_of('again')(again)"
    assert notebook.says(*other)[-1].endswith("same uses another one there; give your helper one another name")
    assert notebook.says("check_of('one')(one)")[-1].startswith("kept in mine.py (2 pieces); what stood there")
    unchecked = "def one():\n    return 3 - 2", "check_of('again')(again)"
    assert notebook.says(*unchecked)[-1].endswith("it uses a one that is not the one there; run the check of one first")


def test_imports_that_the_reader_arranged_by_hand_only_grow(notebook, file):
    by_hand = "import torch  # first of all\nimport math\n"
    file.write_text(by_hand, encoding="utf-8")
    notebook.says("import torch.nn.functional as F", "def soften(scores):\n    return F.softmax(scores, -1)")
    assert notebook.says("check_soften(soften)")[-1] == "kept in mine.py (1 piece)"
    assert file.read_text(encoding="utf-8").startswith(f"{by_hand}import torch.nn.functional as F\n")


def test_an_import_that_others_use_is_not_turned_into_another(notebook, file):
    notebook.says("import torch.nn.functional as F", "def soften(scores):\n    return F.softmax(scores, -1)")
    notebook.says("check_soften(soften)")
    said = notebook.says(
        "from operator import mul as F", "def double(number):\n    return F(2, number)", "check_double(double)"
    )
    assert said[-1].endswith("its F is not the one that other pieces use there (import torch.nn.functional as F)")


def test_the_courses_stand_in_goes_once_the_readers_own_is_there(notebook, file):
    notebook.says("from companion.checks.exercise import yours_or")
    calls_it = "def triple(number):\n    return double(number) + number"
    assert notebook.says("double = yours_or(ours, check_double)") == [
        "double: the course's own, until yours is in mine.py"
    ]
    notebook.says(calls_it, "check_triple(triple)")
    assert body(file).startswith("from lessons.notebook_04 import ours as double\n")
    notebook.says(DOUBLE, "check_double(double)")
    assert body(file) == f"# Notebook 04: double\n{DOUBLE}\n\n\n# Notebook 06: triple\n{calls_it}"
    said = notebook.says(
        "%reset -f",
        "from lessons.notebook_04 import *\nfrom companion.checks.exercise import yours_or",
        "twice = yours_or(ours, check_double)",
    )
    assert said == ["double: your own, from mine.py"]
    kept = file.read_bytes()
    assert notebook.says(
        "from lessons.notebook_06 import *", calls_it.replace("double", "twice"), "check_triple(triple)"
    )[-1].startswith("kept")
    assert "# Notebook 06: twice, for triple\ntwice = double\n" in body(file) and file.read_bytes() != kept


@pytest.mark.parametrize(
    "text, cause",
    [
        ("x = 1\ndef double(number:\n", "line 2: '(' was never closed"),
        ("x = 1\n\nx.y\n", "line 3: AttributeError: 'int' object has no attribute 'y'"),
        ("raise SystemExit(3)", "line 1: SystemExit: 3"),
        ("def double(number):\n    return 2 *", "line 2: invalid syntax"),
    ],
)
def test_a_file_that_cannot_be_read_is_told_and_left_alone(notebook, file, text, cause):
    file.write_text(text, encoding="utf-8")
    said = notebook.says(DOUBLE, "check_double(double)")
    assert said == ["correct: well doubled.", f"double is not kept in mine.py: mine.py cannot be read ({cause})"]
    said = notebook.says("from companion.checks.exercise import yours_or\nprint(yours_or(ours, check_double)(4))")
    assert said == [f"double: the course's own, because mine.py cannot be read ({cause})", "8"]
    assert file.read_text(encoding="utf-8") == text and list(file.parent.iterdir()) == [file]


def test_letters_that_cannot_be_read_and_a_mark_of_windows_lose_nothing(notebook, file):
    file.write_bytes("name = 'é'".encode("latin-1"))
    assert "mine.py cannot be read ('utf-8' codec can't decode" in notebook.says(DOUBLE, "check_double(double)")[-1]
    assert file.read_bytes() == "name = 'é'".encode("latin-1")
    file.write_bytes("name = 'é'\r\n".encode("utf-8-sig"))
    assert notebook.says("check_double(double)")[-1] == "kept in mine.py (1 piece)"
    assert plain(file, "mine.name, mine.double(2)") == "é 4"


def test_a_folder_that_cannot_be_written_is_told_and_the_notebook_goes_on(kernel, tmp_path):
    (tmp_path / "a_file").touch()
    for folder, cause in (("nowhere", "No such file or directory"), ("a_file", "Not a directory")):
        said = kernel.begin(tmp_path / folder / "mine.py").says(DOUBLE, "check_double(double)")
        assert said == ["correct: well doubled.", f"double is not kept in mine.py: it cannot be written ({cause})"]
    assert [path.name for path in tmp_path.iterdir()] == ["a_file"]


def test_a_write_that_fails_half_way_leaves_the_file_whole(notebook, file):
    notebook.says(DOUBLE, "check_double(double)")
    kept = file.read_bytes()
    full = """import os
def full(*paths):
    raise OSError(28, "No space left on device")
really, os.replace = os.replace, full
check_triple(triple)
os.replace = really"""
    said = notebook.says(TRIPLE, full)
    assert said[-1] == "triple is not kept in mine.py: it cannot be written (No space left on device)"
    assert file.read_bytes() == kept
    assert notebook.says("check_triple(triple)")[-1] == "kept in mine.py (2 pieces)"
    assert list(file.parent.iterdir()) == [file]


def test_two_notebooks_that_write_at_once_lose_nothing(kernel, kernels, file):
    notebooks = [kernel.begin(file), kernels().begin(file)]
    keep = """for number in range(8):
    get_ipython().run_cell(f"def LETTER{number}():\\n    return 1", store_history=True)
    check_of(f"LETTER{number}")(globals()[f"LETTER{number}"])"""
    asked = [each.client.execute(keep.replace("LETTER", letter)) for each, letter in zip(notebooks, "ab")]
    for each, message in zip(notebooks, asked):
        while each.client.get_shell_msg(timeout=60)["parent_header"].get("msg_id") != message:
            pass
    assert sections(file.read_text(encoding="utf-8")).keys() == {
        f"{letter}{number}" for letter in "ab" for number in range(8)
    }


def test_a_notebook_waits_for_another_one_only_for_a_while(notebook, file):
    with mine.lock(file):
        said = notebook.says("from companion import mine\nmine.PATIENCE = 0.1", DOUBLE, "check_double(double)")
    notebook.says("mine.PATIENCE = 20")
    assert said[-1] == "double is not kept in mine.py: another notebook is writing there; run this cell again"


def test_an_empty_setting_keeps_nothing_and_reads_nothing(kernel, file):
    file.write_text(DOUBLE, encoding="utf-8")
    notebook = kernel.begin("")
    assert notebook.says(
        f"%cd -q {file.parent}",
        "from companion.checks.exercise import yours_or",
        "print(yours_or(ours, check_double) is ours)",
    ) == [
        "double: the course's own, until yours is in mine.py",
        "True",
    ]
    assert notebook.says(TRIPLE, "check_triple(triple)") == ["correct: well tripled."]
    assert file.read_text(encoding="utf-8") == DOUBLE


def test_without_a_setting_the_file_is_mine_py_in_the_kernels_folder(kernel, tmp_path):
    notebook = kernel.begin("")
    notebook.says("import os\ndel os.environ['COURSE_MINE']", f"%cd -q {tmp_path}")
    assert notebook.says(DOUBLE, "check_double(double)")[-1] == "kept in mine.py (1 piece)"
    assert [path.name for path in tmp_path.iterdir()] == ["mine.py"]


@pytest.mark.parametrize(
    "text, yours, line, own",
    [
        (DOUBLE, None, "double: your own, from mine.py", True),
        (DOUBLE, lambda number: 5, "double: your own, from mine.py", True),
        (DOUBLE, lambda number: 2 * number, "double: your own", True),
        ("", None, "double: the course's own, until yours is in mine.py", False),
        ("", lambda number: 5, "works with the course's own, until yours is correct", False),
        (
            "def double(number):\n    return 7",
            None,
            "double: the course's own, because yours in mine.py is not correct any more: "
            "double(3) gives 7, but 6 was expected",
            False,
        ),
        (
            "def double(number):\n    raise NotImplementedError",
            lambda number: 5,
            "double: the course's own, because yours in mine.py is not correct any more: not attempted yet",
            False,
        ),
        (
            "double = 3(",
            None,
            "double: the course's own, because mine.py cannot be read (line 1: '(' was never closed)",
            False,
        ),
    ],
)
def test_a_later_notebook_works_with_what_is_kept_if_it_still_is_correct(text, yours, line, own, file, capsys):
    file.write_text(text, encoding="utf-8")
    chosen = yours_or(ours, check_double, yours)
    assert capsys.readouterr().out == f"{line}\n"
    assert (chosen is not ours) == own and chosen(4) == 8


def test_what_the_reader_tries_in_the_file_is_not_shown_and_moves_no_random_number(file, capsys):
    file.write_text("import torch\ntorch.manual_seed(1)\nprint(torch.rand(2))\n", encoding="utf-8")
    torch.manual_seed(7)
    wanted = torch.rand(3)
    torch.manual_seed(7)
    assert "torch" in mine.load() and capsys.readouterr().out == ""
    assert torch.rand(3).equal(wanted)


def test_no_test_and_no_stored_notebook_touches_the_authors_own_file(tmp_path, monkeypatch):
    assert os.environ["COURSE_MINE"] == ""
    monkeypatch.setenv("COURSE_MINE", "theirs.py")
    cell = nbformat.v4.new_code_cell("import os\nprint([os.environ['COURSE_MINE']])")
    nbformat.write(nbformat.v4.new_notebook(cells=[cell]), tmp_path / "one.ipynb")
    assert "['']" in executed(tmp_path / "one.ipynb")


def test_no_two_exercises_have_the_same_name():
    names = [check.name for check in CHECKS]
    assert {name for name in names if names.count(name) > 1} <= SHARED
