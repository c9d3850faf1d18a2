"""Vectors as rows of coloured numbers, group beside group: what is alike is seen before it is read."""

import html

from matplotlib.colors import to_hex

from companion.pictures.palette import INK, MUTED, ROLES, fills, ink_on
from companion.pictures.table import LABEL, label, sheet
from companion.pictures.words import labelled, minus

GRID = "display:inline-table;border-collapse:collapse;font-size:12px;margin:0 0.8em 0.7em 0"
WIDTH = 24  # pixels of a column: all tables line up
FRAME = f"2px solid {INK}"


def vectors(groups, mark=None, title="Vectors"):
    """Show vectors, one row each with one decimal, blue above zero and violet below; the groups share one scale.

    groups: {heading: (labels, vectors)}, vectors (labels, numbers); mark: the label whose rows get a frame.
    Raises ValueError for labels that do not fit, or nan.
    """
    found = {}
    for heading, (labels, rows) in groups.items():
        rows, labels, _ = labelled("vectors", rows, labels, range(len(rows[0])))
        found[heading] = labels, rows.tolist()
    return Vectors(found, mark, title)


class Vectors:
    """A picture that `vectors` made; a cell that ends with it shows it."""

    def __init__(self, groups, mark, title):
        self.groups, self.mark, self.title = groups, mark, title

    def _repr_mimebundle_(self, **options):
        colours = iter(fills([row for _, rows in self.groups.values() for row in rows], signed=True))
        page = f'<p style="margin:0 0 0.5em;font-weight:600">{html.escape(self.title)}</p>'
        page += "".join(self._grid(heading, labels, rows, colours) for heading, (labels, rows) in self.groups.items())
        facts = "; ".join(f"{heading}: {', '.join(labels)}" for heading, (labels, _) in self.groups.items())
        return {"text/plain": f"vectors: {facts}", "text/html": sheet(page, self.title)}

    def _grid(self, heading, labels, rows, colours):
        caption = f'<caption style="text-align:left;color:{MUTED}">{html.escape(heading)}</caption>'
        body = "".join(self._row(*row) for row in zip(labels, rows, colours))
        return f'<table style="{GRID}">{caption}<tbody>{body}</tbody></table>'

    def _row(self, name, numbers, faces):
        marked = name == self.mark
        look = f"{LABEL};padding:3px 6px;color:{ROLES['input'].ink}" + ";font-weight:700" * marked
        cells = "".join(map(_cell, numbers, faces))
        row = f'<tr align="right" style="background:none{f";border:{FRAME}" if marked else ""}">'
        return f'{row}<th scope="row" style="{look}">{label(name)}</th>{cells}</tr>'


def _cell(number, face):
    look = f"background:{to_hex(face)};color:{ink_on(face)};padding:3px 2px"  # else a page's own is wider
    return f'<td width="{WIDTH}" style="{look}">{minus(f"{number:z.1f}")}</td>'
