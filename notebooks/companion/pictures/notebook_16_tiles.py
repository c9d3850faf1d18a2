"""Attention in tiles: how they pass over the matrix of scores, and what is kept of them."""

from matplotlib.patches import Polygon, Rectangle

from companion.pictures.palette import EDGE, FAINT, HATCH, INK, MASKED, MUTED, PAPER, ROLES, ink_on, tint
from companion.pictures.picture import Picture, canvas, styled

KEPT = {"largest": "score", "sum": "score", "context": "context"}  # of each query: {name: role of its color}
MIDDLE = {"ha": "center", "va": "center_baseline"}
GAP, WIDE = 0.35, 1.05  # between the scores and what stands beside them; from one thing kept to the next
STATES = {  # of a tile: {what it says below the picture: how it looks}
    "used, and overwritten": {"fc": MASKED, "ec": EDGE, "ls": ":"},
    "in fast memory now": {"fc": ROLES["score"].fill, "ec": INK},
    "to come": {"fc": PAPER, "ec": EDGE},
    "the future": {"fc": MASKED, "ec": HATCH, "hatch": "////", "lw": 0},
}


@styled
def tiles(num_tiles, now, caption=None):
    """Draw the scores as a square of tiles at one moment: what is used, in memory, to come and never computed.

    num_tiles: along each side; now: the tile in memory, counted from 0 as they are computed, row by row; those above
    the diagonal lie in the future. Raises ValueError if there is no such tile.
    """
    order = [(i, j) for i in range(num_tiles) for j in range(i + 1)]
    if now not in range(len(order)):
        raise ValueError(f"now is {now}, but there are {len(order)} tiles; give a number from 0 to {len(order) - 1}")
    row, column = order[now]
    figure, axes = canvas(0.7 * (num_tiles + 2 * GAP + 2 + WIDE * len(KEPT)), 0.7 * (num_tiles + 3.3))
    for i in range(num_tiles):
        for j in range(num_tiles):
            _draw_tile(axes, i, j, order.index((i, j)) if (i, j) in order else None, now, i == j)
        _draw_box(axes, (-1 - GAP, i), "Q", "query", i == row)
        for height, symbol, role in ((-2 - GAP, "K", "key"), (-1 - GAP, "V", "value")):
            _draw_box(axes, (i, height), symbol, role, i == column)
        for number, (name, role) in enumerate(KEPT.items()):
            text = "done" if i < row and name == "context" else ""
            _draw_box(axes, (num_tiles + GAP + WIDE * number, i), text, role, i == row, WIDE - 0.05)
    for number, (name, role) in enumerate(KEPT.items()):
        _write(axes, num_tiles + GAP + WIDE * (number + 0.5), -0.1, name, ROLES[role].ink)
    _write(axes, num_tiles + GAP + WIDE * len(KEPT) / 2, -0.45, "kept so far for these queries", INK)
    _write(axes, num_tiles / 2, -0.08, "numbered in the order of computing", MUTED)
    axes.set(xlim=(-1.2 - GAP, num_tiles + GAP + WIDE * len(KEPT)), ylim=(num_tiles + 0.1, -2.1 - GAP), aspect="equal")
    axes.axis("off")
    swatches = [Rectangle((0, 0), 1, 1, **state) for state in STATES.values()]
    style = {"loc": "upper center", "bbox_to_anchor": (0.5, 0), "ncols": 2, "frameon": False, "fontsize": 10}
    axes.legend(swatches, STATES, **style)
    future = f"{num_tiles**2 - len(order)} lie in the future and are left out"
    facts = f"Scores in {num_tiles} × {num_tiles} tiles: {len(order)} are computed one by one, {future}."
    kept = f"Kept: the contexts of the {row} rows above, and largest score, sum and context so far of this row"
    return Picture(figure, f"{facts} In memory is tile {now}, in row {row}, column {column}. {kept}.", caption)


def _write(axes, x, y, text, ink):
    axes.text(x, y, text, ha="center", va="bottom", color=ink, fontsize=10)


def _draw_tile(axes, i, j, number, now, half):
    """Draw one tile of scores in its state, with its number, pale once it is used; half of it may be the future."""
    used, current, coming, never = STATES.values()
    style = never if number is None else used if number < now else current if number == now else coming
    left, right, top, bottom = j + 0.04, j + 0.96, i + 0.04, i + 0.96
    axes.add_patch(Rectangle((left, top), 0.92, 0.92, **{"lw": 1.2, **style}))
    if half:
        axes.add_patch(Polygon([(left, top), (right, top), (right, bottom)], **never))
    if number is not None:
        ink = ink_on(style["fc"]) if number == now else FAINT if number < now else INK
        axes.text(j + 0.5 - 0.2 * half, i + 0.5 + 0.2 * half, number, color=ink, fontsize=12, **MIDDLE)


def _draw_box(axes, corner, text, role, strong, width=1.0):
    """Draw a box beside the scores; corner: its upper left corner; strong: it is in use."""
    face = tint(ROLES[role].fill, 0.55) if strong else PAPER
    style = {"fc": face, "ec": ROLES[role].fill if strong else EDGE, "lw": 1.2}
    axes.add_patch(Rectangle((corner[0] + 0.04, corner[1] + 0.04), width - 0.08, 0.92, **style))
    style = {"color": INK if strong else MUTED, "fontsize": 10.5, "fontweight": "bold" if strong else "normal"}
    axes.text(corner[0] + width / 2, corner[1] + 0.5, text, **MIDDLE, **style)
