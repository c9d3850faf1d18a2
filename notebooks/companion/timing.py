"""What a machine measures: a page that no stored notebook keeps, and how long ways to write attention took once."""

import html
import json
from math import nan
from pathlib import Path

import ipywidgets
import torch
from IPython.display import display

MEASURED = json.loads(Path(__file__).with_name("measured.json").read_text(encoding="utf-8"))
WAYS = {  # that notebook 16 compares: {its word: the name under which it was measured}
    "plain": "combined Q, K, V; matmul",
    "tiles": "`tiled_attention`",
    "PyTorch's own": "combined Q, K, V; SDPA",
}


def page(text, elsewhere):
    """Show a text in a page that a stored notebook does not keep; it says what stands there elsewhere."""
    shown = ipywidgets.HTML(f'<pre style="white-space:pre-wrap">{html.escape(text)}</pre>')
    display({**shown._repr_mimebundle_(), "text/plain": elsewhere}, raw=True)


def load_speeds(quantity, ways):
    """Return the lengths at which `tests/benchmark.py` measured these ways, and what it measured, (ways, lengths).

    quantity: "seconds" or "megabytes"; nan where a way did not fit into memory. Of a causal layer of 12 heads of 64,
    one sentence, in float32, on the machine that `MEASURED` names.
    """
    lengths = {column: tokens for column, (batch, tokens) in enumerate(MEASURED["sizes"]) if batch == 1}
    rows = [MEASURED["ways"][way][quantity] for way in ways]
    return [*lengths.values()], torch.tensor([[nan if row[i] is None else row[i] for i in lengths] for row in rows])
