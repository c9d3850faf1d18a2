"""One token's vector and the three that are made from it: its query, its key and its value, each by a matrix."""

import torch
from matplotlib.figure import Figure
from matplotlib.patches import Rectangle

from companion.pictures.palette import EDGE, INK, MUTED, ROLES, TRACK, tint
from companion.pictures.picture import DPI, HALO, POINT, WIDE, Picture, canvas, styled
from companion.pictures.words import two_decimals, whole

DOES = {"query": "what it asks for", "key": "what it can be found by", "value": "what it hands over"}
LEFT, RIGHT, DOWN = 0, 3.9, 1.35  # where the token's cells and those of its roles begin, and from row to row
PALE = 0.2  # of a cell's color: its number can be read in the dark, too
ROWS = range(92, 9999, 40)  # in pixels, how far down each row of tokens is, however many they are
BESIDE = [(-12, 3, "right"), (0, 9, "center"), (-12, -5, "right")]  # points from an arrow to its matrix's name


@styled
def projections(name, vector, W_query, W_key, W_value, caption=None):
    """Draw a token's vector, an arrow for each matrix, and the query, the key and the value that it makes.

    vector: (d_model,); the matrices: (d_model, d_k), (d_model, d_k) and (d_model, d_v).
    """
    figure, axes = canvas(WIDE, 2.9)
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
        axes.annotate(DOES[role], (1, 0), (5, 0), xycoords=written, textcoords="offset points", va="bottom")
        facts.append(f"{role} {_written(made)}, {DOES[role]}")
    axes.set(xlim=(LEFT - 0.05, RIGHT + 2.75), ylim=(2 * DOWN + 0.35, -0.85), aspect="equal")
    axes.axis("off")
    return Picture(figure, f"{name} {_written(vector)} makes three vectors: {'; '.join(facts)}.", caption)


def _row(axes, left, y, numbers, role, name):
    """Draw a vector as a row of cells around a height, and return its name, written above."""
    for column, text in enumerate(_texts(numbers)):
        corner = left + 0.6 * column, y - 0.3
        axes.add_patch(Rectangle(corner, 0.56, 0.6, facecolor=tint(ROLES[role].fill, PALE), edgecolor=ROLES[role].fill))
        axes.text(corner[0] + 0.28, y, text, ha="center", va="center_baseline", fontsize=11)
    return axes.text(left, y - 0.42, name, color=ROLES[role].ink, fontweight="bold", fontsize=11)


def _texts(numbers):
    write = whole if (numbers == numbers.round()).all() else two_decimals
    return [write(number) for number in numbers.tolist()]


def _written(numbers):
    return f"({', '.join(_texts(numbers))})"


@styled
def asking(name, names, query, key, scores, weights=None, value=None, context=None, caption=None):
    """Draw how one token asks: its query over all keys, and beside each key what has come of it so far.

    names: of the tokens, a row each; query: (d_k,); key: (tokens, d_k); scores and weights: (tokens,); value: (tokens,
    d_v), the paler, the smaller its weight; context: (d_v,), under the values that it is made of.
    """
    # How long the weight 1 is, and how far a score is from the key before it and from the bar after it.
    full, before, after = (110, 42, 50) if context is None else (42, 22, 26)
    keys, score = 92, 92 + 38 * len(query) + before
    track, values = score + after, score + after + full + 62
    wide = 300 if weights is None else values + (6 if context is None else 38 * len(context) + 4)
    high = 76 + 40 * len(key) + 50 * (context is not None)
    figure = Figure(figsize=(wide / DPI, high / DPI), dpi=DPI)
    axes = figure.add_axes((0, 0, 1, 1), xlim=(0, wide), ylim=(high, 0))  # in pixels from the upper left corner
    axes.axis("off")
    _cells(axes, keys, 26, query, "query")
    _write(axes, keys - 12, 26, f"{name} asks", ROLES["query"].ink, side="right", fontweight="bold")
    columns = {"key": [_written(of_key) for of_key in key], "score": [_texts(fits[None])[0] for fits in scores]}
    for y, token, of_key, fits in zip(ROWS, names, key, columns["score"]):
        _write(axes, keys - 12, y, token, ROLES["key"].ink, side="right")
        _cells(axes, keys, y, of_key, "key")
        _write(axes, score, y, fits, ROLES["score"].ink, 15)
    if weights is not None:
        columns["weight"] = [two_decimals(share) for share in weights.tolist()]
        _draw_weights(axes, track, full, weights.tolist())
    if context is not None:
        columns["value"] = [_written(of_value) for of_value in value]
        _draw_mixture(axes, values, weights.tolist(), value, context)
    for role, x in zip(columns, (keys, score - 18, track, values)):
        _write(axes, x, 62, role, ROLES[role].ink, side="left", fontweight="bold")
    rows = [", ".join(map(" ".join, zip(columns, row))) for row in zip(*columns.values())]
    facts = [f"{name} asks with the query {_written(query)}", *map(": ".join, zip(names, rows))]
    facts += [] if context is None else [f"context {_written(context)}"]
    return Picture(figure, f"{'; '.join(facts)}.", caption)


def _draw_weights(axes, left, full, weights):
    """Draw each weight as a bar, `full` pixels long if it is 1, and write it beside the bar."""
    for y, share in zip(ROWS, weights):
        for long, face in ((full, TRACK), (full * share, ROLES["weight"].fill)):
            axes.add_patch(Rectangle((left, y - 11), long, 22, facecolor=face, edgecolor="none"))
        _write(axes, left + full + 8, y, two_decimals(share), ROLES["weight"].ink, side="left", fontweight="bold")


def _draw_mixture(axes, left, weights, value, context):
    """Draw each value, the paler, the smaller its weight, and under them the context that they add up to."""
    for y, share, of_value in zip(ROWS, weights, value):
        _write(axes, left - 12, y, "×", MUTED, 15)
        _cells(axes, left, y, of_value, "value", share / max(weights))
    y = 104 + 40 * len(value)
    axes.plot([left - 4, left + 38 * len(context)], [y - 28] * 2, color=EDGE, linewidth=1)
    _cells(axes, left, y, context, "context")
    _write(axes, left - 12, y, "added up: the context", ROLES["context"].ink, side="right", fontweight="bold")


def _write(axes, x, y, text, ink=INK, size=13, side="center", **style):
    """Write a text with a white edge; x, y: pixels of its `side`, "left" or "right", and of its middle."""
    style = {"va": "center_baseline", "path_effects": HALO, "parse_math": False} | style
    axes.text(x, y, text, color=ink, fontsize=size * POINT, ha=side, **style)


def _cells(axes, left, y, numbers, role, strength=1):
    """Draw a vector as cells, in pixels, the paler, the less strong it is."""
    fill = ROLES[role].fill
    face, edge = tint(fill, 0.03 + (PALE - 0.03) * strength), tint(fill, 0.3 + 0.7 * strength)
    for x, text in zip(range(left, left + 38 * len(numbers), 38), _texts(numbers)):
        axes.add_patch(Rectangle((x, y - 15), 35, 30, facecolor=face, edgecolor=edge))
        _write(axes, x + 17.5, y, text, path_effects=None)
