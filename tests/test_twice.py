"""Every cell of the course may be run twice in a row: it stops neither time, and shows what is stored both times.

Readers do that: they change a cell and run it again, or press the keys once more. A cell breaks then if it uses up what
it needs, or if it gives a new meaning to a name that it reads; and a later cell may be the first to show it.
"""

import copy

import nbformat
import pytest
from nbformat.v4 import new_code_cell, new_notebook, new_output

from compare_outputs import same
from reading import NOTEBOOKS, code_cells, read, why_not_compared
from store import run

pytestmark = pytest.mark.slow
GOES_ON = {"tags": ["raises-exception"]}  # after a cell that stops, so that the others are tried, too
WITH_ALL = pytest.mark.only_with_all  # those that train, for seconds or minutes


def breaks(path):
    """Run each cell of a notebook twice in a row; return a sentence for each cell and run that did not go well."""
    stored = code_cells(read(path))
    doubled = [new_code_cell(cell.source, metadata=copy.deepcopy(GOES_ON)) for cell in stored for _ in range(2)]
    fresh = run(new_notebook(cells=doubled), path.parent).cells
    found = []
    for place, cell in enumerate(fresh):
        number, again = divmod(place, 2)
        if trouble := _trouble(stored[number].outputs, cell.outputs):
            times = ("first", "second")[again]
            found.append(f"{path.name}, code cell {number}, run for the {times} time, {trouble}:\n{cell.source}")
    return found


def _trouble(stored, fresh):
    """Say what is wrong with the outputs of a run, "" if nothing is."""
    if errors := [output for output in fresh if output.output_type == "error"]:
        return f"stops with {errors[0].ename}: {errors[0].evalue}"
    return "" if same(*(_uncounted(outputs) for outputs in (stored, fresh))) else "shows something else than is stored"


def _uncounted(outputs):
    """Return outputs without the number of the run, which counts on."""
    return [{key: value for key, value in output.items() if key != "execution_count"} for output in outputs]


def test_a_cell_that_does_not_survive_its_second_run_is_named(tmp_path):
    cells = {  # a source, and what is stored
        "shown, left, name = [], [7], 'she'": None,
        "len(shown)": "0",
        "shown.append(1)\nlen(shown)": "1",  # counts on
        "left.pop()": "7",  # uses up what it needs
        "name = name[1:]": None,  # shows nothing itself
        "name": "'he'",
        "1 + 1": "3",  # was wrong the first time
    }
    made = []
    for source, text in cells.items():
        outputs = [new_output("execute_result", {"text/plain": text}, execution_count=1)] if text else []
        made.append(new_code_cell(source, execution_count=1, outputs=outputs))
    nbformat.write(new_notebook(cells=made), tmp_path / "made.ipynb")
    else_shown = "shows something else than is stored"
    assert [said.partition(":\n")[0] for said in breaks(tmp_path / "made.ipynb")] == [
        f"made.ipynb, code cell 2, run for the second time, {else_shown}",
        "made.ipynb, code cell 3, run for the second time, stops with IndexError: pop from empty list",
        f"made.ipynb, code cell 5, run for the first time, {else_shown}",
        f"made.ipynb, code cell 5, run for the second time, {else_shown}",
        f"made.ipynb, code cell 6, run for the first time, {else_shown}",
        f"made.ipynb, code cell 6, run for the second time, {else_shown}",
    ]


@pytest.mark.parametrize(
    "path", [pytest.param(path, id=path.stem, marks=WITH_ALL if path.name > "07" else ()) for path in NOTEBOOKS]
)
def test_every_cell_gives_the_same_a_second_time(path):
    if reason := why_not_compared(path):
        pytest.skip(reason)
    found = breaks(path)
    assert not found, "\n\n".join(found)
