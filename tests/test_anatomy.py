"""Every notebook keeps the promises of the course's form."""

import re
import statistics

import pytest

from reading import NOTEBOOKS, code_cells, is_stub, outputs, printed, prose_cells, read, solutions

LESSONS = [path for path in NOTEBOOKS if not path.name.startswith("00")]
NUMBER = re.compile(r"[−-]?\d+\.\d+")


def name(path):
    return path.stem


def without_code(source):
    return re.sub(r"```.*?```", "", source, flags=re.DOTALL)


each_notebook = pytest.mark.parametrize("path", NOTEBOOKS, ids=name)
each_lesson = pytest.mark.parametrize("path", LESSONS, ids=name)


def test_the_course_has_notebooks():
    assert len(NOTEBOOKS) >= 7


@each_notebook
def test_it_opens_with_title_question_verbs_minutes_and_needs(path):
    opening = read(path).cells[0].source
    assert re.match(rf"# {path.name[:2]} · .+\n\n\*\*.+\?\*\*\n\nAfter this (page|notebook) you can\n", opening)
    assert len(re.findall(r"^- \*\*[\w ]+\*\* .+[,.]", opening, flags=re.MULTILINE)) == 3
    assert re.search(r"^\*\d+ minutes\. Needs: .+\*$", opening, flags=re.MULTILINE)


@each_notebook
def test_it_closes_with_a_recap_a_misconception_and_the_way_on(path):
    closing = read(path).cells[-1].source
    assert closing.startswith("## Recap\n") and "|---|" in closing
    assert "**A misconception met:**" in closing
    assert re.search(r"\[.+\]\(\d\d_\w+\.ipynb\)", closing.splitlines()[-1])


@each_notebook
def test_its_links_lead_to_notebooks_that_exist(path):
    for cell in prose_cells(read(path)):
        for target in re.findall(r"\]\(([^)#]+)\)", cell.source):
            assert target.startswith("https://") or (path.parent / target).is_file(), target


@each_notebook
def test_its_cells_are_small(path):
    notebook = read(path)
    lengths = [sum(1 for line in cell.source.splitlines() if line.strip()) for cell in code_cells(notebook)]
    words = [len(re.findall(r"\w+", without_code(cell.source))) for cell in prose_cells(notebook)]
    assert all(cell.source.strip() for cell in notebook.cells), "an empty cell"
    assert lengths[0] <= 8, "the set-up cell"
    assert max(lengths) <= 25 and statistics.median(lengths) <= 5
    assert max(words) <= 130
    assert statistics.median(words) <= 60
    assert all(len(line) <= 88 for cell in code_cells(notebook) for line in cell.source.splitlines())


@each_notebook
def test_it_asks_for_predictions(path):
    prose = "\n".join(cell.source for cell in prose_cells(read(path)))
    assert prose.count("> **Predict:**") >= (2 if path.name.startswith("00") else 7)


@each_notebook
def test_its_words_do_not_belittle_the_reader(path):
    prose = "\n".join(cell.source for cell in prose_cells(read(path)))
    assert re.findall(r"\b(simply|obviously|clearly|trivial(?:ly)?)\b", prose, flags=re.IGNORECASE) == []


@each_notebook
def test_every_number_in_its_prose_is_printed_by_one_of_its_cells(path):
    notebook = read(path)
    shown = printed(notebook) + "\n".join(cell.source for cell in code_cells(notebook))
    values = {number.replace("−", "-") for number in NUMBER.findall(shown)}
    for cell in prose_cells(notebook):
        for number in NUMBER.findall(re.sub(r"section [\d.]+|equation \d+", "", cell.source)):
            digits = len(number.partition(".")[2])
            wanted = number.replace("−", "-").lstrip("-")
            rounded = {f"{abs(float(value)):.{digits}f}" for value in values}
            assert wanted in rounded, f"{number} in: {cell.source[:80]}"


@each_notebook
def test_its_stored_outputs_are_whole_and_free_of_noise(path):
    notebook = read(path)
    assert all(cell.execution_count for cell in code_cells(notebook)), "an unrun cell is never compared"
    assert "widgets" not in notebook.metadata, "stored widget state breaks rendering elsewhere"
    assert len({cell.id for cell in notebook.cells}) == len(notebook.cells)
    for output in outputs(notebook):
        assert output.output_type != "error" and output.get("name") != "stderr"
    assert re.findall(r"0x[0-9a-f]{6,}|/(?:home|root|tmp|Users)/|grad_fn|NBVAL_IGNORE", printed(notebook)) == []


@each_notebook
def test_every_picture_has_its_words_on_the_page(path):
    stored = outputs(read(path))
    for place, output in enumerate(stored):
        if "image/png" in output.get("data", {}):
            words = output.metadata["image/png"]["alt"]
            assert len(words.split()) >= 8
            assert words in stored[place + 1].data["text/html"].replace("&#x27;", "'").replace("&quot;", '"')


@each_lesson
def test_it_has_exercises_with_hints_solution_and_a_check(path):
    notebook = read(path)
    stubs = [place for place, cell in enumerate(notebook.cells) if cell.cell_type == "code" and is_stub(cell)]
    assert 2 <= len(stubs) <= 3 and len(solutions(notebook)) == len(stubs)
    for place in stubs:
        statement, stub, check, help_cell = notebook.cells[place - 1 : place + 3]
        assert re.match(r"## Exercise \d: .+ \(\d+ minutes\)\n", statement.source)
        assert stub.source.count("\n") == 1, "a stub is its signature and the line that raises"
        assert check.outputs[0].text == "not attempted yet\n"
        assert help_cell.source.count("<summary>Hint") >= 2 and "<summary>Solution" in help_cell.source
