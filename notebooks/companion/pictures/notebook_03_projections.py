"""One token's vector and the three that are made from it: its query, its key and its value, each by a matrix."""

import torch
from matplotlib.patches import Rectangle

from companion.pictures.palette import ROLES, tint
from companion.pictures.picture import Picture, canvas, styled
from companion.pictures.words import shown, whole

DOES = {"query": "what it asks for", "key": "what it can be found by", "value": "what it hands over"}
LEFT, RIGHT, DOWN = 0, 4.2, 1.4  # where the token's cells and those of its roles begin, and from row to row
BESIDE = [(-12, 3, "right"), (0, 9, "center"), (-12, -5, "right")]  # points from an arrow to its matrix's name


@styled
def projections(name, vector, W_query, W_key, W_value, caption=None):
    """Draw a token's vector, an arrow for each matrix, and the query, the key and the value that it makes.

    vector: (d_model,); the matrices: (d_model, d_k), (d_model, d_k) and (d_model, d_v).
    """
    figure, axes = canvas(5.9, 3.2)
    vector, middle, facts = torch.as_tensor(vector), DOWN, []
    _row(axes, LEFT, middle, vector, "input", name)
    start = LEFT + 0.6 * len(vector) + 0.1
    for number, (role, matrix) in enumerate(zip(DOES, (W_query, W_key, W_value))):
        made, y = vector @ matrix, number * DOWN
        arrow = {"arrowstyle": "-|>", "color": ROLES[role].fill, "linewidth": 2.2}
        axes.annotate("", (RIGHT - 0.1, y), (start, middle), arrowprops=arrow)
        aside, up, side = BESIDE[number]
        style = {"textcoords": "offset points", "color": ROLES[role].ink, "fontsize": 11, "ha": side, "va": "center"}
        axes.annotate(f"W_{role}", ((start + RIGHT) / 2, (middle + y) / 2), (aside, up), **style)
        written = _row(axes, RIGHT, y, made, role, role)
        style = {"textcoords": "offset points", "va": "bottom", "fontsize": 11}
        axes.annotate(DOES[role], (1, 0), (5, 0), xycoords=written, **style)
        facts.append(f"{role} {_written(made)}, {DOES[role]}")
    axes.set(xlim=(LEFT - 0.05, RIGHT + 2.9), ylim=(2 * DOWN + 0.35, -0.85), aspect="equal")
    axes.axis("off")
    return Picture(figure, f"{name} {_written(vector)} makes three vectors: {'; '.join(facts)}.", caption)


def _row(axes, left, y, numbers, role, name):
    """Draw a vector as a row of cells around a height, and return its name, written above."""
    for column, text in enumerate(_texts(numbers)):
        corner = left + 0.6 * column, y - 0.3
        axes.add_patch(Rectangle(corner, 0.56, 0.6, facecolor=tint(ROLES[role].fill, 0.55), edgecolor=ROLES[role].fill))
        axes.text(corner[0] + 0.28, y, text, ha="center", va="center_baseline", fontsize=11)
    return axes.text(left, y - 0.42, name, color=ROLES[role].ink, fontweight="bold", fontsize=11)


def _texts(numbers):
    write = whole if (numbers == numbers.round()).all() else shown
    return [write(number) for number in numbers.tolist()]


def _written(numbers):
    return f"({', '.join(_texts(numbers))})"
