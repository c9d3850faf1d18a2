"""Every notebook of the course, and every page of the handbook, keeps the promises of its form.

Minutes are checked in `test_minutes.py`, entries of the handbook in `test_handbook.py`.
"""

import ast
import re
from urllib.parse import unquote

import pytest

from companion.checks.verdict import Verdict
from companion.verdict_words import NOT_ATTEMPTED
from folding import PREDICTION
from reading import (
    EXERCISE,
    HANDBOOK,
    NOTEBOOKS,
    addresses,
    code_cells,
    is_stub,
    outputs,
    parts,
    printed,
    prose_cells,
    read,
    shown,
    solutions,
)

LESSONS = [path for path in NOTEBOOKS if not path.name.startswith("00")]
# How code in hints begins that stands in no solution: it says the same in another way, or is an example.
OTHERWISE = (
    "cut =", "exp /", "query =", "weight[", "torch.eye(", "torch.where(", "torch.outer(", "other", "narrow(", "OneHead",
    'vocabulary.index("eat")', "token in vocabulary", "ids.get(token, other)", "split_heads", "flatten(start)", "start",
    "read(inputs)[:, order]", "loss.backward()", "period - 1", "x = x + part(norm(x))", '"one two".split()', "merge",
    "read(ids)[-1]", "inputs.shape[1] - 1",
)  # fmt: skip
NUMBER = re.compile(r"[−-]?\d+\.\d+")
# Three digits or more, and no year; those that no cell prints are of publications or of other notebooks.
INTEGER = re.compile(r"(?<![\w.,/#-])(?!(?:19|20)\d\d\b)(?:\d{3,}|\d+(?:,\d{3})+)\b(?![.,-]?\d)")
STATED = "117 122 128 192 200 255 256 262 272 495 500 512 568 676 768 1000 2416 4032 4096 4416 8000 10000 20000 32768"
STATED += " 48900 50000 50257 50304 65504 95501 100000 134515008"
NO_RESULT = re.compile(r"section [\d.]+|equation \d+|PyTorch [\d.]+|(?<=\])\([^)]*\)|<small>.*?</small>", re.DOTALL)


def name(path):
    return path.stem


each_notebook = pytest.mark.parametrize("path", NOTEBOOKS, ids=name)
each_page = pytest.mark.parametrize("path", NOTEBOOKS + HANDBOOK, ids=name)


@each_notebook
def test_it_opens_with_title_question_and_what_one_can_do_then(path):
    opening, *rest = prose_cells(read(path))
    assert re.match(rf"# {path.name[:2]} · .+\n\n\*\*.+\?\*\*\n\n", opening.source)
    # The first page shows its picture before it promises anything.
    promise = (rest[0] if path is NOTEBOOKS[0] else opening).source
    assert re.search(r"^After this (page|notebook) you can\n", promise, flags=re.MULTILINE)
    assert len(re.findall(r"^- \*\*[\w ]+\*\* .+[,.]", promise, flags=re.MULTILINE)) == 3


@each_page
def test_no_picture_is_made_and_then_not_shown(path):
    drawings = set(re.findall(r"from companion\.pictures\.\S+ import (\w+)", path.read_text(encoding="utf-8")))
    for cell in code_cells(read(path)):
        calls = [line.value for line in ast.parse(cell.source).body[:-1] if isinstance(line, ast.Expr)]
        lost = [ast.unparse(call) for call in calls if getattr(getattr(call, "func", None), "id", "") in drawings]
        assert not lost, f"only a cell's last line is shown: write display(...) around {lost}"


@each_notebook
def test_it_ends_after_a_question_in_words_with_its_recap(path):
    notebook = read(path)
    cells = parts(notebook)
    (recap,) = (cell.source for cell in cells["recap"])
    assert notebook.cells[-1].source == recap and len(notebook.cells) <= 55
    assert recap.startswith("## Recap\n") and "|---|" in recap and "**A common misconception:**" in recap
    assert re.search(r"\[.+\]\(\d\d_\w+\.ipynb\)", recap.splitlines()[-1])
    own_words = [cell.source for cell in cells["thread"] if cell.source.startswith("## In your own words\n")]
    assert path is NOTEBOOKS[0] or ("?" in own_words[0] and "<summary>A possible answer</summary>" in own_words[0])


@each_page
def test_its_links_lead_to_files_and_sections_that_exist(path):
    prose = "\n".join(cell.source for cell in prose_cells(read(path)))
    for target, section in re.findall(r"\]\((?!https://)([^)#]*)(?:#([^)]+))?\)", prose):
        file = path.parent / target if target else path
        assert file.is_file(), target
        assert not section or file.suffix != ".ipynb" or unquote(section) in addresses(read(file)), (target, section)


@each_page
def test_it_speaks_of_what_each_cell_shows_and_answers_predictions(path):
    cells = read(path).cells
    for cell, after in zip(cells, cells[1:]):
        assert path in HANDBOOK or after.cell_type == "markdown" or not cell.get("outputs"), cell.source
        assert after.get("outputs") or cell.cell_type == "code" or PREDICTION not in cell.source, cell.source


@each_page
def test_every_number_in_its_prose_is_printed_by_one_of_its_cells(path):
    notebook = read(path)
    text = printed(notebook) + "\n".join(cell.source for cell in code_cells(notebook))
    values = {number.replace("−", "-") for number in NUMBER.findall(text)}
    maps = " ".join(re.findall(r"&quot;([\d /]+)&quot;", text))  # of a training, in percents, which a slider shows
    percents = re.findall(r"(\d+)%", text) + re.findall(r"\d+", maps)
    values |= {f"{int(percent) / 100}" for percent in percents}  # 61% is 0.61
    integers = {*re.findall(r"\d+", re.sub(r'base64,[^"]*|,', "", text)), *STATED.split()}
    for cell in prose_cells(notebook):
        prose = NO_RESULT.sub("", cell.source)
        assert [number for number in INTEGER.findall(prose) if number.replace(",", "") not in integers] == []
        for number in NUMBER.findall(prose):
            digits = len(number.partition(".")[2])
            rounded = {f"{abs(float(value)):.{digits}f}" for value in values}
            assert number.replace("−", "-").lstrip("-") in rounded, f"{number} in: {cell.source[:80]}"


@each_page
def test_its_stored_outputs_are_whole_and_free_of_noise(path):
    notebook = read(path)
    assert all(cell.execution_count for cell in code_cells(notebook)), "an unrun cell is never compared"
    assert "widgets" not in notebook.metadata, "stored widget state breaks rendering elsewhere"
    assert len({cell.id for cell in notebook.cells}) == len(notebook.cells)
    for output in outputs(notebook):
        assert output.output_type != "error" and output.get("name") != "stderr"
        plain = output.get("data", {"text/plain": "printed"})["text/plain"]  # what a terminal shows, and a PDF
        assert not plain.startswith("<IPython")
    assert re.findall(r"0x[0-9a-f]{6,}|/(?:home|root|tmp|Users)/|grad_fn|NBVAL_IGNORE", printed(notebook)) == []


@each_page
def test_every_drawn_picture_has_an_alternative_text_and_a_caption(path):
    stored = outputs(read(path))
    for output, after in zip(stored, [*stored[1:], {}]):
        if "image/png" in output.get("data", {}):
            assert len(output.metadata["image/png"]["alt"].split()) >= 8
            assert "attention-caption" in after.get("data", {}).get("text/html", "")


@pytest.mark.parametrize("path", LESSONS, ids=name)
def test_it_has_exercises_with_hints_solution_and_a_check(path):
    notebook = read(path)
    stubs = [number for number, cell in enumerate(notebook.cells) if cell.cell_type == "code" and is_stub(cell)]
    assert stubs and len(solutions(notebook)) == len(stubs)
    for number in stubs:
        statement, stub, check, help_cell = notebook.cells[number - 1 : number + 3]
        assert EXERCISE.match(statement.source)
        assert stub.source.endswith("raise NotImplementedError"), "a stub is its signature and the line that raises"
        assert stub.source.count("\n") == 1 + stub.source.startswith("class")
        assert check.outputs == [shown(Verdict(NOT_ATTEMPTED))]
        hints, _, solution = help_cell.source.partition("<summary>Solution")
        assert hints.count("<summary>Hint") >= 2 and solution
        for code in re.sub("```.*?```", "", hints, flags=re.DOTALL).split("`")[1::2]:
            known = "".join((stub.source + solution).split())
            other = "..." in code or code.startswith(OTHERWISE)
            assert other or "".join(code.split()) in known, "a hint has what its solution has"


@pytest.mark.parametrize("path", [path for path in LESSONS if path.name > "02"], ids=name)
def test_its_thread_goes_on_with_what_the_reader_wrote(path):
    assert any("yours_or(" in cell.source for cell in parts(read(path))["thread"] if cell.cell_type == "code")
