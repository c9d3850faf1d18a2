"""Attention as an HTML table and a sentence: readable without a script, in any theme, and by a screen reader."""

import functools
import html
import math
import re

import torch

from utils.pictures.style import INK, MASKED, MUTED, PAPER, ROLES, SCORE_COLOURS, WEIGHT_COLOURS, ink_on, minus

LARGEST = 64 * 64  # cells: a larger table says nothing, and can stop a browser
MOST_HEADS = 16
# Attributes in place of a style for each cell: a stored table is a third smaller, and any page's own style may win.
GRID = 'cellpadding="5" style="border-collapse:separate;border-spacing:2px;font-size:13px'
ROW = '<tr align="center" style="background:none">'
LABEL = "font-weight:400;white-space:nowrap"
LONG = 12  # letters: a longer label is cut where there is no room, and whole in its tooltip
CUT = ";max-width:8em;overflow:hidden;text-overflow:ellipsis"
SHEET = (
    f"background-color:{PAPER};color:{INK};padding:0.6em 0.9em;border-radius:4px;"
    "font-size:13px;line-height:1.45;overflow:auto"
)


def table(matrix, queries, keys=None, *, mask=None, signed=False, title=""):
    """Return attention weights, or scores with `signed=True`, as a coloured HTML table.

    matrix: (queries, keys); keys: labels, the queries' own if not given; mask: boolean (queries, keys),
    True = may attend, the rest is left out. Weights come with the sum of each row.
    Raises ValueError for labels that do not fit, more than 64 × 64 cells, nan, or weights outside 0 to 1.
    """
    keys = queries if keys is None else keys
    matrix = torch.as_tensor(matrix).detach()
    check_labels("scores" if signed else "weights", matrix, queries, keys)
    _check_numbers(matrix, signed)
    if mask is not None:
        check_labels("mask's entries", torch.as_tensor(mask), queries, keys)
    top = matrix[matrix.isfinite()].abs().max().item() if signed and matrix.isfinite().any() else 1
    rows = []
    for i, row in enumerate(matrix.tolist()):
        hidden = [mask is not None and not mask[i][j] for j in range(len(keys))]
        cells = [_cell(number, off, signed, top or 1) for number, off in zip(row, hidden)]
        if not signed:
            cells.append(_plain(f"{sum(row):.2f}"))
        rows.append(f"{ROW}{_header('row', queries[i], 'query')}{''.join(cells)}</tr>")
    total = "" if signed else f'<th scope="col" style="{LABEL};color:{MUTED}">Σ</th>'
    head = "".join(_header("col", key, "key") for key in keys)
    return (
        f'<table {GRID};margin:0">'
        f'<caption style="text-align:left;font-weight:600;padding:0.2em 0;color:{INK}">{html.escape(title)}</caption>'
        f"<thead>{ROW}{_plain('query ↓ key →')}{head}{total}</tr></thead>"
        f"<tbody>{''.join(rows)}</tbody></table>"
    )


def sheet(content, title):
    """Put HTML on white paper that scrolls if it is too wide: the colours then hold in a dark theme, too."""
    name = html.escape(title)
    return f'<div class="attention-sheet" role="group" aria-label="{name}" tabindex="0" style="{SHEET}">{content}</div>'


def hint(words):
    return f'<p class="attn-hint" style="margin:0.3em 0 0;color:{MUTED};background:{PAPER};font-size:13px">{words}</p>'


def label(token):
    """Return the token as text that can be seen, in its own direction and not as markup."""
    return f"<bdi>{html.escape(visible(token))}</bdi>"


def visible(token):
    return str(token) if str(token).strip() else "␣"


def describe_query(query, row, keys, allowed):
    """Say, in HTML, where one query looks: its two largest weights, and how many keys it may not see."""
    seen = [j for j in range(len(keys)) if allowed[j]]
    if not seen:
        return f"“{label(query)}” may attend to nothing."
    # Ordered by the digits shown, so that the last bit of a sum cannot change the sentence.
    first, *others = sorted(seen, key=lambda j: -float(f"{row[j]:.2f}"))[:2]
    words = f"“{label(query)}” attends most to “{label(keys[first])}” ({row[first]:.2f})"
    words += "".join(f", then to “{label(keys[j])}” ({row[j]:.2f})" for j in others if f"{row[j]:.2f}" != "0.00")
    hidden = len(keys) - len(seen)
    return words + (f"; {hidden} of {len(keys)} keys are hidden from it." if hidden else ".")


def describe_largest(rows, queries, keys, what="weight"):
    """Say, in HTML, which query gives the largest weight, or score, to which key."""
    places = [(i, j) for i in range(len(queries)) for j in range(len(keys))]
    i, j = min(places, key=lambda place: -float(f"{rows[place[0]][place[1]]:.2f}"))
    return f"Largest {what}: “{label(queries[i])}” to “{label(keys[j])}” ({minus(fixed(rows[i][j]))})."


def plain(words):
    """Return HTML that `label` and the descriptions made, as plain text."""
    return html.unescape(re.sub("</?bdi>", "", words))


def steps_table(steps, weights, query, keys):
    """Return the numbers of one query, step by step, as a table: one row a step, and the weights as the last.

    steps: {name: numbers}, one for each key, -inf where it is hidden; weights: numbers, one for each key.
    """
    head = "".join(_header("col", key, "key") for key in keys)
    rows = {name: "".join(_plain(minus(fixed(number)), INK) for number in row) for name, row in steps.items()}
    rows["weight"] = "".join(_cell(weight, False, False, 1) for weight in weights)
    body = "".join(
        f'{ROW}<th scope="row" style="{LABEL};text-align:left;color:{INK}">{name}</th>{row}</tr>'
        for name, row in rows.items()
    )
    return (
        f'<table class="attn-steps" {GRID};margin:0.6em 0 0">'
        f'<caption style="text-align:left;font-weight:600;padding:0.2em 0;color:{INK}">'
        f'The steps of “<span class="attn-name">{label(query)}</span>”</caption>'
        f"<thead>{ROW}{_plain('key →')}{head}</tr></thead><tbody>{body}</tbody></table>"
    )


def fixed(number):
    """Return two decimals, or in short a number like -1e9, which some code uses in place of -inf; as view.js does."""
    if not math.isfinite(number):
        return f"{'-' if number < 0 else ''}∞"
    return f"{number:z.2f}" if abs(number) < 1e6 else f"{number:.1e}".replace("e+0", "e+")


def check_labels(name, matrix, queries, keys):
    if tuple(matrix.shape[-2:]) != (len(queries), len(keys)) or matrix.ndim not in (2, 3):
        raise ValueError(
            f"the {name} have shape {tuple(matrix.shape)}, but {len(queries)} query labels and {len(keys)} key labels "
            f"need ({len(queries)}, {len(keys)})"
        )
    if not matrix.numel():
        raise ValueError(f"the {name} have shape {tuple(matrix.shape)}: there is nothing to show")
    if matrix.ndim == 3 and len(matrix) > MOST_HEADS:
        raise ValueError(f"{len(matrix)} heads are too many to choose from; show at most {MOST_HEADS}")
    if len(queries) * len(keys) > LARGEST:
        raise ValueError(f"{len(queries)} × {len(keys)} cells are too many to read; show at most 64 × 64")


def _check_numbers(matrix, signed):
    if matrix.ndim != 2:
        raise ValueError(
            f"a table shows (queries, keys), but was given {tuple(matrix.shape)}; pick one head or sentence"
        )
    if matrix.isnan().any():
        raise ValueError("a number is nan (not a number): look for 0 / 0 or inf − inf on the way to it")
    if not signed and ((matrix < -1e-6) | (matrix > 1 + 1e-6)).any():
        raise ValueError(
            f"weights lie between 0 and 1, but these run from {matrix.min():.2f} to {matrix.max():.2f}; "
            "take the softmax of scores first"
        )


def _header(scope, token, role):
    token = visible(token)
    side = ";text-align:right" if scope == "row" else ""
    tooltip, cut = (f' title="{html.escape(token)}"', CUT) if len(token) > LONG else ("", "")
    return f'<th scope="{scope}"{tooltip} style="{LABEL};color:{ROLES[role].ink}{side}{cut}">{label(token)}</th>'


def _cell(number, hidden, signed, top):
    if hidden:
        return f'<td class="attn-hidden" style="background:{MASKED};color:{MUTED}">–</td>'
    shade = 0.5 + _clip(number, top) / top / 2 if signed else number
    return f'<td style="{_filled(signed, min(int(256 * shade), 255))}">{minus(fixed(number))}</td>'


@functools.cache
def _filled(signed, shade):
    """Return the style of a cell in one of the 256 shades of scores, or of weights."""
    face = (SCORE_COLOURS if signed else WEIGHT_COLOURS)(shade)[:3]
    red, green, blue = (round(255 * channel) for channel in face)
    return f"background:#{red:02x}{green:02x}{blue:02x};color:{ink_on(face)}"


def _clip(number, top):
    return number if math.isfinite(number) else math.copysign(top, number)


def _plain(text, ink=MUTED):
    return f'<td style="color:{ink}">{text}</td>'
