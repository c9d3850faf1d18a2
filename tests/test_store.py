"""The stored notebooks are what a fresh run gives, their solutions pass their checks, and the comparison is strict."""

import base64
import io
import json
import os
import subprocess
import sys

import nbformat
import pytest
from nbclient import NotebookClient
from PIL import Image, ImageChops, ImageStat

from reading import COURSE, NOTEBOOKS, is_stub, read, solutions, solved
from store import executed

# Linux hands the peak of the process that starts a kernel on to it, but not the kernel's own "VmHWM", in kilobytes.
PEAK = """import re, resource, sys
from pathlib import Path
if sys.platform == "linux":
    print(re.search(r"VmHWM:\\s+(\\d+)", Path("/proc/self/status").read_text())[1])
else:
    print(resource.getrusage(resource.RUSAGE_SELF).ru_maxrss)"""


def name(path):
    return path.stem


@pytest.mark.parametrize("path", NOTEBOOKS, ids=name)
def test_a_fresh_run_gives_the_stored_file(path):
    pictures, stored_pictures = [], []
    fresh = without_pictures(json.loads(executed(path)), pictures)
    assert fresh == without_pictures(json.loads(path.read_text(encoding="utf-8")), stored_pictures)
    for picture, stored in zip(pictures, stored_pictures, strict=True):
        # Letters may be drawn a shade lighter on another system; anything that moved is far above this.
        assert picture.size == stored.size
        assert max(ImageStat.Stat(ImageChops.difference(picture, stored)).mean) < 1


@pytest.mark.parametrize("path", [path for path in NOTEBOOKS if solutions(read(path))], ids=name)
def test_with_its_solutions_it_prints_success_in_under_700_megabytes(path):
    notebook = read(path)
    checks = [place + 1 for place, cell in enumerate(notebook.cells) if cell.cell_type == "code" and is_stub(cell)]
    notebook = solved(notebook)
    notebook.cells.append(nbformat.v4.new_code_cell(PEAK))
    resources = {"metadata": {"path": str(path.parent)}}
    NotebookClient(notebook, timeout=60, kernel_name="python3", resources=resources).execute()
    for place in checks:
        assert notebook.cells[place].outputs[0].text.startswith("correct: ")
    peak = int(notebook.cells[-1].outputs[0].text)  # kilobytes, on macOS bytes
    assert peak / (1024**2 if sys.platform == "darwin" else 1024) < 700


def test_one_changed_digit_in_a_stored_output_turns_the_run_red(tmp_path):
    outputs = {
        "printed": nbformat.v4.new_output("stream", text="0.4917\n"),
        "returned": nbformat.v4.new_output("execute_result", {"text/plain": "0.4917"}, execution_count=1),
        "table": nbformat.v4.new_output("display_data", {"text/html": "<b>0.4917</b>", "text/plain": "table"}),
    }
    sources = {
        "printed": "print(0.4917)",
        "returned": "0.4917",
        "table": "from IPython.display import display\n"
        "display({'text/html': '<b>0.4917</b>', 'text/plain': 'table'}, raw=True)",
    }
    for kind, output in outputs.items():
        text = nbformat.writes(one_cell(sources[kind], output))
        (tmp_path / f"true_{kind}.ipynb").write_text(text, encoding="utf-8")
        changed = (
            "0.4918".join(text.rsplit("0.4917", 1))
            if kind != "table"
            else text.replace('<b>0.4917</b>"', '<b>0.4918</b>"')
        )
        (tmp_path / f"false_{kind}.ipynb").write_text(changed, encoding="utf-8")
    report = run_pytest(tmp_path)
    assert "3 failed, 3 passed" in report
    assert all(f"FAILED false_{kind}.ipynb" in report for kind in outputs), report


def test_a_kernel_that_dies_and_a_cell_that_never_ends_turn_the_run_red(tmp_path):
    for kind, source in (("dies", "import os\nos._exit(1)"), ("hangs", "while True:\n    pass")):
        notebook = one_cell(source, None)
        notebook.cells.append(nbformat.v4.new_code_cell("1", execution_count=2))
        nbformat.write(notebook, tmp_path / f"{kind}.ipynb")
    report = run_pytest(tmp_path, "--nbval-cell-timeout=5")
    assert "kernel died in an earlier cell" in report
    assert "Timeout of 5 seconds exceeded" in report
    assert "passed" not in report.splitlines()[-1].split("failed")[0]


def one_cell(source, output):
    outputs = [] if output is None else [output]
    return nbformat.v4.new_notebook(cells=[nbformat.v4.new_code_cell(source, execution_count=1, outputs=outputs)])


def run_pytest(folder, *options):
    """Run the course's own test settings over a folder of notebooks, and return the report."""
    command = [sys.executable, "-m", "pytest", "-c", str(COURSE / "pyproject.toml"), "--rootdir", str(folder)]
    command += ["-p", "conftest", "-p", "no:cacheprovider", *options, str(folder)]
    environment = os.environ | {"PYTHONPATH": str(COURSE / "tests")}
    return subprocess.run(command, cwd=folder, env=environment, capture_output=True, text=True, timeout=120).stdout


def without_pictures(notebook, pictures):
    for cell in notebook["cells"]:
        for output in cell.get("outputs", []):
            encoded = output.get("data", {}).pop("image/png", None)
            if encoded is not None:
                pictures.append(Image.open(io.BytesIO(base64.b64decode("".join(encoded)))).convert("RGB"))
    return notebook
