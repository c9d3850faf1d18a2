"""The course as exported pages, opened from files: they ask for nothing, read without scripts, and are small."""

import json
import re
import subprocess
import sys

import pytest
from lab import rows

from reading import COURSE, NOTEBOOKS

README = (COURSE / "README.md").read_text(encoding="utf-8")
# Its empty addresses keep each page from asking a server for MathJax and RequireJS, of which the course needs neither.
EXPORT = re.search(r"bin/jupyter (nbconvert .*) --output-dir pages notebooks/\*\.ipynb\n", README)[1].split()
VIEW_BYTES, EXPLORE_BYTES = 25_000, 10_000

every_notebook = pytest.mark.parametrize("path", NOTEBOOKS, ids=lambda path: path.stem)


@pytest.fixture(scope="session")
def exported(pages, tmp_path_factory):  # first the browser: without it, no export either
    """The folder of the course's exported pages."""
    folder = tmp_path_factory.mktemp("exported")
    command = [sys.executable, "-m", *EXPORT, f"--output-dir={folder}", *map(str, NOTEBOOKS)]
    subprocess.run(command, check=True, capture_output=True)
    return folder


def written(page):
    """What stands in the tables and sentences of a page's pictures."""
    return page.locator(":is(.attention-view, .attention-sheet) :is(td, th), .attn-sentence").all_text_contents()


@every_notebook
def test_an_exported_page_asks_for_nothing_its_pictures_are_alive_and_it_reads_without_scripts(path, exported, pages):
    address = (exported / f"{path.stem}.html").as_uri()
    plain, page = pages(java_script_enabled=False), pages()
    for each in (plain, page):
        each.mouse.move(0, 0)
        each.goto(address)
    assert plain.locator("form.attn-controls").count() == 0
    assert written(plain) == written(page)
    pictures = page.locator(".attention-view").all()
    assert len(pictures) == page.locator(".attention-view form.attn-controls").count()
    for picture in pictures:
        table = picture.locator("table").first
        before = rows(table)
        picture.locator("[name=temperature]").press("End")
        assert rows(table) != before
        picture.locator("tbody button").last.focus()
        assert picture.locator("tr.attn-followed").count() == 1
    assert page.evaluate("performance.getEntriesByType('resource').length") == 0
    plain.watch.check()
    page.watch.check()


@every_notebook
def test_a_live_picture_adds_few_bytes_to_its_notebook(path):
    cells = json.loads(path.read_text(encoding="utf-8"))["cells"]  # as stored: nbformat would join the lines
    for output in (output for cell in cells for output in cell.get("outputs", [])):
        kind = re.match(r"(view: |explore\()?", "".join(output.get("data", {}).get("text/plain", "")))[1]
        if kind:
            size = len(json.dumps(output, ensure_ascii=False, indent=1).encode())
            assert size < (VIEW_BYTES if kind == "view: " else EXPLORE_BYTES)
