"""What the course builds, from the inside out: each notebook as a part of the model at its end."""

from matplotlib.patches import FancyBboxPatch

from companion.pictures.palette import EDGE, MUTED, PAPER, ROLES, TRACK, tint
from companion.pictures.picture import Picture, canvas, styled

FRAMES = {  # {(number, name): its left, bottom, right and top side}, each inside the one before
    ("17", "a model that writes"): (0, 1.55, 14.8, 7.95),
    ("11", "a block"): (3.05, 1.85, 12.7, 7.2),
    ("08, 09", "many heads, two sequences"): (3.35, 2.15, 12.4, 6.45),
    ("07", "a head that learns"): (3.65, 2.45, 12.1, 5.7),
}
BOXES = {  # {number: (what it says, role of its colour, its middle)}
    "01": ("words, cut", "input", (1.52, 6.5)),
    "02": ("vectors", "input", (1.52, 5.1)),
    "10": ("order", "input", (1.52, 3.7)),
    "03": ("query, key,\nvalue", "query", (4.8, 3.7)),
    "04": ("scores", "score", (6.85, 3.7)),
    "05": ("weights", "weight", (8.9, 3.7)),
    "06": ("context", "context", (10.95, 3.7)),
    "": ("next\nword", "input", (13.75, 3.7)),
    "12": ("heads that learn", None, (1.4, 0.6)),
    "13": ("spelling to sound", None, (4.4, 0.6)),
    "14": ("a real model", None, (7.4, 0.6)),
    "15": ("fast attention", None, (10.4, 0.6)),
    "16": ("attention today", None, (13.4, 0.6)),
}
ARROWS = {(1.52, 5.95): (1.52, 5.65), (1.52, 4.55): (1.52, 4.25)}
ARROWS |= {(x, 3.7): (to, 3.7) for x, to in ((2.4, 3.9), (5.68, 5.97), (7.73, 8.02), (9.78, 10.07), (11.83, 13.0))}


@styled
def course(title=None, caption=None):
    """Draw the notebooks as nested frames: the steps of attention in a head, heads in a block, a block in a model."""
    figure, axes = canvas(7.4, 4.15, title)
    for depth, ((number, name), (left, bottom, right, top)) in enumerate(FRAMES.items()):
        _draw_box(axes, (left, bottom, right, top), PAPER if depth % 2 else TRACK, EDGE)
        label = axes.text(left + 0.25, top - 0.37, number, va="center_baseline", fontweight="bold", fontsize=10)
        look = {"xycoords": label, "va": "bottom", "fontsize": 10}
        axes.annotate(f"  {name}", (1, 0), **look)
    for start, end in ARROWS.items():
        axes.annotate("", end, start, arrowprops={"arrowstyle": "-|>", "color": MUTED, "shrinkA": 0, "shrinkB": 0})
    for number, (says, role, (x, y)) in BOXES.items():
        half, height = 1.4 if role is None else 0.85 if number else 0.72, 0.68 if "\n" in says else 0.53
        face, edge = (PAPER, EDGE) if role is None else (tint(ROLES[role].fill, 0.3), ROLES[role].fill)
        _draw_box(axes, (x - half, y - height, x + half, y + height), face, edge)
        lines = [*filter(None, [number, *says.split("\n")])]
        for place, line in enumerate(lines):
            below = 0.42 * (place - (len(lines) - 1) / 2) + 0.12
            axes.text(x, y - below, line, ha="center", fontsize=9, fontweight="bold" if line == number else "normal")
    axes.set(xlim=(-0.05, 14.85), ylim=(0, 7.95), aspect="equal")
    axes.axis("off")
    inside = "; ".join(f"{number} {name}" for number, name in reversed(FRAMES))
    steps = ", ".join(f"{number} {says}".replace("\n", " ") for number, (says, *_) in BOXES.items() if number)
    return Picture(figure, f"Nested frames, from the inside out: {inside}. Boxes: {steps}.", caption)


def _draw_box(axes, sides, face, edge):
    left, bottom, right, top = sides
    look = {"boxstyle": "round,pad=0,rounding_size=0.15", "facecolor": face, "edgecolor": edge, "linewidth": 1.2}
    axes.add_patch(FancyBboxPatch((left, bottom), right - left, top - bottom, **look))
