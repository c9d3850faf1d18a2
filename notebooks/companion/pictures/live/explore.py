"""A picture with controls that calls the reader's own function."""

import html

import ipywidgets

from companion.pictures.palette import INK, ROLES, VERDICT_SIGNS
from companion.pictures.table import hint, html_sheet, label
from companion.pictures.words import minus, two_decimals
from companion.verdict_words import NOT_YET

BAR = "display:inline-block;height:1em;vertical-align:-0.15em;margin-right:0.5em;min-width:1px;max-width:50vw"


def explore(function, /, **controls):
    """Show controls that call `function` with their values, and draw the shares that it returns as bars.

    function: takes the controls' names as arguments; returns {name: share}, or {question: {name: share}}. A bar is red
    if its name has a "≠", and black if it is the largest of one whole.
    controls: name=(lowest, highest, step, start) is a slider, name="..." a text to type, which counts once Enter is
    pressed.
    An exception in the function is shown as a message, and the last good picture stays.
    The stored notebook keeps the picture of the start values. Raises ValueError for a control that is none of these.
    """
    widgets = {name: _control(name, start) for name, start in controls.items()}
    picture, message = ipywidgets.HTML(), ipywidgets.HTML()
    name = getattr(function, "__name__", type(function).__name__)

    def values():
        return {control: widget.value for control, widget in widgets.items()}

    def redraw(_change=None):
        try:
            drawn, fact = _bars(function(**values()), name)
            picture.value, message.value = html_sheet(drawn, name), ""
            return drawn, f": {fact}"
        except (Exception, SystemExit) as error:  # whatever the reader's function raises, the controls must go on
            text = error.args[0] if isinstance(error, KeyError) and error.args else error  # str() adds quotes to it
            words = f"<b>{html.escape(name)} stopped:</b> {html.escape(f'{type(error).__name__}: {text}')}"
            message.value = f'<p role="alert" style="line-height:1.4;margin:0;white-space:normal">{words}</p>'
            return message.value, ""

    for widget in widgets.values():
        widget.observe(redraw, "value")
    drawn, fact = redraw()
    texts = [f"“{label(it)}”" if isinstance(it, str) else minus(f"{it:g}") for it in values().values()]
    stand = ", ".join(f"{control} {text}" for control, text in zip(widgets, texts))
    still = hint(f"Run the cell to move this picture's controls: {stand}.")
    return _Stored([*widgets.values(), message, picture], f"explore({name}){fact}", html_sheet(still + drawn, name))


def _bars(shares, title):
    """Return {name: share} as a table of bars, and a sentence: the largest of each question, or all of no one whole."""
    if not isinstance(shares, dict):
        raise ValueError(f"it returned a {type(shares).__name__}; end it with `return` and {{name: share}}")
    questions = shares if isinstance(next(iter(shares.values()), 0), dict) else {"": shares}
    rows, each = "", [(question, *pair) for question, its in questions.items() for pair in its.items()]
    largest = [(question, max(its, key=its.get)) for question, its in questions.items()]
    whole = all(sum(its.values()) < 1.01 for its in questions.values())
    for question, name, share in each:
        if question and name == next(iter(questions[question])):
            asked = f'<th colspan="2" style="text-align:left;color:{INK}">{label(question)}</th>'
            rows += f'<tr style="background:none">{asked}</tr>'
        color = INK if whole and (question, name) in largest else ROLES["input"].fill
        look = "text-align:right;font-weight:400"
        if "≠" in name:
            color = VERDICT_SIGNS[NOT_YET][1]
            look += f";color:{color}"
        style = f"background:{color};width:calc({two_decimals(share)} * 24em);{BAR}"
        rows += (
            f'<tr style="background:none"><th scope="row" style="{look}">{label(name)}</th>'
            f'<td style="text-align:left;white-space:nowrap"><div style="{style}"></div>{two_decimals(share)}</td></tr>'
        )
    name = f'<caption style="text-align:left;font-weight:600;color:{INK}">{html.escape(title)}</caption>'
    best = (
        f"{question}{': ' * bool(question)}“{name}” ({two_decimals(questions[question][name])})"
        for question, name in (largest if whole else [row[:2] for row in each])
    )
    fact = f"{'Largest: ' * whole}{', '.join(best)}."
    return f'<table cellpadding="3" style="font-size:14px">{name}{rows}</table>', fact


class _Stored(ipywidgets.VBox):
    """A box of widgets that also stores a picture for pages where no kernel runs."""

    def __init__(self, children, text, picture):
        super().__init__(children)
        self.add_class("attention-explore")
        self._text, self._picture = text, picture

    def _repr_mimebundle_(self, **options):
        return {**super()._repr_mimebundle_(**options), "text/plain": self._text, "text/html": self._picture}


def _control(name, start):
    options = {"description": name, "style": {"description_width": "initial"}}
    if isinstance(start, str):
        return ipywidgets.Text(start, continuous_update=False, layout={"width": "36em", "max_width": "98%"}, **options)
    if isinstance(start, tuple) and len(start) == 4 and all(isinstance(number, int | float) for number in start):
        lowest, highest, step, value = start
        if not (lowest <= value <= highest and step > 0):
            raise ValueError(
                f"the slider {name} starts at {value}, outside {lowest} to {highest}, or has a step of {step}"
            )
        return ipywidgets.FloatSlider(value, min=lowest, max=highest, step=step, **options)
    raise ValueError(f"{name}={start!r} is not a control: give (lowest, highest, step, start) for a slider, or a text")
