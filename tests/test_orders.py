"""The stored numbers hold where sums are taken in another order, as other processors do."""

import re

import nbformat
import pytest
from nbformat.v4 import new_code_cell, new_notebook, new_output

from compare_outputs import Different
from orders import LAST_BITS, OLD, ORDERS, THREADS, report
from reading import HANDBOOK, NOTEBOOKS

pytestmark = pytest.mark.slow
PRODUCT = """import torch
torch.manual_seed(0)
product = torch.rand(9, 64) @ torch.rand(64, 9)
print(*(f"{number:.DECIMALSf}" for number in product.flatten().tolist()))"""
# Printed too precisely, so that a last place may differ, as the course prints, and false.
SOURCES = [PRODUCT.replace("DECIMALS", digits) for digits in "954"] + ["print(0.4917)"]
# A kernel with two threads and old instructions keeps them; whole numbers stay.
STATE = "torch.get_num_threads(), 'threads,', torch.backends.cpu.get_cpu_capability()"
SOURCES += [f"import torch\ntorch.set_num_threads(1)\nprint({STATE})"]
WHOLE = "torch.equal(ones @ ones, 9 * ones), torch.equal(ones.int() @ ones.int(), 9 * ones.int())"
SOURCES += [f"import torch\nones = torch.ones(9, 9)\nprint({WHOLE})"]


def counts(summary, record_property):
    """Return how many numbers differed, and how many there are."""
    record_property("measured", summary.splitlines()[0])
    return map(int, re.search(r"(\d+) of (\d+) numbers differ", summary).groups())


def test_a_short_notebook_gives_what_is_stored_and_a_number_that_is_off_is_named(tmp_path, capsys, record_property):
    cells = []
    for source in SOURCES:
        exec(source, {})
        text = capsys.readouterr().out.replace("0.4917", "0.4919")
        cells.append(new_code_cell(source, execution_count=1, outputs=[new_output("stream", text=text)]))
    nbformat.write(new_notebook(cells=cells), tmp_path / "made.ipynb")
    with pytest.raises(Different) as caught:
        report([OLD, LAST_BITS, THREADS], [tmp_path / "made.ipynb"])
    summary = str(caught.value)
    differed, numbers = counts(summary, record_property)
    assert numbers == 2 * 81 and differed > 0  # of the two cells that hold
    assert re.findall(r"^(.+), code cell (\d+):$", summary, re.MULTILINE) == [("made.ipynb", cell) for cell in "034"]
    assert "fresh: 2 threads, DEFAULT\n" in summary
    assert "made.ipynb, code cell 3:\nprint(0.4917)\nstored: 0.4919\nfresh: 0.4917" in summary


@pytest.mark.only_with_all
@pytest.mark.parametrize("order", ORDERS)
@pytest.mark.parametrize("path", NOTEBOOKS + HANDBOOK, ids=lambda path: path.stem)
def test_every_notebook_gives_what_is_stored(path, order, record_property):
    _, numbers = counts(report([order], [path]), record_property)
    assert numbers > 10 or path.name < "02"  # these have words and ids
