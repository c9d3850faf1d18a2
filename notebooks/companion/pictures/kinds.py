"""Words as points of the plane: which lie together, before training and after it."""

import numpy as np

from companion.pictures.palette import GRID, INK, MUTED, PAPER
from companion.pictures.picture import Picture, canvas, styled

LOOKS = (("o", INK), ("^", PAPER), ("s", "#9AA1AD"))  # a marker and a fill for each kind: no colour has a role here
WAYS = [(1, 0), (-1, 0), (0, 1), (0, -1), (1, 1), (-1, 1), (1, -1), (-1, -1)]  # where a word may stand beside its point


@styled
def kinds(groups, x_name, y_name, reach=None, title=None, caption=None):
    """Draw each word as a point, with a marker for its kind, and its name beside it where it covers the least.

    groups: {kind: (words, points)}, points (words, 2); reach: how far both axes go, so that two pictures compare.
    Raises ValueError for more kinds than there are markers.
    """
    if len(groups) > len(LOOKS):
        raise ValueError(f"{len(groups)} kinds, but there are {len(LOOKS)} markers")
    figure, axes = canvas(7.2, 4.8, None)
    axes.set_title(title or "", pad=34)  # above the names of the kinds
    axes.axhline(0, color=GRID, zorder=0)
    axes.axvline(0, color=GRID, zorder=0)
    found = []
    for (kind, (words, points)), (marker, face) in zip(groups.items(), LOOKS):
        points = [(float(x), float(y)) for x, y in points]
        axes.plot(*zip(*points), marker, markersize=6, markerfacecolor=face, markeredgecolor=INK, label=kind, zorder=3)
        found += zip(words, points)
    axes.set(xlabel=x_name, ylabel=y_name)
    axes.margins(0.09)
    if reach:
        axes.set(xlim=(-reach, reach), ylim=(-reach, reach))
    axes.tick_params(colors=MUTED)
    look = {"frameon": False, "handletextpad": 0.2, "borderaxespad": 0, "fontsize": 10.5}
    axes.legend(loc="lower left", bbox_to_anchor=(0, 1.03), ncols=len(groups), **look)
    figure.draw_without_rendering()  # settles the layout, in which the words find room
    _write(axes, found)
    return Picture(figure, _says(groups, x_name, y_name), caption)


def _write(axes, found):
    places = axes.transData.transform([point for _, point in found])
    taken = [(x - 6, x + 6, y - 6, y + 6) for x, y in places]
    for (word, _), (x, y) in zip(found, places):
        written = axes.text(0, 0, word, fontsize=9.5, ha="center", va="center", in_layout=False, zorder=4)
        wide, high = (side / 2 for side in written.get_window_extent().size)
        ways = [(x + a * (wide + 8), y + b * (high + 6)) for a, b in WAYS]
        boxes = [(x - wide, x + wide, y - high, y + high) for x, y in ways]
        best = min(range(len(WAYS)), key=lambda way: _covered(boxes[way], taken))
        taken.append(boxes[best])
        written.set_position(axes.transData.inverted().transform(ways[best]))


def _covered(box, taken):
    left, right, low, high = box
    return sum(max(0, min(right, b) - max(left, a)) * max(0, min(high, d) - max(low, c)) for a, b, c, d in taken)


def _says(groups, x_name, y_name):
    """Say where the middle of each kind lies: one decimal, which no other processor turns."""
    middles = {kind: np.mean([[float(x), float(y)] for x, y in points], axis=0) for kind, (_, points) in groups.items()}
    facts = [f"{kind} around {x:z.1f}, {y:z.1f}".replace("-", "−") for kind, (x, y) in middles.items()]
    return f"Words as points, {x_name} across and {y_name} upwards: {'; '.join(facts)}."
