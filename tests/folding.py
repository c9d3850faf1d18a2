"""The stored answer to a prediction is folded, so that a reader can guess; a run shows it openly in its place.

All that the cell shows is put into one <details>: it stays folded in JupyterLab, trusted or not, on GitHub and on
exported pages, without a script. (JupyterLab's own way to hide an output shows its first line.) What a run gives is
kept beside it as metadata, pictures in the HTML alone. Live pictures stay open: they need their place on the page.
"""

import copy
import html
import re

from nbformat.v4 import new_output

PREDICTION = "> **Predict:**"
SUMMARY = "Your guess first. Then run the cell, or open this."
LIVE = re.compile(r'class="attention-live"|^explore\(')
PNG = "image/png"
MONOSPACE = "font-family:var(--jp-code-font-family,monospace)"  # inside HTML, JupyterLab gives a <pre> the page's font
IMAGE = re.compile(r'<img src="data:image/png;base64,([^"]+)"')


def fold(notebook):
    """Fold the outputs of each code cell that stands directly behind a prediction."""
    for before, cell in zip(notebook.cells, notebook.cells[1:]):
        if cell.cell_type == "code" and PREDICTION in before.source:
            cell.outputs = folded(cell.outputs)


def unfold(cell):
    """Give a code cell the outputs of a run."""
    cell.outputs = unfolded(cell.outputs)


def folded(outputs):
    """Return the one output that holds them all, or the outputs as they are if there is nothing to fold."""
    if not outputs or any(LIVE.search(part) for output in outputs for part in output.get("data", {}).values()):
        return outputs
    parts = "\n".join(filter(None, map(_part, outputs)))
    originals = copy.deepcopy(outputs)
    for output in originals:
        output.get("data", {}).pop(PNG, None)
    page = f"<details><summary>{SUMMARY}</summary>\n{parts}\n</details>"
    # Where HTML is not shown, as in a terminal or a PDF, the answer stands openly.
    plain = "\n".join(filter(None, (_plain(output).strip("\n") for output in outputs)))
    return [new_output("display_data", {"text/html": page, "text/plain": plain}, metadata={"folded": originals})]


def unfolded(outputs):
    """Return the outputs of a run: the way back from `folded`."""
    if not (outputs and "folded" in outputs[0].get("metadata", {})):
        return outputs
    pictures = IMAGE.finditer(outputs[0].data["text/html"])
    fresh = copy.deepcopy(outputs[0].metadata.folded)
    for output in fresh:
        if PNG in output.get("metadata", {}):
            output.data[PNG] = next(pictures)[1]
    return fresh


def _part(output):
    data = output.get("data", {})
    if PNG in data:
        about = output.metadata[PNG]
        alt = html.escape(about["alt"])
        return f'<img src="data:image/png;base64,{data[PNG].strip()}" alt="{alt}" width="{about["width"]}">'
    if "text/html" in data:
        return data["text/html"]
    text = _plain(output)
    return text and f'<pre style="{MONOSPACE}">{html.escape(text, quote=False)}</pre>'  # progress leaves none


def _plain(output):
    return output.text if "text" in output else output.data["text/plain"]
