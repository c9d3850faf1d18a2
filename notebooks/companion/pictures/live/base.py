"""What every live picture shares: its place on the page, its colors, its data and its scripts.

An output holds everything: its twin, a table and a sentence, which say the same where scripts are stripped, the data as
JSON, and the scripts, which the first picture of a page starts for all. Storing a notebook adds a photograph of how the
picture opens, above the table (`tests/photographs.py`). The picture is an HTML element of its own, <attn-NAME>: a
script needs no ids and finds one that comes late or moves.
"""

import functools
import html
import json
import math
import re
from pathlib import Path

import torch

from companion.pictures.palette import EDGE, INK, MASKED, MUTED, ROLES, WEIGHT_COLORS, WEIGHT_STOPS, black_ink
from companion.pictures.table import FILL_SHEET, SHEET, hint, label

FOLDER = Path(__file__).parent
COLORS = {"ink": INK, "muted": MUTED, "edge": EDGE, "masked": MASKED} | {
    f"{name}{kind}": color for name, role in ROLES.items() for kind, color in (("", role.fill), ("-ink", role.ink))
}
WEIGHT_LOOK = {"stops": WEIGHT_STOPS, "blackInk": black_ink(WEIGHT_COLORS)}  # in the data of what paints weights
CALL = "Run the cell to move this picture."


class Live:
    """A live picture; a cell that ends with it shows it.

    name: of the element, and of its files NAME.js and NAME.css, or their path without an ending, if they do not lie
    beside the base; data: what its script draws; table: the same in numbers, as HTML; says: what it says, or returns
    it, each token by the function that it gets; title: its name; shared: names or paths of more files that it needs.
    """

    def __init__(self, name, data, table, says, title, shared=()):
        self.name, self.data, self.table, self.title = Path(name).name, data, table, title
        self.files = [FOLDER / each for each in ("base", *shared, name)]
        self.text, self.sentence = (says, says) if isinstance(says, str) else (says(str), says(label))

    def _repr_mimebundle_(self, **options):
        return {"text/plain": f"{self.name}: {self.text}", "text/html": self._page()}

    def _page(self):
        data = html.escape(json.dumps(self.data, ensure_ascii=False, separators=(",", ":")))
        title, colors = html.escape(self.title), ";".join(f"--{name}:{color}" for name, color in COLORS.items())
        return (
            f'<div class="attention-live" role="group" aria-label="{title}" '
            f'style="{SHEET};{colors}">'
            f'<attn-{self.name} data-picture="{data}"><p style="margin:0;font-weight:600">{title}</p>'
            f'{hint(CALL)}<div class="attn-body">'
            f"<details><summary>The same as a table</summary>{self.table}</details></div>"
            f'<p class="attn-sentence" aria-live="polite" style="margin:0.6em 0 0;{FILL_SHEET}">{self.sentence}</p>'
            f"</attn-{self.name}>"
            f"<style>{self._sources('css')}</style><script>{self._sources('js')}</script></div>"
        )

    def _sources(self, kind):
        return "".join(stripped_source(path) for file in self.files if (path := file.with_suffix(f".{kind}")).exists())


def doubles(*arrays):
    """Return each as a tensor in double precision that no gradient flows through."""
    return [torch.as_tensor(array, dtype=torch.float64).detach() for array in arrays]


def six_digits(numbers):
    """Return nested lists of numbers with six digits: the seventh of a sum in float32 is the processor's own.

    None stands for infinity, for which JSON has no number.
    """
    if isinstance(numbers, list):
        return [six_digits(each) for each in numbers]
    if not math.isfinite(numbers):
        return None
    return round(float(f"{numbers:.6g}"), 6) + 0.0  # no -0.0


@functools.cache
def stripped_source(path):
    """Return a script or a style without what no browser needs: indentation, comments, a style's spaces."""
    lines = (re.sub("(^| )// .*", "", line.strip()) for line in path.read_text(encoding="utf-8").splitlines())
    kept = [line for line in lines if line]
    if path.suffix == ".js":
        return re.sub(r",?\n(?=[})\]])|(?<=[{(\[,;])\n", "", "\n".join(kept)).replace(" => ", "=>")
    return re.sub(r"(?<=[:;,]) |;? ?([{}]) ?", r"\1", "".join(kept))
