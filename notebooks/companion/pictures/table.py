"""Attention as an HTML table: readable without a script, in any theme, and by a screen reader."""

import functools
import html

from matplotlib.colors import to_hex

from companion.pictures.palette import GRID, INK, MUTED, PAPER, ROLES, fills, ink_on
from companion.pictures.words import labelled, two_decimals

# Attributes in place of a style for each cell: a stored table is a third smaller, and any page's own style may win.
TABLE = 'cellpadding="5" style="border-collapse:separate;border-spacing:2px;font-size:13px;margin:0"'
CAPTION = "text-align:left;font-weight:600"
ROW = '<tr align="right" style="background:none">'
LABEL = "font-weight:400;white-space:nowrap"
LONG = 12  # letters: a longer label is cut where there is no room, and whole in its tooltip
CUT = ";max-width:8em;overflow:hidden;text-overflow:ellipsis"
# At the right, behind which there may be more, a shade; at the end, paper that moves with the content covers it.
CUE = (
    f"background-image:linear-gradient(to left,{PAPER} 65%,transparent),linear-gradient(to left,{GRID},transparent);"
    "background-position:right;background-size:32px 100%,20px 100%;background-attachment:local,scroll;"
    "background-repeat:no-repeat"
)
# As wide as its content and no wider than the page, in words that JupyterLab leaves in an untrusted output.
SHEET = (
    f"background-color:{PAPER};color:{INK};padding:0.6em 0.9em;border-radius:4px;font-size:13px;line-height:1.45;"
    f"display:inline-block;vertical-align:top;min-width:16em;max-width:100%;box-sizing:border-box;overflow:auto;{CUE}"
)
FILL_SHEET = "width:0;min-width:100%"  # of a sentence on a sheet: it fills the sheet, and does not make it wider


def table(matrix, queries, keys, ends, title):
    """Return attention weights as a colored HTML table.

    matrix: (queries, keys); ends: how many cells of each row there are.
    Raises ValueError for what `labelled` refuses.
    """
    matrix, queries, keys = labelled("weights", matrix, queries, keys)
    rows, body = matrix.tolist(), ""
    for query, row, colors, end in zip(queries, rows, fills(rows), ends):
        cells = "".join(
            f'<td style="{_filled(face)}">{two_decimals(number)}</td>' for number, face in zip(row[:end], colors)
        )
        body += f"{ROW}{_header('row', query, 'query')}{cells}</tr>"
    head = "".join(_header("col", key, "key") for key in keys)
    corner = f'<td style="white-space:nowrap;color:{MUTED}">query ↓ key →</td>'
    caption = f'<caption style="{CAPTION};padding:0.2em 0;color:{INK}">{html.escape(title)}</caption>'
    return f"<table {TABLE}>{caption}<thead>{ROW}{corner}{head}</tr></thead><tbody>{body}</tbody></table>"


def html_sheet(content, title):
    """Put HTML on white paper that scrolls if it is too wide: the colors then hold in a dark theme, too."""
    name = html.escape(title)
    return f'<div class="attention-sheet" role="group" aria-label="{name}" tabindex="0" style="{SHEET}">{content}</div>'


class Page:
    """A picture of HTML on white paper, with the words that stand for it; a cell that ends with it shows it."""

    def __init__(self, text, content, title):
        self.text, self.content, self.title = text, content, title

    def _repr_mimebundle_(self, **options):
        return {"text/plain": self.text, "text/html": html_sheet(self.content, self.title)}


def role_row(texts, roles, kind="td", align="right"):
    """Return one row of a table, each cell, "td" or "th", in the ink of its role."""
    cells = (
        f'<{kind} style="color:{ROLES[role].ink}">{text}</{kind}>' if text else "<td></td>"
        for text, role in zip(texts, roles)
    )
    return f'<tr align="{align}" style="background:none">{"".join(cells)}</tr>'


def plain_table(*rows, caption="", role="input"):
    """Put rows of cells together, below a caption in the ink of a role, if there is one."""
    head = caption and f'<caption style="{CAPTION};color:{ROLES[role].ink}">{caption}</caption>'
    return f'<table cellpadding="5" style="font-size:13px">{head}{"".join(rows)}</table>'


def hint(words):
    return f'<p class="attn-hint" style="margin:0 0 0.6em;color:{MUTED};{FILL_SHEET}">{words}</p>'


def label(token):
    """Return a token as HTML: text and not markup, in its own direction."""
    return f"<bdi>{html.escape(token)}</bdi>"


def _header(scope, token, role):
    side = ";text-align:right" if scope == "row" else ""
    tooltip, cut = (f' title="{html.escape(token)}"', CUT) if len(token) > LONG else ("", "")
    return f'<th scope="{scope}"{tooltip} style="{LABEL};color:{ROLES[role].ink}{side}{cut}">{label(token)}</th>'


@functools.cache
def _filled(face):
    return f"background:{to_hex(face)};color:{ink_on(face)}"
