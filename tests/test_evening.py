"""Who has two hours, and does what the list in notebook 00 says, trains a head of their own."""

import re
from urllib.parse import unquote

import pytest

from reading import COURSE, NOTEBOOKS, defined, is_stub, prose_cells, read, solutions
from test_mine_whole import ANEW, run


def code_by_section(notebook, written):
    """Return {heading as a link has it: its code}, with the stubs under headings in `written` solved."""
    found, heading = {}, "top"
    for cell in notebook.cells:
        if cell.cell_type == "markdown" and (start := re.match(r"##+ (.+)", cell.source)):
            heading = start[1].replace(" ", "-")
        code = [cell.source] if cell.cell_type == "code" else []
        solved = [solutions(notebook)[defined(cell.source)]] if is_stub(cell) and heading in written else code
        found[heading] = found.get(heading, []) + solved
    return found


@pytest.mark.slow
def test_the_two_hours_end_with_a_trained_head_of_ones_own(tmp_path):
    (table,) = [cell.source for cell in prose_cells(read(NOTEBOOKS[0])) if "| in one evening |" in cell.source]
    *rows, (_, total) = re.findall(r"^\| (.+) \| (\d+) \|$", table, flags=re.MULTILINE)
    assert sum(int(minutes) for _, minutes in rows) == int(total) <= 120
    sources, opened = [], None
    for row, _ in rows:
        (path, end), *written = re.findall(r"\]\((\d\d_\w+\.ipynb)#([^)]+)\)", row)
        code = code_by_section(read(COURSE / "notebooks" / path), [unquote(heading) for _, heading in written])
        way = list(code)[: list(code).index(unquote(end)) + 1]
        way = way[-1:] if path == opened else way  # an open notebook goes on at the section
        sources += ([ANEW] if path != opened else []) + [source for heading in way for source in code[heading]]
        opened = path
    shown = "\n".join(run(sources, tmp_path / "mine.py"))
    assert {"read_one: your own", "OneHead: your own", "of the 400: 100% right"} <= set(shown.splitlines())
    assert shown.count("kept in mine.py") == 2
