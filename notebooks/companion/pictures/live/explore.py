"""A picture with controls that calls the reader's own function."""

import html

import ipywidgets

from companion.pictures.palette import INK, ROLES
from companion.pictures.table import WORDS, hint, label, sheet, table
from companion.pictures.words import describe_largest, labelled, shown

BAR = "display:inline-block;height:1em;vertical-align:-0.15em;margin-right:0.5em;min-width:1px;max-width:50vw"


def explore(function, queries=None, keys=None, /, *, signed=False, title=None, **controls):
    """Show controls that call `function` with their values, and draw the weights that it returns.

    function: takes the controls' names as arguments; returns weights (queries, keys), or scores with `signed=True`,
    or {name: share}, which become bars.
    queries, keys: labels. Without labels, the function returns (weights, queries) or (weights, queries, keys).
    controls: name=(lowest, highest, step, start) is a slider, name=True or False a check box, name=[...] a menu of
    choices, name="..." a text to type, which counts once Enter is pressed. title: the function's name if not given,
    with "{name}" for what a control says.
    An exception in the function is shown as a message, and the last good picture stays.
    The stored notebook keeps the picture of the start values. Raises ValueError for a control that is none of these.
    """
    widgets = {name: _control(name, start) for name, start in controls.items()}
    picture, message = ipywidgets.HTML(), ipywidgets.HTML()
    name = getattr(function, "__name__", type(function).__name__)

    def values():
        return {each: widget.value for each, widget in widgets.items()}

    def heading():
        return (title or name).format(**values())

    def redraw(_change=None):
        try:
            result, named = function(**values()), heading()
            if isinstance(result, dict):
                drawn, fact = _bars(result, named)
            else:
                drawn, fact = _drawn(*_with_labels(result, queries, keys), signed, named)
            picture.value, message.value = sheet(drawn, named), ""
            return drawn, f": {fact}"
        except (Exception, SystemExit) as error:  # whatever the reader's function raises, the controls must go on
            text = error.args[0] if isinstance(error, KeyError) and error.args else error  # str() adds quotes to it
            words = f"<b>{html.escape(name)} stopped:</b> {html.escape(f'{type(error).__name__}: {text}')}"
            message.value = f'<p role="alert" style="line-height:1.4;margin:0;white-space:normal">{words}</p>'
            return message.value, ""

    for widget in widgets.values():
        widget.observe(redraw, "value")
    drawn, fact = redraw()
    starts = {each: f"“{label(value)}”" if isinstance(value, str) else value for each, value in values().items()}
    stand = ", ".join(f"{each} {value}" for each, value in starts.items())
    still = hint(f"Run the cell to move this picture's controls: {stand}.")
    return _Stored([*widgets.values(), message, picture], f"explore({name}){fact}", sheet(drawn + still, heading()))


def _drawn(matrix, queries, keys, signed, title):
    """Return the picture, and a sentence that says what is largest in it."""
    what = "score" if signed else "weight"
    matrix, queries, keys = labelled(f"{what}s", matrix, queries, keys)
    drawn = table(matrix, map(_seen, queries), map(_seen, keys), signed=signed, title=title)
    fact, in_html = (describe_largest(matrix.tolist(), queries, keys, what, write) for write in (str, label))
    return f'{drawn}<p role="status" style="margin:0.6em 0 0;color:{INK};{WORDS}">{in_html}</p>', fact


def _seen(token):
    """Put a dot or a comma in quotes: alone beside a row it is not seen."""
    return f"“{token}”" if token in {".", ","} else token


def _bars(shares, title):
    """Return {name: share} as a table of bars, and a sentence that says which is largest."""
    largest, rows = max(shares, key=shares.get), ""
    for name, share in shares.items():
        look = f"background:{INK if name == largest else ROLES['input'].fill};width:calc({shown(share)} * 24em);{BAR}"
        rows += (
            f'<tr style="background:none"><th scope="row" style="text-align:right;font-weight:400">{label(name)}</th>'
            f'<td style="text-align:left;white-space:nowrap"><div style="{look}"></div>{shown(share)}</td></tr>'
        )
    name = f'<caption style="text-align:left;font-weight:600;color:{INK}">{html.escape(title)}</caption>'
    fact = f"Largest: “{largest}” ({shown(shares[largest])})."
    return f'<table cellpadding="3" style="font-size:14px">{name}{rows}</table>', fact


class _Stored(ipywidgets.VBox):
    """A box of widgets that also stores a picture for pages where no kernel runs."""

    def __init__(self, children, text, picture):
        super().__init__(children)
        self.add_class("attention-explore")
        self._text, self._picture = text, picture

    def _repr_mimebundle_(self, **options):
        return {**super()._repr_mimebundle_(**options), "text/plain": self._text, "text/html": self._picture}


def _with_labels(result, queries, keys):
    """Return weights, queries and keys, which are either given or returned with the weights."""
    if result is None:
        raise ValueError("it returned nothing; end it with `return weights`")
    returned = isinstance(result, tuple) and len(result) in (2, 3)
    if returned and queries is not None:
        raise ValueError("labels were given and returned as well; do one of the two")
    if not returned and queries is None:
        raise ValueError("explore has no labels: give it tokens, or let the function return (weights, tokens)")
    return (*result, None)[:3] if returned else (result, queries, keys)


def _control(name, start):
    look = {"description": name, "style": {"description_width": "initial"}}
    if isinstance(start, bool):
        return ipywidgets.Checkbox(start, indent=False, **look)
    if isinstance(start, str):
        return ipywidgets.Text(start, continuous_update=False, layout={"width": "36em", "max_width": "98%"}, **look)
    if isinstance(start, list) and start:
        return ipywidgets.Dropdown(options=start, **look)
    if isinstance(start, tuple) and len(start) == 4 and all(isinstance(number, int | float) for number in start):
        lowest, highest, step, value = start
        if not (lowest <= value <= highest and step > 0):
            raise ValueError(
                f"the slider {name} starts at {value}, outside {lowest} to {highest}, or has a step of {step}"
            )
        slider = ipywidgets.IntSlider if all(isinstance(number, int) for number in start) else ipywidgets.FloatSlider
        return slider(value, min=lowest, max=highest, step=step, **look)
    raise ValueError(
        f"{name}={start!r} is not a control: give (lowest, highest, step, start) for a slider, True or False for a "
        "check box, a list of choices for a menu, or a text"
    )
