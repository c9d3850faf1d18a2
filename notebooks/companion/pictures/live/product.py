"""A matrix product, live: each number of the result with the row and the column that it comes from."""

import html
from functools import partial
from itertools import zip_longest

from matplotlib.colors import to_hex

from companion.pictures.live.base import Live, doubles, stored
from companion.pictures.palette import INK, MUTED, ROLES, fills, ink_on, tint
from companion.pictures.table import label
from companion.pictures.words import shown, visible, whole

TITLE = "A product, number by number"
MOST = 12  # rows or columns of the result, and terms of a sum that is shown whole
FIRST = 3  # terms of a longer sum, before its last


def product(left, right, names=("X", "W_query", "Q"), roles=("input", "query", "query"), *, rows=None, shared=None):
    """Show `left @ right`, each number of the result where its row of the left and its column of the right cross.

    left: (rows, shared); right: (shared, columns), of which the first three and the last are shown if the shared size
    is over 12; names, roles: of left, right and result; rows, shared: labels, or else the rows' numbers.
    Raises ValueError for matrices or labels that do not fit, a result over 12 × 12, nan or infinity.
    """
    left, right = doubles(left, right)
    _check(left, right)
    height, length, width = *left.shape, right.shape[1]
    rows, columns = _labels("rows", rows, height), [*map(str, range(width))]
    shared = [] if shared is None else _cut(_labels("shared", shared, length), "…")
    numbers = [_written(matrix) for matrix in (left, right, left @ right)]
    numbers[:2] = [_cut(row, "…") for row in numbers[0]], _cut(numbers[1], ["⋮"] * width)
    data = {"names": names, "roles": roles, "rows": rows, "columns": columns, "start": [min(1, height - 1), 0]}
    shapes = f"{height} × {length}", f"{length} × {width}", f"{height} × {width}"
    return Live("product", data, _table(numbers, data, shared, shapes), partial(_sum, *numbers, data), TITLE)


def _check(left, right):
    shapes = f"left has shape {tuple(left.shape)} and right {tuple(right.shape)}"
    if left.ndim != 2 or right.ndim != 2 or left.shape[1] != len(right):
        raise ValueError(f"{shapes}; give two matrices, (rows, shared) and (shared, columns)")
    if not (left.numel() and right.numel()):
        raise ValueError(f"{shapes}: there is nothing to show")
    if max(len(left), right.shape[1]) > MOST:
        raise ValueError(
            f"{shapes}, so the result has {len(left)} × {right.shape[1]} numbers, too many to read; "
            f"take at most {MOST} rows of left and {MOST} columns of right"
        )
    if not (left.isfinite().all() and right.isfinite().all()):
        raise ValueError("a number is nan or infinite; give finite numbers, as a sum of products needs them")


def _labels(what, labels, number):
    labels = [*map(visible, range(number) if labels is None else labels)]
    if len(labels) != number:
        raise ValueError(f"{what} names {len(labels)} places, but the matrices have {number}; give {number} labels")
    return labels


def _written(matrix):
    """Write whole numbers without a point; if one is not whole, all with two decimals."""
    numbers = stored(matrix.tolist())
    write = whole if all(number.is_integer() and abs(number) < 1e6 for row in numbers for number in row) else shown
    return [[write(number) for number in row] for row in numbers]


def _cut(entries, mark):
    return entries if len(entries) <= MOST else [*entries[:FIRST], mark, entries[-1]]


def _sum(left, right, result, data, write):
    """Write out the sum that is lit at the start; as HTML, each number in its role's colour."""
    (i, j), (one, other, sum_role) = data["start"], data["roles"]
    mark = _marked if write is label else lambda text, role: text
    pairs = zip(left[i], right)
    terms = ["…" if a == "…" else f"{mark(a, one)} · {mark(row[j], other)}" for a, row in pairs]
    place = write(f"{data['names'][2]}[{data['rows'][i]}, {data['columns'][j]}]")
    return f"{place} = {' + '.join(terms)} = {mark(result[i][j], sum_role)}"


def _marked(text, role):
    return f'<span style="{_look(text, role)};padding:0 0.3em">{text}</span>'


def _look(text, role):
    """Return the shade of a weight, as the tables of weights have it, or the pale colour of another role."""
    weight = role == "weight" and text != "…"
    face = fills([[float(text.replace("−", "-"))]])[0][0] if weight else tint(ROLES[role].fill, 0.35)
    return f"background:{to_hex(face)};color:{ink_on(face)}"


def _table(numbers, data, shared, shapes):
    """Return left and result side by side, right above; what is lit has its colour, and each weight its shade."""
    (left, right, result), roles, (i, j) = numbers, data["roles"], data["start"]
    names = [f'<b style="color:{ROLES[role].ink}">{html.escape(name)}</b>' for name, role in zip(data["names"], roles)]
    captions = [f'{name} <span style="color:{MUTED}">{shape}</span>' for name, shape in zip(names, shapes)]
    terms, width = len(right), len(data["columns"])
    look = f'colspan="{terms + 1}" rowspan="{terms + 2}" style="color:{INK}"'
    corner = f"<td {look}>{names[0]} @ {names[1]} = {names[2]}</td><td></td>"
    lines = [
        f'{corner}<th colspan="{width}">{captions[1]}</th>',
        f"<td></td>{_heads('col', data['columns'])}",
        *(_heads("row", [name]) + _cells(row, roles[1], [j]) for name, row in zip_longest(shared, right, fillvalue="")),
        f'<td></td><th colspan="{terms}">{captions[0]}</th><td></td><th colspan="{width}">{captions[2]}</th>',
    ]
    if shared:
        lines.append(f"<td></td>{_heads('col', shared)}")
    for place, (name, row, sums) in enumerate(zip(data["rows"], left, result)):
        lit, chosen = (range(terms), [j]) if place == i else ((), ())
        cells = f"{_cells(row, roles[0], lit)}<td></td>{_cells(sums, roles[2], chosen)}"
        lines.append(_heads("row", [name]) + cells)
    body = "".join(f'<tr align="center" style="background:none">{line}</tr>' for line in lines)
    return f'<div class="attn-scroll"><table cellpadding="5" style="font-size:13px">{body}</table></div>'


def _heads(scope, labels):
    """Name rows or columns; a word above a column stands upright on a phone, a number needs no room."""
    upright = ' class="attn-upright"' if scope == "col" and max(map(len, labels)) > 2 else ""
    head = f'<th scope="{scope}"{upright} style="color:{MUTED};font-weight:400">'
    return "".join(f"{head}{label(name)}</th>" if name else "<td></td>" for name in labels)


def _cells(texts, role, lit):
    """Colour what is lit; weights have their shades anyway, so of them what is lit is bold."""
    cells = ""
    for place, text in enumerate(texts):
        look = _look(text, role) if place in lit or role == "weight" else f"color:{INK}"
        cells += f'<td style="{look}{";font-weight:700" * (place in lit and role == "weight")}">{text}</td>'
    return cells
