"""The handbook: entries that stand alone, in pages and an index that are made of them.

That each entry runs after the first cell of its page alone, and in any order, `running/proofs.py` sees to.
"""

import re
import runpy
from pathlib import Path
from types import SimpleNamespace
from unittest import mock
from urllib.parse import unquote

import pytest

from handbook import FOLDER, INDEX, PAGES, entries, with_table, words
from reading import COURSE, HANDBOOK, NOTEBOOKS, addresses, code_cells, filled_lines, read
from running.proofs import FORGET, _entries_alone

ENTRIES = [(path, entry) for path in PAGES for entry in entries(read(path))]
each_entry = pytest.mark.parametrize(
    "path, entry", ENTRIES, ids=[f"{path.stem}-{entry.address}" for path, entry in ENTRIES]
)


@each_entry
def test_an_entry_answers_in_a_sentence_and_by_a_run(path, entry):
    runs = [cell for cell in entry.cells if cell.cell_type == "code"]
    assert any(cell.outputs for cell in runs) and entry.cells[-1].cell_type == "markdown"
    longest = 20 if path.stem == "clinic" else 15
    assert len(runs) <= 2 and all(filled_lines(cell) <= longest for cell in runs)
    assert words(entry.text) <= 120
    assert entry.small.keys() >= {"also called", "built in"}


def test_how_many_still_count_right_is_as_printed():  # in words, which no other test compares
    (entry,) = (entry for _, entry in ENTRIES if entry.question.startswith("Would a model not learn to ignore padding"))
    printed = "".join(output.get("text", "") for cell in entry.cells for output in cell.get("outputs", []))
    assert "To *count* words, one of eight was still right with 500" in entry.text
    assert "count, masked = False: right {3: 8, 500: 1}" in printed


def test_what_other_entries_have_defined_is_forgotten():
    exec(FORGET, names := {"first": 1})
    names |= {"first": 2, "other": 3}
    exec(FORGET, names)
    assert names["first"] == 1 and "other" not in names
    page = read(PAGES[0])
    runs = [SimpleNamespace(cell=cell) for cell in code_cells(page)]
    first, later, *others = _entries_alone(SimpleNamespace(nb=page), runs)
    assert first is runs[0] and later in runs[-2:] and later.cell.source.startswith(FORGET)


@each_entry
def test_its_links_lead_to_who_asked_and_to_where_it_is_built(path, entry):
    # The number in a link's words is the one that it leads to.
    assert re.fullmatch(r"(\[[^]]+ (\d+)\]\(https://[^)]+\b\2\b[^)]*\)(, )?)*", entry.small.get("asked", ""))
    built = re.findall(r"\]\(\.\./(\d\d_\w+\.ipynb)(?:#([^)]+))?\)", entry.small["built in"])
    assert built
    for name, section in built:
        target = FOLDER.parent / name
        assert target in NOTEBOOKS and (not section or unquote(section) in addresses(read(target))), (name, section)


@pytest.fixture(scope="module")
def written():
    """{path: text} as the command writes them."""
    texts = {}
    with mock.patch.object(Path, "write_text", lambda path, text, **options: texts.update({path: text})):
        runpy.run_path(str(COURSE / "tests/handbook.py"), run_name="__main__")
    return texts


@pytest.mark.parametrize("path", [*PAGES, INDEX], ids=lambda path: path.stem)
def test_the_table_of_a_page_and_the_index_are_made_of_its_entries(path, written):
    assert written[path] == path.read_text(encoding="utf-8"), "run python tests/handbook.py"


@pytest.mark.parametrize("path", PAGES, ids=lambda path: path.stem)
def test_a_page_opens_with_one_cell_to_run_and_the_table_of_its_entries(path):
    notebook = read(path)
    first = code_cells(notebook)[0]
    assert notebook.cells[1] is first and "setup()" in first.source and not first.outputs
    stored, rows = notebook.cells[0].source, len(entries(notebook))
    notebook.cells[0].source, older = re.subn(r"^\| \[.+\n?", "", stored, flags=re.MULTILINE)
    assert with_table(notebook) == stored and older == rows


def test_the_handbook_stays_small_enough_to_be_trusted():
    prose = [cell.source for path in PAGES for cell in read(path).cells if cell.cell_type == "markdown"]
    assert sorted(PAGES) == HANDBOOK
    assert len(ENTRIES) <= 170 and words("\n".join(prose)) <= 36_000
    assert len({entry.question for _, entry in ENTRIES}) == len(ENTRIES)
