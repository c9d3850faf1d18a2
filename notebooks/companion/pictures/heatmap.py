"""Pictures made of cells: a heatmap, several heads side by side, who moves whom, the patches of an image."""

import math

import torch
from matplotlib.patches import Rectangle

from companion.pictures.palette import HATCH, MASKED, MUTED, PAPER, ROLES, fills, ink_on
from companion.pictures.picture import Picture, canvas, panels, styled
from companion.pictures.words import HIDDEN, attendable, describe_rows, labelled, largest_first, shown

CORNER = "query ↓ key →"


@styled
def heatmap(matrix, queries, keys=None, mask=None, signed=False, focus=None, corner=CORNER, title=None, caption=None):
    """Draw attention weights, or scores with `signed=True`: one row a query, one column a key.

    matrix: (queries, keys); keys: labels, the queries' own if not given; mask: boolean (queries, keys),
    True = may attend, the rest is hatched and has no number; focus: index of one query to frame; corner: what the rows
    and columns are, if not queries and keys.
    Raises ValueError for what `labelled` refuses.
    """
    what = "score" if signed else "weight"
    matrix, queries, keys = labelled(f"{what}s", matrix, queries, keys)
    rows, allowed = matrix.tolist(), attendable(mask, queries, keys)
    width = 0.6 * len(keys) + max(0.1 * max(map(len, queries)), 1.05) + (0.3 if signed else 0.9)
    names = 0.4 + 0.065 * max(map(len, keys)) * _slants(keys)
    figure, axes = canvas(width, 0.6 * len(queries) + names + 0.35 * bool(title), title)
    faces = fills(rows, signed)
    _draw_cells(axes, faces, allowed, room=0.03 if signed else 0.95)
    for i, row in enumerate(rows):
        for j, number in enumerate(row):
            text, ink = (shown(number), ink_on(faces[i][j])) if allowed[i][j] else (HIDDEN, MUTED)
            ink = MUTED if text == "0.00" else ink
            size = min(9.5, 57 / len(text))  # more than six characters would touch the next cell
            heavy = not signed and round(number, 2) >= 0.5  # by the digits shown: equal ones look equal
            look = {"color": ink, "fontsize": size, "fontweight": "bold" if heavy else "normal"}
            if not allowed[i][j]:
                look["bbox"] = {"facecolor": MASKED, "edgecolor": "none", "pad": 2}  # no stripe through the sign
            axes.text(j + 0.5, i + 0.5, text, ha="center", va="center_baseline", **look)
        if not signed:
            total = shown(sum(row))
            look = {"color": MUTED} if total == "1.00" else {"fontweight": "bold"}
            axes.text(len(keys) + 0.14, i + 0.5, total, va="center_baseline", fontsize=9, **look)
    if not signed:
        axes.text(len(keys) + 0.4, -0.16, "Σ", ha="center", va="baseline", color=MUTED, fontsize=10)
    if focus is not None:
        frame = {"fill": False, "edgecolor": ROLES["query"].fill, "linewidth": 2.2, "zorder": 5}
        axes.add_patch(Rectangle((0, focus), len(keys), 1, **frame))
    roles = ("query", "key") if corner == CORNER else ("input", "input")
    _name(axes, (queries, roles[0]), (keys, roles[1]), corner)
    return Picture(figure, describe_rows(rows, queries, keys, allowed, what, focus), caption)


@styled
def influence(moved, tokens, title=None, caption=None):
    """Draw which outputs move when one input is changed: one row an output, one column a changed input.

    moved: boolean (outputs, inputs). Cells that move are filled and carry a dot.
    """
    moved, tokens, _ = labelled("outputs that move", moved, tokens)
    rows = moved.tolist()
    figure, axes = canvas(0.56 * len(tokens) + 1.9, 0.5 * len(tokens) + 1.35, title)
    _draw_cells(axes, [[ROLES["context"].fill if moves else MASKED for moves in row] for row in rows])
    for i, j in moved.nonzero().tolist():
        axes.text(j + 0.5, i + 0.5, "●", ha="center", va="center", color=PAPER)
    _name(axes, (tokens, "context"), (tokens, "input"), "output ↓ input →")
    outputs = [[tokens[i] for i, row in enumerate(rows) if row[j]] for j in range(len(tokens))]
    facts = [f"{token} moves {', '.join(names) or 'nothing'}" for token, names in zip(tokens, outputs)]
    return Picture(figure, f"Changing the input {'; '.join(facts)}.", caption)


@styled
def patches(image, weights, words, title=None, caption=None):
    """Draw an image, and for each word how much each patch of it attends to that word.

    image: (height, width, 3) between 0 and 1; weights: (patches, words), patches row by row in a square grid.
    Raises ValueError if the patches fill no square grid, and for what `labelled` refuses.
    """
    weights, names, words = labelled("weights", weights, range(len(weights)), words)
    side = math.isqrt(len(names))
    if side * side != len(names):
        raise ValueError(f"{len(names)} patches fill no square grid: give side · side of them, row by row")
    figure = panels(1.75 * (len(words) + 1) + 0.3, 2.4, title, len(words) + 1)
    figure.axes[0].imshow(torch.as_tensor(image).numpy(), interpolation="nearest")
    figure.axes[0].set_title("image", fontsize=10)
    facts = []
    for axes, word, column in zip(figure.axes[1:], words, weights.T):
        _draw_cells(axes, fills(column.view(side, side).tolist()))
        axes.set_title(f"“{word}”", fontsize=10, color=ROLES["key"].ink)
        most = largest_first(column.tolist())[0]
        facts.append(f"“{word}” most from row {most // side}, column {most % side} ({shown(column[most].item())})")
    for axes in figure.axes:
        axes.set(xticks=[], yticks=[])
        axes.spines[:].set_visible(axes is figure.axes[0])  # a frame for the image alone
    return Picture(
        figure, f"An image in {side} × {side} patches, and who attends to each word: {'; '.join(facts)}.", caption
    )


def _draw_cells(axes, faces, allowed=None, room=0.03):
    """Fill a grid of cells with colours, those not allowed with a hatch, and leave room at its right."""
    for i, row in enumerate(faces):
        for j, face in enumerate(row):
            look = {"facecolor": face, "edgecolor": "none"}
            if allowed and not allowed[i][j]:
                look = {"facecolor": MASKED, "edgecolor": HATCH, "hatch": "////", "linewidth": 0}
            axes.add_patch(Rectangle((j + 0.03, i + 0.03), 0.94, 0.94, **look))
    axes.set(xlim=(-0.03, len(faces[0]) + room), ylim=(len(faces) + 0.03, -0.03), aspect="equal")


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
    look = {"textcoords": "offset points", "ha": "right", "color": MUTED, "fontsize": 9}
    axes.annotate(corner, (0, 1), (-3, 4), xycoords="axes fraction", **look)
    axes.spines[:].set_visible(False)
