"""A stored answer to a prediction is folded, and unfolds into exactly what a run gives."""

import copy
import re

import nbformat
import pytest
from nbformat.v4 import new_code_cell, new_markdown_cell, new_notebook, new_output

from folding import PREDICTION, fold, folded, unfolded
from reading import HANDBOOK, NOTEBOOKS, code_cells, read

PNG = {"image/png": "iVBORw0KGgo=", "text/plain": "picture: a map"}
SIZES = {"image/png": {"alt": "a “map” of 2 by 2 < 3", "width": 300, "height": 200}}
OUTPUTS = {
    "a printed text": [new_output("stream", text="a < b & 'c'\n")],
    "a result": [new_output("execute_result", {"text/plain": "tensor([1, 2])"}, execution_count=3)],
    "a table": [new_output("display_data", {"text/html": "<table></table>", "text/plain": "table"})],
    "text, picture and caption": [
        new_output("stream", text="variance 64.0\n"),
        new_output("display_data", PNG, metadata=SIZES),
        new_output("display_data", {"text/html": "<p>a map</p>", "text/plain": "HTML"}),
        new_output("display_data", PNG | {"image/png": "iVBORw0KGgp="}, metadata=SIZES),
    ],
}
VIEW = {"text/html": '<div class="attention-live">1</div>', "text/plain": "view: Largest"}
LIVE = [new_output("execute_result", VIEW, execution_count=1)]


@pytest.mark.parametrize("outputs", OUTPUTS.values(), ids=OUTPUTS)
def test_what_is_folded_unfolds_into_what_it_was(outputs):
    before = copy.deepcopy(outputs)
    once = folded(outputs)
    assert len(once) == 1 and once != outputs
    assert unfolded(once) == outputs == before
    nbformat.validate(new_notebook(cells=[new_code_cell("1", outputs=once)]))


def test_a_folded_answer_is_one_closed_box_with_its_parts_in_order():
    page = folded(OUTPUTS["text, picture and caption"])[0].data["text/html"]
    assert re.match(
        r"<details><summary>.+</summary>\n<pre [^>]+>variance 64.0\n</pre>\n<img [^>]+>\n<p>a map</p>\n<img ", page
    )
    assert 'alt="a “map” of 2 by 2 &lt; 3" width="300"' in page
    assert "open" not in page.partition("<summary>")[0]
    assert "monospace)\">a &lt; b &amp; 'c'\n</pre>" in folded(OUTPUTS["a printed text"])[0].data["text/html"]


def test_where_html_is_not_shown_a_folded_answer_is_its_plain_text():
    assert folded(OUTPUTS["text, picture and caption"])[0].data["text/plain"] == (
        "variance 64.0\npicture: a map\nHTML\npicture: a map"
    )


def test_only_a_cell_directly_behind_a_prediction_is_folded():
    shown = OUTPUTS["a printed text"]
    question, statement = new_markdown_cell(f"Look.\n\n{PREDICTION} what?"), new_markdown_cell("No question.")
    notebook = new_notebook(cells=[question, *(new_code_cell("1", outputs=shown) for _ in range(2)), statement])
    notebook.cells.append(new_code_cell("1", outputs=shown))
    fold(notebook)
    assert folded([]) == [] and folded(LIVE) == LIVE
    assert [cell.outputs == shown for cell in code_cells(notebook)] == [False, True, True]


@pytest.mark.parametrize("path", NOTEBOOKS + HANDBOOK, ids=lambda path: path.stem)
def test_each_prediction_stands_directly_before_a_cell_that_answers_it(path):
    cells = read(path).cells
    for before, cell in zip(cells, cells[1:]):
        if before.cell_type == "markdown" and PREDICTION in before.source:
            assert cell.get("outputs"), before.source
