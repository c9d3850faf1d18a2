"""How long ways to write attention took: a run's own times, and of one other run in a stored notebook."""

import base64
import html

import ipywidgets
from IPython.display import display

from companion.pictures.charts import bars
from companion.pictures.palette import ROLES

STORED = {"plain": 100, "tiles of 64": 180, "tiles of 256": 60, "PyTorch's own": 10}, 4
WHEN = " One run, on 29 November 2026, on one busy core of an Intel Xeon (run the cell for yours)."


def raced(percents, times):
    """Show these times as bars in a page that a stored notebook does not keep; it shows `STORED`.

    percents: {way: its time, in % of the first}; times: as long does writing 300 tokens take without a cache.
    """
    own, stored = _drawn(percents, times), _drawn(*STORED, WHEN)
    for (mine, look), (data, about) in zip(own.parts(), stored.parts()):
        page = mine.get("text/html")
        if image := mine.get("image/png"):
            code, alt, wide = base64.b64encode(image).decode(), html.escape(own.description), look["image/png"]["width"]
            page = f'<img width="{wide}" style="max-width:100%" src="data:image/png;base64,{code}" alt="{alt}">'
        display({**ipywidgets.HTML(page)._repr_mimebundle_(), **data}, metadata=about, raw=True)


def _drawn(percents, times, when=""):
    first, *others = percents
    yours = {name: ROLES["weight"].fill for name in others if name.startswith("tiles")}
    caption = f"300 new tokens take {times:.0f} times as long without a cache as with one.{when}"
    name = f"% of {first} attention's time; yours are blue"
    return bars(percents, name, yours, {first: percents[first]}, caption)
