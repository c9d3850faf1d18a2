"""A browser, and a throw-away JupyterLab, to see the course as a reader sees it."""

import json
import os
import secrets
import shutil
import subprocess
import sys
import time
from contextlib import contextmanager, suppress
from pathlib import Path
from typing import NamedTuple

import nbformat
from axe_playwright_python.sync_playwright import Axe
from jupyter_server.serverapp import list_running_servers
from playwright.sync_api import expect

from reading import NOTEBOOKS
from store import METADATA

DESKTOP = {"width": 1300, "height": 1000}
PHONE = {"has_touch": True, "viewport": {"width": 390, "height": 800}}
PATIENCE = 60_000  # milliseconds: a busy machine is slow, and no failure
expect.set_options(timeout=PATIENCE)
SETTINGS = {
    "apputils-extension/notification": {"fetchNews": "false", "checkForUpdates": False},
    "notebook-extension/tracker": {"windowingMode": "none"},  # else cells out of sight are not in the page
    "docmanager-extension/plugin": {"autosave": False},
}
# Settings and workspaces; the signatures of trusted notebooks; what runs; the history of kernels.
FOLDERS = "JUPYTER_CONFIG_DIR", "JUPYTER_DATA_DIR", "JUPYTER_RUNTIME_DIR", "IPYTHONDIR"
# Not the toolbar's dot, which says idle before there is a kernel.
READY = """name => {
  const open = window.jupyterapp?.shell.currentWidget, context = open?.sessionContext;
  const kernel = context?.session?.kernel;
  return Boolean(open?.context?.path === name && open.context.isReady && open.isVisible && context?.isReady
    && kernel?.connectionStatus === "connected" && kernel?.status === "idle");
}"""
OPEN = "async path => { await window.jupyterapp.commands.execute('docmanager:open', {path}); }"
CLOSE = """async ending => {
  const open = window.jupyterapp.shell.currentWidget;
  if (ending) await open.sessionContext.shutdown();
  open.dispose();
}"""
COMMAND = """name => Promise.race([window.jupyterapp.commands.execute(name),
  new Promise((_, refuse) => setTimeout(() => refuse(new Error(name + " never finished")), 120000))])"""
CURRENT = ".jp-NotebookPanel:not(.lm-mod-hidden)"  # the notebook in front, of all that are open
SET_SOURCE = "source => window.jupyterapp.shell.currentWidget.content.activeCell.model.sharedModel.setSource(source)"
STATE = """() => {
  const notebook = window.jupyterapp.shell.currentWidget.content;
  return [notebook.mode, notebook.activeCellIndex, notebook.widgets.length];
}"""
CODE_CELLS = """() => window.jupyterapp.shell.currentWidget.content.widgets.map(cell => cell.model)
  .filter(cell => cell.type === "code").map(cell => ({trusted: cell.trusted, outputs: cell.outputs.toJSON()}))"""


class Watch(list):
    """What went wrong on a page, in words: its errors, and what it asked of addresses outside this machine."""

    def check(self):
        """Raise what was seen since the last check."""
        seen, self[:] = "\n".join(self), []
        assert not seen, seen


@contextmanager
def watched(browser, **options):
    """Open a page; at the end, raise its errors and its requests to addresses outside this machine."""
    context = browser.new_context(**{"viewport": DESKTOP, **options})
    page, page_watch = context.new_page(), Watch()

    def note(request):  # also of what the browser then refuses
        if not request.url.startswith(("http://127.0.0.1:", "ws://127.0.0.1:", "data:", "blob:", "file:", "about:")):
            page_watch.append(f"asked for {request.url}")

    page.set_default_timeout(PATIENCE)
    page.on("pageerror", lambda error: page_watch.append(f"error: {error}"))
    page.on("websocket", note)
    context.on("request", note)
    page.watch = page_watch
    try:
        yield page
        page_watch.check()
    finally:
        context.close()


class Lab(NamedTuple):
    url: str
    token: str
    folder: Path  # of the notebooks that it serves

    def write(self, name, *cells):
        """Put a notebook of cells into the folder, and return its name."""
        nbformat.write(nbformat.v4.new_notebook(metadata=METADATA, cells=cells), self.folder / name)
        return name

    def open(self, page, name):
        """Open a notebook, or bring it to the front, and wait for its kernel; on a fresh page load JupyterLab first."""
        if page.url.startswith(self.url):
            page.evaluate(OPEN, name)
        else:
            page.goto(f"{self.url}lab/workspaces/{secrets.token_hex(4)}/tree/{name}?reset&token={self.token}")
        page.wait_for_function(READY, arg=name)


@contextmanager
def running_lab(home):
    """Start a JupyterLab of our own in a folder, on a copy of the course: nothing in the checkout is written."""
    folder = home / "notebooks"
    folder.mkdir()
    for path in NOTEBOOKS:
        shutil.copy(path, folder)
    for name, values in SETTINGS.items():
        path = home / "JUPYTER_CONFIG_DIR/lab/user-settings/@jupyterlab" / f"{name}.jupyterlab-settings"
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_text(json.dumps(values), encoding="utf-8")
    command = [sys.executable, "-m", "jupyterlab", "--no-browser", "--allow-root", "--ip=127.0.0.1", "--port=0"]
    command += ["--ServerApp.terminals_enabled=False", f"--ServerApp.root_dir={folder}"]
    command += ["--LabApp.expose_app_in_browser=True"]
    environment = os.environ | {name: str(home / name) for name in FOLDERS}
    with open(home / "log", "wb") as log:
        process = subprocess.Popen(command, env=environment, stdin=subprocess.DEVNULL, stdout=log, stderr=log)
    try:
        server = _wait_for_server(process, home)
        yield Lab(server["url"], server["token"], folder)
    finally:
        process.terminate()  # it ends its kernels, too
        try:
            process.wait(20)
        except subprocess.TimeoutExpired:
            process.kill()


def _wait_for_server(process, home):
    """Return what JupyterLab writes of itself as soon as it listens, with its url and its token."""
    end = time.monotonic() + PATIENCE / 1000
    while process.poll() is None and time.monotonic() < end:
        with suppress(ValueError):  # while it is being written
            for server in list_running_servers(home / "JUPYTER_RUNTIME_DIR"):
                return server
        time.sleep(0.25)
    raise RuntimeError(f"JupyterLab did not start:\n{(home / 'log').read_text(errors='replace')}")


def execute(page, name):
    """Run one of JupyterLab's commands to its end."""
    return page.evaluate(COMMAND, name)


def close(page, ending=True):
    """Close the notebook in front unsaved and, unless told otherwise, end its kernel: ten would need gigabytes."""
    page.evaluate(CLOSE, ending)


def run_cell(page, source):
    """Run a source in the first cell of the notebook in front, and return the place of its output."""
    page.evaluate(SET_SOURCE, source)
    execute(page, "notebook:run-cell")
    failures = [output for output in code_cells(page)[0]["outputs"] if output["output_type"] == "error"]
    assert not failures, "\n".join(failures[0]["traceback"])
    return page.locator(f"{CURRENT} .jp-OutputArea").first


def code_cells(page):
    """Return whether each code cell of the notebook in front is trusted, and its outputs as they would be stored."""
    return page.evaluate(CODE_CELLS)


def spoken(page):
    """Return whether a screen reader says what the sentence of a page's picture becomes: "polite", or "off"."""
    return page.locator(".attn-sentence").evaluate("one => one.ariaLive")


def sentence(page):
    return page.locator(".attn-sentence").inner_text()


def place_on(slider, share):
    """Return where on the page a slider's handle stands at a share of its way, (x, y)."""
    box = slider.bounding_box()
    return box["x"] + 8 + share * (box["width"] - 16), box["y"] + box["height"] / 2


def drag_by_mouse(page, start, *goals):
    """Press the mouse at a place of the page, (x, y), and move it to others; it is not let go."""
    page.mouse.move(*start)
    page.mouse.down()
    for goal in goals:
        page.mouse.move(*goal, steps=3)


def drag_by_finger(page, start, goal):
    """Put a finger down at a place of the page, (x, y), draw it to another one and lift it."""
    finger = page.context.new_cdp_session(page)
    places = [[one + share * (other - one) for one, other in zip(start, goal)] for share in (0, 0.5, 1)]
    for kind, place in zip(("touchStart", "touchMove", "touchMove"), places):
        point = dict(zip("xy", place))
        finger.send("Input.dispatchTouchEvent", {"type": kind, "touchPoints": [point]})
        page.evaluate("new Promise(requestAnimationFrame)")  # a hand is slower than the events of one frame
    finger.send("Input.dispatchTouchEvent", {"type": "touchEnd", "touchPoints": []})
    finger.detach()


def rows(table):
    """Return the texts of a table, row by row."""
    return table.evaluate("table => [...table.rows].map(row => [...row.cells].map(cell => cell.textContent))")


def faults(page, selector, known=()):
    """Return what axe-core finds wrong inside the elements that a selector names, in words.

    known: pairs of a rule and a part of the markup, whose faults are left out.
    """
    assert page.locator(selector).count(), f"nothing here is {selector}"
    # What fades in, an opened fold of a page for one, is pale until it stands.
    fading = "document.getAnimations().filter(each => each.timeline === document.timeline).map(each => each.finished)"
    page.evaluate(f"Promise.allSettled({fading})")
    violations = Axe().run(page, selector).response["violations"]
    places = [(fault["id"], node["html"], node["failureSummary"]) for fault in violations for node in fault["nodes"]]
    return [place for place in places if not any(place[0] == rule and part in place[1] for rule, part in known)]
