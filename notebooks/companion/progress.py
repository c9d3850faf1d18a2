"""A bar that shows how far a long loop has come."""

import ipywidgets
from IPython.display import display


def progress(iterable, title):
    """Yield the items one by one, and show a bar with this title, which vanishes when the loop is done or left.

    A stored notebook keeps nothing of it but an empty text: it is not in a run's numbers, on any machine.
    """
    items = list(iterable)
    part = max(len(items) // 100, 1)  # each move of the bar is a message, which takes as long as a small step
    bar = ipywidgets.IntProgress(0, max=len(items), description=title, style={"description_width": "initial"})
    display({**bar._repr_mimebundle_(), "text/plain": ""}, raw=True)  # its own text would name value and maximum
    try:
        for number, item in enumerate(items, 1):
            yield item
            if number % part == 0:
                bar.value = number
    finally:
        bar.close()
