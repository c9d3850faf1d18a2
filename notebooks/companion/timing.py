"""How long something takes: here and now, which no stored notebook keeps, and as it was measured once."""

import html
import io
import json
import time
from contextlib import redirect_stdout
from math import nan
from pathlib import Path
from statistics import median

import ipywidgets
import torch
from IPython.display import display

from utils.printing import show

MEASURED = json.loads(Path(__file__).with_name("measured.json").read_text(encoding="utf-8"))
WAYS = {  # that notebook 16 compares: {its word: the name under which it was measured}
    "plain": "combined Q, K, V; matmul",
    "tiles": "`tiled_attention`",
    "PyTorch's own": "combined Q, K, V; SDPA",
}
ELSEWHERE = "(numbers of your machine: run the cell)"


def seconds(way, rounds=5):
    """Return the median time of a function's calls, in seconds; a first call, to warm up, does not count."""
    way()
    times = []
    for _ in range(rounds):
        start = time.perf_counter()
        way()
        times.append(time.perf_counter() - start)
    return median(times)


def here(name, tensor, decimals=1, **labels):
    """Show a vector or a matrix as `show` does, but in a page that a stored notebook does not keep."""
    text = io.StringIO()
    with redirect_stdout(text):
        show(name, tensor, decimals=decimals, **labels)
    page(text.getvalue(), ELSEWHERE)


def page(text, elsewhere):
    """Show a text in a page that a stored notebook does not keep; it says what stands there elsewhere."""
    shown = ipywidgets.HTML(f'<pre style="white-space:pre-wrap">{html.escape(text)}</pre>')
    display({**shown._repr_mimebundle_(), "text/plain": elsewhere}, raw=True)


def stored(quantity, ways):
    """Return the lengths at which `tests/benchmark.py` measured these ways, and what it measured, (ways, lengths).

    quantity: "seconds" or "megabytes"; nan where a way did not fit into memory. Of a causal layer of 12 heads of 64,
    one sentence, in float32, on the machine that `MEASURED` names.
    """
    lengths = {column: tokens for column, (batch, tokens) in enumerate(MEASURED["sizes"]) if batch == 1}
    rows = [MEASURED["ways"][way][quantity] for way in ways]
    return [*lengths.values()], torch.tensor([[nan if row[i] is None else row[i] for i in lengths] for row in rows])
