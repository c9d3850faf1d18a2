"""Vectors as rows of squares, group beside group: what is alike is seen before it is read."""

import html

from companion.pictures.palette import INK, MUTED, ROLES
from companion.pictures.table import LABEL, Page, label
from companion.pictures.words import labelled, minus

GRID = "display:inline-table;border-collapse:collapse;font-size:12px;margin:0 0.8em 0.7em 0;vertical-align:top"
CELL, FULL = 18, 2.0  # pixels of a cell, and the number whose square fills it: all pictures have one scale
WRITTEN = 30  # pixels of a column in which numbers are written
HEADING = f"text-align:left;white-space:nowrap;font-size:13px;font-weight:600;color:{INK};padding:0 0 0.3em"
FRAME = f"2px solid {INK}"
ABOVE, BELOW = f"background:{ROLES['input'].ink}", f"box-shadow:inset 0 0 0 2px {ROLES['input'].ink}"


def vectors(groups, mark=None, title="Vectors"):
    """Show vectors, one row each: a full square for a number above zero, a hollow one for a number below it.

    groups: {heading: (labels, vectors)}, vectors (labels, numbers); mark: the label whose rows get a frame, and their
    numbers with one decimal; other rows that are the same in all of several groups are pale. The farther a number is
    from zero, the larger is its square, by area.
    Raises ValueError for labels that do not fit, or nan.
    """
    tables = {}
    for heading, (labels, rows) in groups.items():
        rows, labels, _ = labelled("vectors", rows, labels, range(len(rows[0])))
        tables[heading] = labels, rows.tolist()
    pairs = [[*zip(labels, rows)] for labels, rows in tables.values()]
    same = [pair for pair in pairs[0] if len(pairs) > 1 and all(pair in others for others in pairs)]
    page = f'<p style="margin:0 0 0.5em;font-weight:600">{html.escape(title)}</p>'
    for heading, (labels, rows) in tables.items():
        caption = f'<caption style="{HEADING}">{html.escape(heading)}</caption>'
        body = "".join(_row(*row, mark, row in same) for row in zip(labels, rows))
        page += f'<table style="{GRID}">{caption}<tbody>{body}</tbody></table>'
    drawn = [number for _, rows in tables.values() for row in rows for number in row]
    signs = {"above": 1, "below": -1}
    legend = [f"{_square(sign)} {side} zero" for side, sign in signs.items() if any(sign * n > 0 for n in drawn)]
    page += f'<div style="color:{MUTED}">{" &#160; ".join(legend)}; size: how far from it</div>'
    facts = "; ".join(f"{heading}: {', '.join(labels)}" for heading, (labels, _) in tables.items())
    return Page(f"vectors: {facts}", page, title)


def _row(name, numbers, mark, pale):
    """Return a row: framed if it has the mark's name, else pale if all groups have it."""
    marked, ink = name == mark, ROLES["input"].ink
    style = f"{LABEL};padding:0 6px;min-width:5em;text-align:right;color:{ink}" + ";font-weight:700" * marked
    wide = WRITTEN if mark else CELL
    cells = "".join(_cell(number, wide, marked) for number in numbers)
    extra = f";border:{FRAME}" * marked + ";opacity:0.4" * (pale and not marked)
    row = f'<tr align="center" style="height:{CELL}px;background:none{extra}">'
    return f'{row}<th scope="row" style="{style}">{label(name)}</th>{cells}</tr>'


def _cell(number, wide, written):
    text, style, below = minus(f"{number:z.1f}"), "padding:0", ""
    if written:
        style = "padding:3px 0 0;vertical-align:bottom"
        below = f'<div style="font-size:11px;line-height:1;padding:2px 0 3px">{text}</div>'
    return f'<td width="{wide}" title="{text}" style="{style}">{_square(number, "margin:auto")}{below}</td>'


def _square(number, layout="display:inline-block;vertical-align:middle"):
    side = max(2, round((CELL - 1) * min(abs(number) / FULL, 1) ** 0.5))
    return f'<div style="{layout};width:{side}px;height:{side}px;{BELOW if number < 0 else ABOVE}"></div>'
