"""Attention as an HTML table: readable without a script, in any theme, and by a screen reader."""

import functools
import html
import math

from matplotlib.colors import to_hex

from companion.pictures.palette import GRID as SHADE
from companion.pictures.palette import INK, MASKED, MUTED, PAPER, ROLES, fills, ink_on
from companion.pictures.words import HIDDEN, attendable, labelled, shown

# Attributes in place of a style for each cell: a stored table is a third smaller, and any page's own style may win.
GRID = 'cellpadding="5" style="border-collapse:separate;border-spacing:2px;font-size:13px'
ROW = '<tr align="right" style="background:none">'
LABEL = "font-weight:400;white-space:nowrap"
LONG = 12  # letters: a longer label is cut where there is no room, and whole in its tooltip
CUT = ";max-width:8em;overflow:hidden;text-overflow:ellipsis"
# At the right, behind which there may be more, a shade; at the end, paper that moves with the content covers it.
CUE = (
    f"background-image:linear-gradient(to left,{PAPER} 65%,transparent),linear-gradient(to left,{SHADE},transparent);"
    "background-position:right;background-size:32px 100%,20px 100%;background-attachment:local,scroll;"
    "background-repeat:no-repeat"
)
# As wide as its content and no wider than the page, in words that JupyterLab leaves in an untrusted output.
SHEET = (
    f"background-color:{PAPER};color:{INK};padding:0.6em 0.9em;border-radius:4px;font-size:13px;line-height:1.45;"
    f"display:inline-block;vertical-align:top;min-width:16em;max-width:100%;box-sizing:border-box;overflow:auto;{CUE}"
)
WORDS = "width:0;min-width:100%"  # of a sentence on a sheet: it fills the sheet, and does not make it wider
MASKED_LOOK = f'class="attn-hidden" style="background:{MASKED};color:{MUTED}"'


def table(matrix, queries, keys=None, *, mask=None, ends=None, signed=False, sums=True, title=""):
    """Return attention weights, or scores with `signed=True`, as a coloured HTML table.

    matrix: (queries, keys); keys: labels, the queries' own if not given; mask: boolean (queries, keys),
    True = may attend, the rest is left out; ends: how many cells of each row there are, all if not given.
    Weights come with the sum of each row, unless `sums=False`.
    Raises ValueError for what `labelled` refuses.
    """
    matrix, queries, keys = labelled("scores" if signed else "weights", matrix, queries, keys)
    rows, allowed, body = matrix.tolist(), attendable(mask, queries, keys), ""
    for query, row, colours, seen, end in zip(queries, rows, fills(rows, signed), allowed, ends or [None] * len(rows)):
        cells = map(_cell, row[:end], colours, seen)
        total = "" if signed or not sums else _plain(shown(sum(row)))
        body += f"{ROW}{_header('row', query, 'query')}{''.join(cells)}{total}</tr>"
    total = "" if signed or not sums else f'<th scope="col" style="{LABEL};color:{MUTED}">Σ</th>'
    head = "".join(_header("col", key, "key") for key in keys)
    corner = f'<td style="white-space:nowrap;color:{MUTED}">query ↓ key →</td>'
    return _grid(";margin:0", html.escape(title), f"{corner}{head}{total}", body)


def steps_table(steps, weights, query, keys):
    """Return the numbers of one query, step by step, as a table: one row a step, and the weights as the last.

    steps: {name: numbers}, one for each key, -inf where it is hidden; weights: numbers, one for each key.
    """
    rows = {name: "".join(map(_step, row)) for name, row in steps.items()}
    seen = [number > -math.inf for number in [*steps.values()][-1]]
    rows["weight"] = "".join(map(_cell, weights, *fills([weights]), seen))
    body = "".join(
        f'{ROW}<th scope="row" style="{LABEL};text-align:left;color:{INK}">{name}</th>{row}</tr>'
        for name, row in rows.items()
    )
    head = "".join(_header("col", key, "key") for key in keys)
    caption = f'The steps of “<span class="attn-name">{label(query)}</span>”'
    return _grid(";margin:0.6em 0 0", caption, f"{_plain('key →')}{head}", body, ' class="attn-steps"')


def sheet(content, title):
    """Put HTML on white paper that scrolls if it is too wide: the colours then hold in a dark theme, too."""
    name = html.escape(title)
    return f'<div class="attention-sheet" role="group" aria-label="{name}" tabindex="0" style="{SHEET}">{content}</div>'


def role_row(kind, texts, roles):
    """Return one row of a table, each cell, "td" or "th", in the ink of its role."""
    cells = "".join(f'<{kind} style="color:{ROLES[role].ink}">{text}</{kind}>' for text, role in zip(texts, roles))
    return f'<tr align="right" style="background:none">{cells}</tr>'


def plain_table(*rows, caption="", role="input"):
    """Put rows of cells together, below a caption in the ink of a role, if there is one."""
    head = caption and f'<caption style="text-align:left;color:{ROLES[role].ink}">{caption}</caption>'
    return f'<table cellpadding="5" style="font-size:13px">{head}{"".join(rows)}</table>'


def hint(words):
    return f'<p class="attn-hint" style="margin:0.3em 0 0;color:{MUTED};{WORDS}">{words}</p>'


def label(token):
    """Return a token as HTML: text and not markup, in its own direction."""
    return f"<bdi>{html.escape(token)}</bdi>"


def _grid(look, caption, head, body, kind=""):
    if caption:
        caption = f'<caption style="text-align:left;font-weight:600;padding:0.2em 0;color:{INK}">{caption}</caption>'
    return f'<table{kind} {GRID}{look}">{caption}<thead>{ROW}{head}</tr></thead><tbody>{body}</tbody></table>'


def _header(scope, token, role):
    side = ";text-align:right" if scope == "row" else ""
    tooltip, cut = (f' title="{html.escape(token)}"', CUT) if len(token) > LONG else ("", "")
    return f'<th scope="{scope}"{tooltip} style="{LABEL};color:{ROLES[role].ink}{side}{cut}">{label(token)}</th>'


def _cell(number, face, seen=True):
    if not seen:
        return f"<td {MASKED_LOOK}>{HIDDEN}</td>"
    return f'<td style="{_filled(face)}">{shown(number)}</td>'


def _step(number):
    return f"<td {MASKED_LOOK}>{shown(number)}</td>" if number == -math.inf else _plain(shown(number), INK)


@functools.cache
def _filled(face):
    return f"background:{to_hex(face)};color:{ink_on(face)}"


def _plain(text, ink=MUTED):
    return f'<td style="color:{ink}">{text}</td>'
