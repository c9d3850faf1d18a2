"""One browser and one JupyterLab for all the tests in this folder."""

import pytest
from lab import chromium, close, run_cell, running_browser, running_lab, watched
from nbformat.v4 import new_code_cell


@pytest.fixture(scope="session")
def browser():
    path = chromium()
    if path is None:
        pytest.skip("no Chromium here: install it (Debian: apt-get install chromium), or set CHROMIUM to its path")
    with running_browser(path) as running:
        yield running


@pytest.fixture(scope="session")
def lab(browser, tmp_path_factory):  # first the browser: without it, no server either
    with running_lab(tmp_path_factory.mktemp("lab")) as running:
        yield running


@pytest.fixture(scope="session")
def bench(lab, browser):
    """A page with one open notebook: a cell to run, and another one, to which JupyterLab must not wander off."""
    with watched(browser) as page:
        lab.open(page, lab.write("bench.ipynb", new_code_cell(), new_code_cell()))
        yield page
        close(page)


@pytest.fixture
def show(bench):
    """Return a function that runs a source in the notebook's cell and returns the place of its output."""
    bench.mouse.move(0, 0)
    yield lambda source: run_cell(bench, source)
    bench.watch.check()
