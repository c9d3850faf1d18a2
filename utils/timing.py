"""How long something takes on this machine: numbers that no stored notebook keeps."""

import html
import io
import time
from contextlib import redirect_stdout
from statistics import median

import ipywidgets
from IPython.display import display

from utils.printing import show

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


def here(name, tensor, **labels):
    """Show a vector or a matrix as `show` does, but in a page that a stored notebook does not keep."""
    text = io.StringIO()
    with redirect_stdout(text):
        show(name, tensor, **labels)
    page = ipywidgets.HTML(f"<pre>{html.escape(text.getvalue())}</pre>")
    display({**page._repr_mimebundle_(), "text/plain": ELSEWHERE}, raw=True)
