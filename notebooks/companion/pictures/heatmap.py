"""A heatmap: a cell for each query and key; and three of them in a row, from scores over a mask to weights."""

import math
from collections.abc import Sequence
from dataclasses import dataclass
from itertools import groupby

import torch
from matplotlib.patches import Rectangle

from companion.pictures.palette import HATCH, INK, MASKED, MUTED, PAPER, ROLES, fills, ink_on, tint
from companion.pictures.picture import Picture, canvas, make_options, panels, styled
from companion.pictures.words import HIDDEN, attendable, describe_rows, labelled, two_decimals, whole

CORNER = "query ↓ key →"


@dataclass
class Overlay:
    """What a heatmap shows over its cells and beside them.

    focus: index of one query to frame, column: of one key, beside which the others are pale; right: of each query the
    index of the key that it should find, in a dashed frame, one for rows that find the same; lines: rows before which a
    line begins another part.
    """

    focus: int | None = None
    column: int | None = None
    right: Sequence = ()
    lines: Sequence = ()


@styled
def heatmap(matrix, queries, keys=None, mask=None, signed=False, corner=CORNER, caption=None, **overlay):
    """Draw attention weights, or scores with `signed=True`: one row a query, one column a key.

    matrix: (queries, keys); keys: labels, or {group: labels}, the queries' own if not given; mask: boolean
    (queries, keys), True = may attend, the rest is hatched and has no number; corner: what the rows and columns are, if
    not queries and keys; overlay: as in `Overlay`, such as focus=2, which frames one row.
    Raises ValueError for what `labelled` refuses.
    """
    what = "score" if signed else "weight"
    overlay = make_options(Overlay, overlay)
    focus, column = overlay.focus, overlay.column
    groups = keys if isinstance(keys, dict) else {}
    keys = [f"{label}, {group}" for group, labels in groups.items() for label in labels] or keys
    matrix, queries, keys = labelled(f"{what}s", matrix, queries, keys)
    rows = matrix.tolist()
    allowed = attendable(mask, queries, keys)
    large = (matrix.isfinite() & (matrix.abs() >= 100)).any()  # beside such numbers the hundredths say nothing
    no_decimals = large or signed and (matrix == matrix.round()).all()
    width = 0.6 * len(keys) + max(0.1 * max(map(len, queries)), 1.05) + (0.3 if signed else 0.9)
    columns = [label for labels in groups.values() for label in labels] or keys
    names = 0.4 + 0.065 * max(map(len, columns)) * _slants(columns) + 0.35 * bool(groups)
    figure, axes = canvas(width, 0.6 * len(queries) + names)
    pale = [[focus not in (None, i) or column not in (None, j) for j in range(len(keys))] for i in range(len(rows))]
    faces = [[tint(face, 1 - 0.75 * aside) for face, aside in zip(*row)] for row in zip(fills(rows, signed), pale)]
    _draw_cells(axes, faces, allowed, right=0.03 if signed else 0.95)
    for i, row in enumerate(rows):
        for j, number in enumerate(row):
            text = whole(number) if no_decimals else two_decimals(number)
            heavy = not signed and round(number, 2) >= 0.5  # by the digits shown: equal ones look equal
            ink = MUTED if pale[i][j] else ink_on(faces[i][j])
            _write_number(axes, text if allowed[i][j] else HIDDEN, (j + 0.5, i + 0.5), ink, heavy)
    if not signed:
        _write_sums(axes, rows)
    _draw_overlay(axes, overlay, len(queries), len(keys))
    roles = [role if role in corner else "input" for role in ("query", "key")]
    _name(axes, (queries, roles[0]), (columns, roles[1]), corner)
    _name_groups(axes, groups)
    return Picture(figure, describe_rows(rows, queries, keys, allowed, what, focus), caption)


def _name_groups(axes, groups):
    """Write the name of each group of columns over them, above a line, and part it from the one before."""
    start = 0
    for name, labels in groups.items():
        end = start + len(labels)
        axes.plot([start + 0.1, end - 0.1], [-0.48, -0.48], color=MUTED, linewidth=1, clip_on=False)
        axes.text((start + end) / 2, -0.58, name, ha="center", va="bottom", fontweight="bold")
        axes.vlines([start] * bool(start), 0, 1, transform=axes.get_xaxis_transform(), color=PAPER, linewidth=5)
        start = end


def _draw_overlay(axes, overlay, num_queries, num_keys):
    if overlay.focus is not None:
        _frame(axes, (0, overlay.focus), num_keys, 1, ROLES["query"].fill)
    if overlay.column is not None:
        _frame(axes, (overlay.column, 0), 1, num_queries, ROLES["key"].fill)
    for j, same in groupby(range(len(overlay.right)), key=overlay.right.__getitem__):
        first, *more = same
        for ink, dashes in ((PAPER, "solid"), (INK, (0, (3, 1.5)))):  # light dashes between the dark ones
            _frame(axes, (j + 0.07, first + 0.07), 0.86, 0.86 + len(more), ink, dashes)
    axes.hlines(overlay.lines, 0, num_keys, color=INK, linewidth=1.2)


@styled
def mask_frames(scores, hidden, weights, names, caption=None):
    """Draw what a mask does, in three frames: scores, the same with −∞ where a key is hidden, and their weights.

    scores, hidden, weights: (tokens, tokens), weights with nan where a row has none; names: of the tokens.
    Raises ValueError for what `labelled` refuses.
    """
    rows, names, _ = labelled("scores", scores, names)
    allowed = hidden.isfinite().tolist()
    lost = [name for name, row in zip(names, weights.isnan().any(dim=1)) if row]
    figure = panels(3 * (0.6 * len(names) + 0.9), 0.6 * len(names) + 0.7, 3)
    for axes, title, numbers in zip(figure.axes, ("scores", "hidden", "weights"), (rows, hidden, weights)):
        faces = fills(numbers.nan_to_num(0, neginf=-math.inf).tolist(), signed=title != "weights")
        _draw_cells(axes, faces, allowed if title == "hidden" else None)
        for i, row in enumerate(numbers.tolist()):
            for j, number in enumerate(row):
                ink = INK if title == "hidden" and not allowed[i][j] else ink_on(faces[i][j])
                _write_number(axes, two_decimals(number), (j + 0.5, i + 0.5), ink, math.isnan(number))
        _name(axes, (names, "query"), (names, "key"), title)
    words = [f"{sum(map(sum, allowed))} of {len(names) ** 2} scores are left, the others are −∞"]
    words += [f"the weights of {name} are nan" for name in lost]
    return Picture(figure, f"Scores, hidden and weights: {'; '.join(words)}.", caption)


@styled
def state_frames(state, key, value, caption=None):
    """Draw one step of a state in three frames: before it, a key times a value, and the sum of both.

    state: (d_k, d_v); key: (d_k,), at the rows; value: (d_v,), at the columns; whole numbers from 0 on.
    """
    state, key, value = map(torch.as_tensor, (state, key, value))
    product = torch.outer(key, value)
    top = (state + product).max() or 1
    figure = panels(1.5 * len(value) + 1, 0.5 * len(key) + 0.55, 3)
    frames = {"state before": state, "+  key × value": product, "=  state after": state + product}
    for place, (axes, (title, numbers)) in enumerate(zip(figure.axes, frames.items())):
        faces = [[tint(INK, 0.03 + 0.77 * share) for share in row] for row in (numbers / top).tolist()]
        _draw_cells(axes, faces)
        for i, row in enumerate(numbers.tolist()):
            for j, number in enumerate(row):
                _write_number(axes, whole(number), (j + 0.5, i + 0.5), ink_on(faces[i][j]), False)
        down, right = ([whole(number) * (place == 1) for number in numbers.tolist()] for numbers in (key, value))
        _name(axes, (down, "key"), (right, "value"), "key ↓ value →" * (place == 1))
        axes.set_title(title, y=1.16)
    facts = "; ".join(f"{title} {numbers.tolist()}" for title, numbers in frames.items())
    return Picture(figure, f"{facts}; the key is {key.tolist()}, the value {value.tolist()}.", caption)


def _write_number(axes, text, middle, ink, heavy):
    """Write what a cell says: a zero short and pale, so that the eye goes to the others."""
    size = min(9.5, 57 / len(text))  # more than six characters would touch the next cell
    style = {"color": ink, "fontsize": size, "fontweight": "bold" if heavy else "normal"}
    if text == HIDDEN:
        style |= {"color": MUTED, "bbox": {"facecolor": MASKED, "edgecolor": "none", "pad": 2}}  # no stripe through it
    if text == "0.00":
        text, style["color"], style["fontsize"] = "0", MUTED, 7
    axes.text(*middle, text, ha="center", va="center_baseline", **style)


def _frame(axes, corner, width, height, color, dashes="solid"):
    style = {"edgecolor": color, "linewidth": 2.2, "linestyle": dashes}
    axes.add_patch(Rectangle(corner, width, height, fill=False, zorder=5, **style))


def _write_sums(axes, rows):
    """Write the sum of each row at its right, in bold if it is not 1."""
    x = len(rows[0]) + 0.4
    axes.text(x, -0.16, "Σ", ha="center", va="baseline", color=MUTED, fontsize=10)
    for i, total in enumerate(map(sum, rows)):
        style = {"color": MUTED} if two_decimals(total) == "1.00" else {"fontweight": "bold"}
        axes.text(x, i + 0.5, two_decimals(total), ha="center", va="center_baseline", fontsize=9, **style)


def _draw_cells(axes, faces, allowed=None, right=0.03):
    """Fill a grid of cells with colors, those not allowed with a hatch, and leave room at its right."""
    for i, row in enumerate(faces):
        for j, face in enumerate(row):
            style = {"facecolor": face, "edgecolor": "none"}
            if allowed and not allowed[i][j]:
                style = {"facecolor": MASKED, "edgecolor": HATCH, "hatch": "////", "linewidth": 0}
            axes.add_patch(Rectangle((j + 0.03, i + 0.03), 0.94, 0.94, **style))
    axes.set(xlim=(-0.03, len(faces[0]) + right), ylim=(len(faces) + 0.03, -0.03), aspect="equal")


def _slants(names):
    """Say whether names are too long to stand side by side."""
    return max(map(len, names)) > 7


def _name(axes, rows, columns, corner):
    """Write beside the rows and above the columns what they are, each (labels, role), and in the corner what of."""
    (left, left_role), (top, top_role) = rows, columns
    slanted = {"rotation": 40, "ha": "left", "rotation_mode": "anchor"} if _slants(top) else {}
    axes.set_xticks([j + 0.5 for j in range(len(top))], top, color=ROLES[top_role].ink, **slanted)
    axes.set_yticks([i + 0.5 for i in range(len(left))], left, color=ROLES[left_role].ink)
    axes.tick_params(length=0, labeltop=True, labelbottom=False, pad=3)
    style = {"textcoords": "offset points", "ha": "right", "color": MUTED, "fontsize": 9}
    axes.annotate(corner, (0, 1), (-3, 4), xycoords="axes fraction", **style)
    axes.spines[:].set_visible(False)
