"""One token's vector and the three that are made from it: its query, its key and its value, each by a matrix."""

import torch
from matplotlib.patches import Rectangle

from companion.pictures.palette import INK, PAPER, ROLES, tint
from companion.pictures.picture import Picture, canvas, styled
from companion.pictures.words import shown, whole

DOES = {"query": "what it asks for", "key": "what it can be found by", "value": "what it hands over"}
LEFT, RIGHT, DOWN = 0, 4.4, 1.45  # where the token's cells and those of its roles begin, and from row to row


@styled
def projections(name, vector, W_query, W_key, W_value, title=None, caption=None):
    """Draw a token's vector, an arrow for each matrix, and the query, the key and the value that it makes.

    vector: (d_model,); the matrices: (d_model, d_k), (d_model, d_k) and (d_model, d_v).
    """
    figure, axes = canvas(7.2, 3.2, title)
    vector, facts = torch.as_tensor(vector), []
    middle = DOWN
    _row(axes, LEFT, middle, vector, "input", name)
    start = LEFT + 0.6 * len(vector) + 0.1
    for place, (role, matrix) in enumerate(zip(DOES, (W_query, W_key, W_value))):
        made, y = vector @ matrix, place * DOWN
        arrow = {"arrowstyle": "-|>", "color": ROLES[role].fill, "linewidth": 2.2}
        axes.annotate("", (RIGHT - 0.1, y), (start, middle), arrowprops=arrow)
        look = {"ha": "center", "va": "center", "color": ROLES[role].ink, "fontsize": 10.5}
        look["bbox"] = {"facecolor": PAPER, "edgecolor": "none", "pad": 1.5}  # the arrow passes behind the name
        axes.text((start + RIGHT) / 2, (middle + y) / 2, f"W_{role}", **look)
        _row(axes, RIGHT, y, made, role, role)
        end = RIGHT + 0.6 * len(made) + 0.15
        axes.text(end, y, DOES[role], va="center", color=INK, fontsize=10.5)
        facts.append(f"{role} {_written(made)}, {DOES[role]}")
    axes.set(xlim=(LEFT - 0.05, RIGHT + 4.3), ylim=(2 * DOWN + 0.35, -0.85), aspect="equal")
    axes.axis("off")
    return Picture(figure, f"{name} {_written(vector)} makes three vectors: {'; '.join(facts)}.", caption)


def _row(axes, left, y, numbers, role, name):
    """Draw a vector as a row of cells around a height, and its name above."""
    for place, text in enumerate(_texts(numbers)):
        corner = left + 0.6 * place, y - 0.3
        axes.add_patch(Rectangle(corner, 0.56, 0.6, facecolor=tint(ROLES[role].fill, 0.55), edgecolor=ROLES[role].fill))
        axes.text(corner[0] + 0.28, y, text, ha="center", va="center_baseline", fontsize=11)
    axes.text(left, y - 0.42, name, color=ROLES[role].ink, fontweight="bold", fontsize=11)


def _texts(numbers):
    write = whole if (numbers == numbers.round()).all() else shown
    return [write(number) for number in numbers.tolist()]


def _written(numbers):
    return f"({', '.join(_texts(numbers))})"
