"""Keep what the cells of notebooks 18 and 19 say on this machine: a stored notebook leaves it out, a page shows it.

python website/machine_texts.py
"""

import json
from pathlib import Path

import nbformat
from nbclient import NotebookClient

STORED = Path(__file__).with_name("machine_texts.json")
NOTEBOOKS = Path(__file__).parent.parent / "notebooks"
NAMES = ["18_a_model_that_writes", "19_a_language_model"]
# Run by the kernel first: what is shown in a widget, which no file keeps, is shown as HTML instead.
START = (
    "import ipywidgets; ipywidgets.HTML = type('HTML', (), {"
    "'__init__': lambda self, page: setattr(self, 'page', page), "
    "'_repr_mimebundle_': lambda self: {'text/html': self.page}})"
)


def texts_of(name):
    """Return what a notebook says on this machine alone, in order, as HTML."""
    notebook = nbformat.read(NOTEBOOKS / f"{name}.ipynb", as_version=4)
    options = {"extra_arguments": [f"--IPKernelApp.exec_lines={START}"], "timeout": 900, "kernel_name": "python3"}
    NotebookClient(notebook, resources={"metadata": {"path": str(NOTEBOOKS)}}, **options).execute()
    data = [output.get("data", {}) for cell in notebook.cells for output in cell.get("outputs", [])]
    pages = [page["text/html"] for page in data if page.get("text/plain", "").endswith(": run the cell)")]
    return [page.replace("max-width:46em", "max-width:100%") for page in pages]


if __name__ == "__main__":
    kept = {name: texts_of(name) for name in NAMES}
    STORED.write_text(json.dumps(kept, ensure_ascii=False, indent=0) + "\n", encoding="utf-8", newline="\n")
