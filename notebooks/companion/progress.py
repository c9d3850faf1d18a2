"""A bar that shows how far a long loop has come."""

import ipywidgets
from IPython.display import display


def progress(iterable, title):
    """Yield the items one by one, and show a bar with this title, which vanishes when the loop is done or left.

    A stored notebook keeps nothing of it but an empty text: it is not in a run's numbers, on any machine.
    """
    items = list(iterable)
    bar = ipywidgets.IntProgress(0, max=len(items), description=title, style={"description_width": "initial"})
    display({**bar._repr_mimebundle_(), "text/plain": ""}, raw=True)  # its own text would name value and maximum
    try:
        for item in items:
            yield item
            bar.value += 1
    finally:
        bar.close()
