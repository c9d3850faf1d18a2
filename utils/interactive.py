"""Pictures that react: sliders that call the reader's own function and redraw its weights."""

import html

import ipywidgets

from utils.style import WEIGHT_COLOURS, ink_on

CELL = (
    "padding:0.35em 0.55em;text-align:center;font-variant-numeric:tabular-nums;"
    "border:2px solid transparent;background-clip:padding-box"
)


def table(weights, queries, keys=None, title=""):
    """Return attention weights as a coloured HTML table, which needs no script and which a screen reader can read.

    weights: (queries, keys), each between 0 and 1; keys: labels, the queries' own if not given.
    Raises ValueError if the labels do not fit the weights.
    """
    keys = queries if keys is None else keys
    if tuple(weights.shape) != (len(queries), len(keys)):
        raise ValueError(
            f"the weights have shape {tuple(weights.shape)}; the labels need ({len(queries)}, {len(keys)})"
        )
    head = "".join(f'<th scope="col" style="text-align:center;font-weight:400">{html.escape(key)}</th>' for key in keys)
    body = "".join(_row(query, row) for query, row in zip(queries, weights.tolist()))
    caption = f'<caption style="text-align:left;font-weight:600;padding:0.2em 0">{html.escape(title)}</caption>'
    return (
        f'<table style="border-collapse:collapse;margin:0">{caption}'
        f"<thead><tr><td></td>{head}</tr></thead><tbody>{body}</tbody></table>"
    )


def explore(function, tokens, **sliders):
    """Show sliders that call `function` and draw the weights that it returns.

    function: takes the sliders' names as arguments, returns weights (tokens, tokens);
    sliders: name=(lowest, highest, step, start).
    An exception in the function is shown as a message, and the last good picture stays.
    The stored notebook keeps the picture of the start values.
    """
    controls = {
        name: ipywidgets.FloatSlider(start, min=lowest, max=highest, step=step, description=name)
        for name, (lowest, highest, step, start) in sliders.items()
    }
    picture, message = ipywidgets.HTML(), ipywidgets.HTML()
    name = getattr(function, "__name__", type(function).__name__)

    def redraw(_change=None):
        values = {name: control.value for name, control in controls.items()}
        try:
            picture.value = table(function(**values), tokens, title=name)
            message.value = ""
        except Exception as error:  # whatever the reader's function raises, the sliders must go on
            message.value = f"<b>{html.escape(name)} stopped:</b> {html.escape(f'{type(error).__name__}: {error}')}"

    for control in controls.values():
        control.observe(redraw, "value")
    redraw()
    return _Stored([*controls.values(), picture, message], f"explore({name})", picture.value or message.value)


class _Stored(ipywidgets.VBox):
    """A box of widgets that also stores a picture for pages where no kernel runs."""

    def __init__(self, children, text, picture):
        super().__init__(children)
        self._text, self._picture = text, picture

    def _repr_mimebundle_(self, **options):
        return {**super()._repr_mimebundle_(**options), "text/plain": self._text, "text/html": self._picture}


def _row(query, row):
    cells = "".join(_cell(weight) for weight in row)
    return f'<tr><th scope="row" style="text-align:right;font-weight:400">{html.escape(query)}</th>{cells}</tr>'


def _cell(weight):
    face = WEIGHT_COLOURS(float(weight))[:3]
    red, green, blue = (round(255 * channel) for channel in face)
    return f'<td style="{CELL};background-color:rgb({red},{green},{blue});color:{ink_on(face)}">{weight:.2f}</td>'
