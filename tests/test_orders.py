"""The stored numbers hold where sums are taken in another order, as other processors do."""

import sys

import nbformat
import pytest

from orders import LAST_BITS, ORDERS, report
from outputs import Different

pytestmark = [pytest.mark.slow, pytest.mark.skipif(sys.platform != "linux", reason="forks a process with torch in it")]
PRODUCT = """import torch
torch.manual_seed(0)
product = torch.rand(9, 64) @ torch.rand(64, 9)
print(*(f"{number:.DECIMALSf}" for number in product.flatten().tolist()))"""


@pytest.mark.parametrize("order", ORDERS)
def test_every_notebook_gives_what_is_stored(order, record_property):
    record_property("measured", report(order).rstrip())


def one_cell(folder, source, text):
    output = nbformat.v4.new_output("stream", text=text)
    cell = nbformat.v4.new_code_cell(source, execution_count=1, outputs=[output])
    nbformat.write(nbformat.v4.new_notebook(cells=[cell]), folder / "one.ipynb")
    return [folder / "one.ipynb"]


def test_a_number_that_is_off_is_named_with_its_cell(tmp_path):
    with pytest.raises(Different, match=r"(?s)one.ipynb, code cell 0:\nprint\(0.4917\)\nstored: 0.4919\nfresh: 0.4917"):
        report(LAST_BITS, one_cell(tmp_path, "print(0.4917)", "0.4919\n"))


def test_last_bits_of_products_are_moved_and_digits_that_hang_on_them_do_not_pass(tmp_path, capsys):
    for decimals, holds in ((4, True), (9, False)):
        source = PRODUCT.replace("DECIMALS", str(decimals))
        exec(source, {})
        paths = one_cell(tmp_path, source, capsys.readouterr().out)
        if holds:
            assert "of 81 numbers differ" in report(LAST_BITS, paths)
        else:
            with pytest.raises(Different):
                report(LAST_BITS, paths)
