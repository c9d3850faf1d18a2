"""The stored numbers hold where sums are taken in another order, as other processors do."""

import re
import sys

import nbformat
import pytest
from nbformat.v4 import new_code_cell, new_notebook, new_output

from compare_outputs import Different
from orders import LAST_BITS, ORDERS, THREADS, report
from reading import NOTEBOOKS

pytestmark = [pytest.mark.slow, pytest.mark.skipif(sys.platform != "linux", reason="forks a process with torch in it")]
PRODUCT = """import torch
torch.manual_seed(0)
product = torch.rand(9, 64) @ torch.rand(64, 9)
print(*(f"{number:.DECIMALSf}" for number in product.flatten().tolist()))"""


SHORT = [path for path in NOTEBOOKS if path.name[:2] in ("04", "06", "08")]  # the others train for seconds or minutes
TRAINED = SHORT[2:]  # trains, too; its numbers are counted, but to change the last bit of each at random takes long
# These two change the fewest numbers, and two threads on two busy cores wait for each other.
SELDOM = ("instructions of 2013", THREADS)


def name(path):
    return path.stem


@pytest.mark.parametrize(
    "order", [pytest.param(order, marks=[pytest.mark.only_with_all] * (order in SELDOM)) for order in ORDERS]
)
def test_every_short_notebook_gives_what_is_stored(order, record_property):
    paths = [path for path in SHORT if order != LAST_BITS or path not in TRAINED]
    differed, numbers = run(order, paths, record_property)
    assert numbers > 500 and (differed > 0 or order != LAST_BITS)  # what a processor lacks, it cannot do otherwise


@pytest.mark.only_with_all
@pytest.mark.parametrize("order", ORDERS)
@pytest.mark.parametrize("path", [path for path in NOTEBOOKS if path not in SHORT or path in TRAINED], ids=name)
def test_every_long_notebook_gives_what_is_stored(path, order, record_property):
    _, numbers = run(order, [path], record_property)
    assert numbers > 10 or path.name < "02"  # these have words and ids


def run(order, paths, record_property):
    """Return how many numbers differed, and how many there are."""
    said = report(order, paths).rstrip()
    record_property("measured", said)
    return map(int, re.search(r"(\d+) of (\d+) numbers differ", said).groups())


def test_a_number_that_is_off_is_named_with_its_cell(tmp_path, capsys):
    sources = {
        "off": "print(0.4917)",
        "four": PRODUCT.replace("DECIMALS", "4"),
        "nine": PRODUCT.replace("DECIMALS", "9"),
    }
    for name, source in sources.items():
        exec(source, {})
        text = capsys.readouterr().out.replace("0.4917", "0.4919")
        cell = new_code_cell(source, execution_count=1, outputs=[new_output("stream", text=text)])
        nbformat.write(new_notebook(cells=[cell]), tmp_path / f"{name}.ipynb")
    with pytest.raises(Different) as caught:
        report(LAST_BITS, sorted(tmp_path.glob("*.ipynb")))
    assert "off.ipynb, code cell 0:\nprint(0.4917)\nstored: 0.4919\nfresh: 0.4917" in str(caught.value)
    assert "nine.ipynb, code cell 0" in str(caught.value) and "four.ipynb" not in str(caught.value)
