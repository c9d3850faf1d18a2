"""Execute notebooks and store their outputs; an output that is the same as the stored one (`compare_outputs.py`) stays.

What answers a prediction is stored folded (`folding.py`), and a live picture with a photograph of how it opens
(`photographs.py`).

On one machine each run gives the same bytes; on another, a last digit that differs changes nothing in the file.

python tests/store.py                    all notebooks, and the pages of the handbook
python tests/store.py notebooks/05*      some of them
"""

import argparse
import os
from pathlib import Path

import nbformat
from nbclient import NotebookClient

import compare_outputs
from folding import fold
from photographs import add_photographs
from reading import HANDBOOK, NOTEBOOKS, code_cells, read, why_not_compared

METADATA = {
    "kernelspec": {"display_name": "Python 3 (ipykernel)", "language": "python", "name": "python3"},
    "language_info": {"name": "python", "file_extension": ".py"},  # without it, an exported script is a .txt
}
KEPT = {"tags"}  # of a cell's metadata
# Live widgets carry random ids. Their stored twin, an HTML table or a picture, stays.
WIDGET_VIEW = "application/vnd.jupyter.widget-view+json"


def executed(path):
    """Return the notebook's text as it would be stored after a run from a clean kernel."""
    stored, notebook = read(path), run(read(path), path.parent)
    for cell, before in zip(code_cells(notebook), code_cells(stored)):
        if compare_outputs.same(before.outputs, cell.outputs):
            cell.outputs = before.outputs
        else:
            add_photographs(cell.outputs)
    return text(notebook)


def run(notebook, folder, start="", **settings):
    """Execute a notebook in a clean kernel, and return it tidied.

    start: a line that the kernel runs first; settings: for its environment.
    """
    client = NotebookClient(
        notebook,
        timeout=900,
        kernel_name="python3",
        resources={"metadata": {"path": str(folder)}},
        coalesce_streams=True,
        extra_arguments=["--log-level=ERROR", f"--IPKernelApp.exec_lines={start}"],  # no note on unencrypted sockets
    )
    client.execute(env=os.environ | {"COURSE_MINE": ""} | settings)  # what somebody keeps in mine.py changes no output
    _tidy(notebook)
    return notebook


def text(notebook):
    """Return the text of a notebook as it is stored."""
    _tidy(notebook)
    fold(notebook)
    nbformat.validate(notebook)
    return nbformat.writes(notebook) + "\n"


def _tidy(notebook):
    """Remove times, an editor's settings and widgets: only what is kept stays."""
    notebook.metadata = nbformat.from_dict(METADATA)
    for cell in notebook.cells:
        cell.metadata = nbformat.from_dict({key: value for key, value in cell.metadata.items() if key in KEPT})
        for output in cell.get("outputs", []):
            output.get("data", {}).pop(WIDGET_VIEW, None)


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("notebooks", nargs="*", type=Path)
    paths = parser.parse_args().notebooks or NOTEBOOKS + HANDBOOK
    if missing := next((path for path in paths if not path.is_file()), None):
        parser.error(f"there is no notebook {missing}")
    for path in paths:
        if reason := why_not_compared(path):
            print(f"left     {reason}", flush=True)
            continue
        fresh, before = executed(path), path.read_text(encoding="utf-8")
        path.write_text(fresh, encoding="utf-8", newline="\n")
        print(f"{'same' if fresh == before else 'changed':8} {path.name}", flush=True)


if __name__ == "__main__":
    main()
