"""Every notebook keeps the promises of the course's form."""

import ast
import re
from urllib.parse import unquote

import nbformat
import pytest

from companion.checks.verdict import NOT_ATTEMPTED, Verdict
from folding import LIVE, PREDICTION
from reading import COURSE, NOTEBOOKS, code_cells, is_stub, outputs, printed, prose_cells, read, shown, solutions

LESSONS = [path for path in NOTEBOOKS if not path.name.startswith("00")]
NUMBER = re.compile(r"[−-]?\d+\.\d+")
EXERCISE = re.compile(r"###? Exercise \d: .+ \((\d+) minutes\)\n")
SECTION = re.compile(r"### .+ \((\d+) minutes?\)\n\n\*For .+\*\n")
MINUTES = re.compile(
    r"^\*The thread takes (\d+) minutes(?:, its exercises (\d+))?(?:, \"Deeper\" (\d+))?\. You need: .+\*$",
    re.MULTILINE,
)
OTHER_NAMES = {  # in code: {a name that is not used: the one that is}
    "head_size": "head_dim",
    "d_head": "head_dim",
    "seq_len": "num_tokens",
    "queries": "query, or num_queries for a number",
    "keys": "key, or num_keys for a number",
    "values": "value",
    "attn": "weights",
    "attn_mask": "mask",
    "x": "inputs",
}
OTHER_WORDS = {
    r"\bstretches\b": "broadcasts",
    r"\battention maps?\b": "weights",
    r"\bun-?normali[sz]ed weights\b": "scores",
}
QUESTIONS = 12  # that learners ask most, each answered by a run


def name(path):
    return path.stem


def words(cell):
    return count_words(cell.source)


def count_words(prose):
    """Count the words of prose: not of code, nor of what a link leads to."""
    return len(re.findall(r"\w+", re.sub(r"```.*?```|(?<=\])\([^)]*\)", "", prose, flags=re.DOTALL)))


def lines(cell):
    return sum(1 for line in cell.source.splitlines() if line.strip())


def without_exercises(notebook):
    """Return the cells that are read and run: neither exercises nor what helps with them."""
    kept, exercise = [], False
    for cell in notebook.cells:
        if cell.cell_type == "markdown" and cell.source.startswith("## "):
            exercise = bool(EXERCISE.match(cell.source))
        if not exercise:
            kept.append(cell)
    return nbformat.v4.new_notebook(cells=kept)


def parts(notebook):
    """Return the cells of a notebook's thread, of its exercises, of its recap, and of what is deeper."""
    found = {name: [] for name in ("thread", "exercises", "recap", "deeper", "deeper exercises")}
    part, deeper = "thread", False
    for cell in notebook.cells:
        if cell.cell_type == "markdown" and (heading := re.match(r"###? .+\n", cell.source)):
            deeper = deeper or heading[0] == "## Deeper\n"
            main = "deeper" if deeper else "recap" if heading[0] == "## Recap\n" else "thread"
            exercise = "deeper exercises" if deeper else "exercises"
            part = exercise if EXERCISE.match(cell.source) else main
        found[part].append(cell)
    return found


def exercise_minutes(cells):
    return sum(int(found[1]) for cell in cells if (found := EXERCISE.match(cell.source)))


def minutes(cells):
    """How long cells take: 110 words or five lines of code a minute, one for a guess, two for a live picture."""
    beside = r"<details>.*?</details>|^\|[^\n]*$"  # hints, solutions and tables are looked up, not read
    prose = [re.sub(beside, "", cell.source, flags=re.DOTALL | re.MULTILINE) for cell in cells if is_prose(cell)]
    code = [cell for cell in cells if cell.cell_type == "code"]
    live = sum(is_live(cell) for cell in code)
    told = sum(map(count_words, prose)) / 110 + sum(map(lines, code)) / 5
    return told + sum(each.count(PREDICTION) for each in prose) + 2 * live


def is_prose(cell):
    return cell.cell_type == "markdown"


def is_live(cell):
    return any(LIVE.search(text) for output in cell.outputs for text in output.get("data", {}).values())


def stubs(notebook):
    return [place for place, cell in enumerate(notebook.cells) if cell.cell_type == "code" and is_stub(cell)]


def bound(source):
    """Return the names that a cell's code gives to things: variables, arguments, functions."""
    names = set()
    for node in ast.walk(ast.parse(source)):
        if isinstance(node, ast.Name) and isinstance(node.ctx, ast.Store):
            names.add(node.id)
        elif isinstance(node, ast.arg):
            names.add(node.arg)
    return names


each_notebook = pytest.mark.parametrize("path", NOTEBOOKS, ids=name)
each_lesson = pytest.mark.parametrize("path", LESSONS, ids=name)


def test_the_course_has_notebooks():
    assert len(NOTEBOOKS) >= 7


@each_notebook
def test_it_opens_with_title_question_and_what_one_can_do_then(path):
    opening, *others = prose_cells(read(path))
    assert re.match(rf"# {path.name[:2]} · .+\n\n\*\*.+\?\*\*\n\n", opening.source)
    # The first page shows its picture before it promises anything.
    promise = (others[0] if path is NOTEBOOKS[0] else opening).source
    assert re.search(r"^After this (page|notebook) you can\n", promise, flags=re.MULTILINE)
    assert len(re.findall(r"^- \*\*[\w ]+\*\* .+[,.]", promise, flags=re.MULTILINE)) == 3


@each_notebook
def test_its_minutes_are_honest_and_its_thread_takes_one_sitting(path):
    notebook = read(path)
    thread, exercises, deeper = (int(each) for each in MINUTES.search(notebook.cells[0].source).groups(default=0))
    cells = parts(notebook)
    assert abs(thread - minutes(cells["thread"])) <= 2, f"{minutes(cells['thread']):.0f} minutes"
    assert thread <= (10 if path is NOTEBOOKS[0] else 25 if path.name < "10" else 35)
    assert exercises == exercise_minutes(cells["exercises"])
    found = minutes(cells["deeper"]) + exercise_minutes(cells["deeper exercises"])
    assert abs(deeper - found) <= 3, f"{found:.0f} minutes"


@each_notebook
def test_what_is_deeper_says_for_whom_and_how_long(path):
    cells, stated = parts(read(path)), int(MINUTES.search(read(path).cells[0].source)[3])
    headings = [cell.source for cell in cells["deeper"][1:] if cell.source.startswith("### ")]
    found = [SECTION.match(heading) for heading in headings]
    assert all(found), [heading[:80] for heading, match in zip(headings, found) if not match]
    assert stated == sum(int(match[1]) for match in found) + exercise_minutes(cells["deeper exercises"])


@each_notebook
def test_its_thread_closes_with_a_question_in_words_and_a_recap(path):
    cells = parts(read(path))
    (recap,) = cells["recap"]
    check_recap(recap.source)
    own_words = [cell.source for cell in cells["thread"] if cell.source.startswith("## In your own words\n")]
    assert path is NOTEBOOKS[0] or ("?" in own_words[0] and "<summary>A possible answer</summary>" in own_words[0])


def check_recap(closing):
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
    *shorter, longest = sorted(map(lines, code_cells(notebook)))
    prose = [words(cell) for cell in prose_cells(notebook) if "|---|" not in cell.source]
    assert all(cell.source.strip() for cell in notebook.cells), "an empty cell"
    assert lines(code_cells(notebook)[0]) <= 8, "the set-up cell"
    assert longest <= 25 and max(shorter) <= 16, "only the assembled cell may be longer than 16 lines"
    assert max(prose) <= 130
    assert all(len(line) <= 88 for cell in code_cells(notebook) for line in cell.source.splitlines())


@each_notebook
def test_it_explains_its_code_to_the_end(path):
    notebook = without_exercises(read(path))
    assert sum(map(words, prose_cells(notebook))) >= 12 * sum(map(lines, code_cells(notebook)))


@each_notebook
def test_it_speaks_of_what_each_cell_shows(path):
    cells = read(path).cells
    for cell, after in zip(cells, cells[1:]):
        assert after.cell_type == "markdown" or not cell.get("outputs"), cell.source


@each_notebook
def test_it_has_one_name_for_one_thing(path):
    notebook = read(path)
    for cell in code_cells(notebook):
        for name in bound(cell.source) & OTHER_NAMES.keys():
            raise AssertionError(f"{name} is called {OTHER_NAMES[name]} here, in: {cell.source}")
    for cell in prose_cells(notebook):
        for wrong, right in OTHER_WORDS.items():
            assert not re.search(wrong, cell.source), f"say {right}, in: {cell.source}"


@each_notebook
def test_it_asks_for_predictions(path):
    prose = "\n".join(cell.source for cell in prose_cells(read(path)))
    assert prose.count(PREDICTION) >= (1 if path is NOTEBOOKS[0] else 3)


@each_notebook
def test_its_words_do_not_belittle_the_reader(path):
    prose = "\n".join(cell.source for cell in prose_cells(read(path)))
    assert re.findall(r"\b(simply|obviously|clearly|trivial(?:ly)?)\b", prose, flags=re.IGNORECASE) == []


@each_notebook
def test_every_number_in_its_prose_is_printed_by_one_of_its_cells(path):
    notebook = read(path)
    shown = printed(notebook) + "\n".join(cell.source for cell in code_cells(notebook))
    values = {number.replace("−", "-") for number in NUMBER.findall(shown)}
    maps = " ".join(re.findall(r"&quot;([\d /]+)&quot;", shown))  # of a training, in percents, which a slider shows
    percents = re.findall(r"(\d+)%", shown) + re.findall(r"\d+", maps)
    values |= {f"{int(each) / 100}" for each in percents}  # 61% is 0.61
    for cell in prose_cells(notebook):
        for number in NUMBER.findall(
            re.sub(r"section [\d.]+|equation \d+|PyTorch [\d.]+|(?<=\])\([^)]*\)", "", cell.source)
        ):
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
def test_every_drawn_picture_has_an_alternative_text_and_a_caption(path):
    stored = outputs(read(path))
    for place, output in enumerate(stored):
        if "image/png" in output.get("data", {}):
            assert len(output.metadata["image/png"]["alt"].split()) >= 8
            assert "attention-caption" in stored[place + 1].get("data", {}).get("text/html", "")


@each_lesson
def test_it_has_exercises_with_hints_solution_and_a_check(path):
    notebook = read(path)
    places = stubs(notebook)
    assert 1 <= len(places) <= 5 and len(solutions(notebook)) == len(places)
    for place in places:
        statement, stub, check, help_cell = notebook.cells[place - 1 : place + 3]
        assert EXERCISE.match(statement.source)
        assert stub.source.endswith("raise NotImplementedError"), "a stub is its signature and the line that raises"
        assert stub.source.count("\n") == 1 + stub.source.startswith("class")
        assert check.outputs == [shown(Verdict(NOT_ATTEMPTED))]
        assert help_cell.source.count("<summary>Hint") >= 2 and "<summary>Solution" in help_cell.source


@pytest.mark.parametrize("path", [path for path in LESSONS if path.name > "02"], ids=name)
def test_its_thread_goes_on_with_what_the_reader_wrote(path):
    assert any("yours_or(" in cell.source for cell in parts(read(path))["thread"] if cell.cell_type == "code")


def test_the_questions_that_learners_ask_lead_to_the_sections_that_answer_them():
    start = "\n".join(cell.source for cell in prose_cells(read(NOTEBOOKS[0])))
    links = re.findall(r"\]\((\d\d_\w+\.ipynb)#([^)]+)\)", start)
    assert len(links) >= QUESTIONS
    for target, section in links:
        cells = prose_cells(read(COURSE / "notebooks" / target))
        headings = re.findall(r"^#+ (.+)$", "\n".join(cell.source for cell in cells), flags=re.MULTILINE)
        assert unquote(section) in [heading.replace(" ", "-") for heading in headings], (target, section)
