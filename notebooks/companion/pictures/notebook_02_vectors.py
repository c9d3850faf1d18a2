"""Vectors as rows of squares, group beside group: what is alike is seen before it is read."""

import html

from companion.pictures.palette import INK, MUTED, ROLES
from companion.pictures.table import LABEL, Page, label
from companion.pictures.words import labelled, minus

GRID = "display:inline-table;border-collapse:collapse;font-size:13px;margin:0 1.2em 0.7em 0;vertical-align:top"
CELL, FULL, WIDE = 18, 2.0, 31  # pixels of a full square, and the number whose it is; pixels of a column
HEADING = f"text-align:left;white-space:nowrap;font-weight:600;color:{INK};padding:0 0 0.3em"
ABOVE, BELOW = f"background:{ROLES['input'].ink}", f"box-shadow:inset 0 0 0 2px {ROLES['input'].ink}"


def vectors(groups, mark=None, title="Vectors"):
    """Show vectors, one row each: a full square for a number above zero, a hollow one for a number below it.

    groups: {heading: (labels, vectors)}, vectors (labels, numbers); mark: the label whose rows get a frame. The farther
    a number is from zero, the larger is its square, by area. Raises ValueError for labels that do not fit, or nan.
    """
    page = f'<p style="margin:0 0 0.5em;font-weight:600">{html.escape(title)}</p>'
    names = []
    for heading, (labels, rows) in groups.items():
        rows, labels, _ = labelled("vectors", rows, labels, range(len(rows[0])))
        caption = f'<caption style="{HEADING}">{html.escape(heading)}</caption>'
        body = "".join(_row(name, numbers, name == mark) for name, numbers in zip(labels, rows.tolist()))
        page += f'<table style="{GRID}">{caption}<tbody>{body}</tbody></table>'
        names.append(f"{heading}: {', '.join(labels)}")
    page += f'<div style="color:{MUTED}">{_square(1)} above zero &#160; {_square(-1)} below zero</div>'
    return Page(f"vectors: {'; '.join(names)}", page, title)


def _row(name, numbers, marked):
    bold, frame = ";font-weight:700" * marked, f";border:2px solid {INK}" * marked
    style = f"{LABEL};padding:0 6px;min-width:4em;text-align:right;color:{ROLES['input'].ink}{bold}"
    cells = "".join(map(_cell, numbers))
    row = f'<tr align="center" style="background:none{frame}">'
    return f'{row}<th scope="row" style="{style}">{label(name)}</th>{cells}</tr>'


def _cell(number):
    below = f'<div style="font-size:12px;line-height:1;padding:3px 0 4px">{minus(f"{number:z.1f}")}</div>'
    style = "padding:5px 0 0;vertical-align:bottom"
    return f'<td width="{WIDE}" style="{style}">{_square(number, "margin:auto")}{below}</td>'


def _square(number, layout="display:inline-block;vertical-align:middle"):
    side = max(2, round((CELL - 1) * min(abs(number) / FULL, 1) ** 0.5))
    return f'<div style="{layout};width:{side}px;height:{side}px;{BELOW if number < 0 else ABOVE}"></div>'
