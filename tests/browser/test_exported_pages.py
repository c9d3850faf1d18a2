"""The course as exported pages, opened from files: they ask for nothing, read without scripts, and are small."""

import json
import re
import subprocess
import sys

import pytest
from lab import rows, watched

from reading import COURSE, NOTEBOOKS

README = (COURSE / "README.md").read_text(encoding="utf-8")
# Its empty addresses keep each page from asking a server for MathJax and RequireJS, of which the course needs neither.
EXPORT = re.search(r"bin/jupyter (nbconvert .*) --output-dir pages notebooks/\*\.ipynb\n", README)[1].split()
VIEW_BYTES, EXPLORE_BYTES = 25_000, 10_000

every_notebook = pytest.mark.parametrize("path", NOTEBOOKS, ids=lambda path: path.stem)


@pytest.fixture(scope="session")
def exported(browser, tmp_path_factory):
    """The folder of the course's exported pages."""
    folder = tmp_path_factory.mktemp("exported")
    command = [sys.executable, "-m", *EXPORT, f"--output-dir={folder}", *map(str, NOTEBOOKS)]
    subprocess.run(command, check=True, capture_output=True)
    return folder


@every_notebook
def test_an_exported_page_asks_for_nothing_and_its_pictures_are_alive(path, exported, browser):
    with watched(browser) as page:
        page.goto((exported / f"{path.stem}.html").as_uri())
        for picture in page.locator(".attention-view").all():
            table = picture.locator("table").first
            before = rows(table)
            picture.locator("[name=temperature]").press("End")
            assert rows(table) != before
            picture.locator("tbody button").last.focus()
            assert picture.locator("tr.attn-followed").count() == 1
        assert page.locator(".attention-view").count() == page.locator("form.attn-controls").count()
        assert page.evaluate("performance.getEntriesByType('resource').length") == 0


@every_notebook
def test_an_exported_page_reads_without_scripts(path, exported, browser):
    pages = []
    for script in (True, False):
        with watched(browser, java_script_enabled=script) as page:
            page.goto((exported / f"{path.stem}.html").as_uri())
            cells = ":is(.attention-view, .attention-sheet) :is(td, th)"
            pages.append([page.locator(cells).all_text_contents(), page.locator(".attn-sentence").all_text_contents()])
            assert page.locator(".attention-view:has(form)").count() == script * page.locator(".attention-view").count()
    assert pages[0] == pages[1]


@every_notebook
def test_a_live_picture_adds_few_bytes_to_its_notebook(path):
    cells = json.loads(path.read_text(encoding="utf-8"))["cells"]  # as stored: nbformat would join the lines
    for output in (output for cell in cells for output in cell.get("outputs", [])):
        kind = re.match(r"(view: |explore\()?", "".join(output.get("data", {}).get("text/plain", "")))[1]
        if kind:
            size = len(json.dumps(output, ensure_ascii=False, indent=1).encode())
            assert size < (VIEW_BYTES if kind == "view: " else EXPLORE_BYTES)
