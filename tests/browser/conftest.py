"""One browser, one JupyterLab and few pages for all the tests here: to open one takes longer than most tests."""

import re
from contextlib import ExitStack

import pytest
from lab import DESKTOP, run_cell, running_lab, watched
from live_pictures import EXAMPLES, SAMPLE
from nbformat.v4 import new_code_cell

from browsing import chromium, running_browser


@pytest.fixture(scope="session")
def browser():
    path = chromium()
    if path is None:
        pytest.skip("no Chromium here: install it (Debian: apt-get install chromium), or set CHROMIUM to its path")
    with running_browser(path) as running:
        yield running


@pytest.fixture(scope="session")
def pages(browser):
    """Return a function that gives the page with these options, the same one each time."""
    with ExitStack() as stack:
        made = {}

        def page_with(**options):
            key = str(sorted(options.items()))
            if key not in made:
                made[key] = stack.enter_context(watched(browser, **options))
            return made[key]

        yield page_with


@pytest.fixture(scope="session")
def lab(browser, tmp_path_factory):  # first the browser: without it, no server either
    with running_lab(tmp_path_factory.mktemp("lab")) as running:
        yield running


@pytest.fixture(scope="session")
def desk(lab, browser):
    """The page on which JupyterLab is open, with a notebook to work in: a cell to run, and another one, to which
    JupyterLab must not wander off."""
    with watched(browser) as page:
        lab.open(page, lab.write("bench.ipynb", new_code_cell(), new_code_cell()))
        yield page


@pytest.fixture(scope="session")
def names(request):
    """The live pictures that are tried on one page."""
    return list(EXAMPLES) if request.config.getoption("--all") else SAMPLE


@pytest.fixture
def bench(lab, desk):
    """The same page with that notebook in front."""
    lab.open(desk, "bench.ipynb")
    desk.mouse.move(0, 0)
    yield desk
    desk.watch.check()


@pytest.fixture
def show(bench):
    """Return a function that runs a source in the notebook's cell and returns the place of its output."""
    return lambda source: run_cell(bench, source)


@pytest.fixture
def visit(pages):
    """Return a function that opens an address on the page with these options; at the end, none failed or asked
    outside."""
    used = []

    def open_page(address, **options):
        page = pages(**options)
        used.append(page)
        page.mouse.move(0, 0)
        page.set_viewport_size(options.get("viewport", DESKTOP))
        page.goto(address)
        return page

    yield open_page
    for page in used:
        page.watch.check()


@pytest.fixture
def on_page(visit, tmp_path):
    """Return a function that writes pictures to a file and opens it."""

    def open_page(*pictures, style="", stripped=False, **options):
        body = "".join(picture._repr_mimebundle_()["text/html"] for picture in pictures)
        if stripped:  # axe-core never ends where the browser itself refuses scripts
            body = re.sub(r"<(script|style)>.*?</\1>", "", body, flags=re.DOTALL)
        head = '<meta charset="utf-8"><meta name="viewport" content="width=device-width"><title>Attention</title>'
        page = f'<!DOCTYPE html><html lang="en">{head}<style>{style}</style><main>{body}</main></html>'
        (tmp_path / "page.html").write_text(page, encoding="utf-8")
        return visit((tmp_path / "page.html").as_uri(), **options)

    return open_page
