"""Where a context vector can lie, live: values in the plane, and their average by weights that can be moved."""

import math
from functools import partial

import torch

from companion.pictures.live.base import Live, doubles, six_digits
from companion.pictures.live.plane import plane_reach
from companion.pictures.live.still import Drawn, arrow, bar, beside, draw_text, plane, sheet
from companion.pictures.palette import ROLES, tint
from companion.pictures.picture import Picture
from companion.pictures.table import label, plain_table, role_row
from companion.pictures.words import labelled, shown


def mixture(weights, value, labels, *, title="Mix the values"):
    """Show values as arrows in the plane, and the context that weights make of them; both can be moved.

    weights: (keys,), which sum to 1; value: (keys, 2); labels: one for each value.
    Raises ValueError for shapes that do not fit, weights that do not sum to 1, or a largest number of the values that
    is not between 0.1 and 10.
    """
    (weights,), _, labels = labelled("weights", torch.as_tensor(weights)[None], ["context"], labels)
    (value,) = doubles(value)
    if tuple(value.shape) != (len(labels), 2):
        raise ValueError(
            f"value has shape {tuple(value.shape)}, but {len(labels)} labels need ({len(labels)}, 2); "
            "the plane has two numbers for each arrow"
        )
    if abs(weights.sum() - 1) > 1e-4:
        raise ValueError(f"the weights sum to {weights.sum():.4f}, but an average needs 1: divide them by their sum")
    data = {"labels": labels, "reach": plane_reach(value)}
    data |= {"weights": six_digits(weights.tolist()), "value": six_digits(value.tolist())}
    weights, value = doubles(data["weights"], data["value"])
    says, twin = partial(_sum, weights, value, labels), Drawn(_draw, data, _table(weights, value, labels))
    return Live("mixture", data, twin, says, title, shared=("drag", "plane", "words"))


def _sum(weights, value, labels, quote):
    context, longest = weights @ value, value.norm(dim=1).max().item()
    parts = " + ".join(f"{shown(weight)} · {quote(name)}" for weight, name in zip(weights.tolist(), labels))
    length = f"Length {shown(context.norm().item())}; the longest value has {shown(longest)}."
    return f"Context {_vector(context)} = {parts}. {length}"


def _table(weights, value, labels):
    """Return each value, its weight and the product of the two, and the context as the last row."""
    roles = ["value", "value", "weight", "value"]
    rows = [role_row(["", "value v", "weight α", "α · v"], roles, "th")]
    for name, weight, vector in zip(labels, weights, value):
        rows.append(role_row([label(name), _vector(vector), shown(weight.item()), _vector(weight * vector)], roles))
    total = ["context", "", f"Σ {shown(weights.sum().item())}", _vector(weights @ value)]
    return plain_table(*rows, role_row(total, ["context", "context", "weight", "context"]))


def _vector(numbers):
    return f"({', '.join(map(shown, numbers.tolist()))})"


def _draw(data):
    """Draw the values, the shape between their tips, and how their parts add up to the context."""
    labels, weights, value = data["labels"], data["weights"], data["value"]
    ink, context = ROLES["value"].ink, ROLES["context"]
    figure, axes = sheet(640, 380)
    flat = plane(axes, 1, 1, 378, data["reach"], 1.2)
    style = {"facecolor": tint(ROLES["value"].fill, 0.2), "edgecolor": ROLES["value"].fill, "linestyle": "--"}
    flat.fill(*zip(*_around(value)), **style, zorder=1)
    end = (0.0, 0.0)
    for name, weight, tip in zip(labels, weights, value):
        part, start = [weight * number for number in tip], end
        end = start[0] + part[0], start[1] + part[1]
        arrow(flat, "value", tip, 3, name, 22)
        flat.plot(*tip, "o", color="none", markeredgecolor=ink, markersize=21)
        flat.plot([0, part[0]], [0, part[1]], color=ink, linewidth=5, solid_capstyle="butt", zorder=3)
        flat.plot(*zip(start, end), color=ink, linestyle=(0, (3, 2)), linewidth=1.1, zorder=3)
    arrow(flat, "context", end, 5)
    beside(flat, end, "context", context.ink, 12, (end[0], end[1] - abs(end[0])))
    for x, text, role in ((400, "value v", "value"), (500, "weight α", "weight")):
        draw_text(axes, x, 24, text, ROLES[role].ink, side="left", fontweight="bold")
    high = min(60, 300 / len(labels))
    for row, (name, weight, tip) in enumerate(zip(labels, weights, value)):
        middle = 44 + high * (row + 0.5)
        draw_text(axes, 400, middle - 8, name[:12], ink, side="left")
        draw_text(axes, 400, middle + 9, f"({', '.join(map(shown, tip))})", ink, size=11, side="left")
        draw_text(axes, 500, middle, shown(weight), ROLES["weight"].ink, side="left")
        bar(axes, 538, middle, 96 * weight)
    draw_text(axes, 400, 362, f"context ({', '.join(map(shown, end))})", context.ink, side="left", fontweight="bold")
    words = f"The plane with arrows for the values {', '.join(labels)}, and one for the context"
    return Picture(
        figure,
        f"{words}, which lies in the shape between their tips. Thick parts of the values, laid end to end, reach it.",
    )


def _around(points):
    """Return the corners of the smallest convex shape around points, one after the other."""
    middle = [sum(side) / len(points) for side in zip(*points)]
    corners = [a for a in points if any(all(_left(a, b, c) for c in points) for b in points if b != a)]
    return sorted(corners or points, key=lambda corner: math.atan2(corner[1] - middle[1], corner[0] - middle[0]))


def _left(a, b, c):
    """Say whether c lies to the left of the way from a to b, or on it."""
    return (b[0] - a[0]) * (c[1] - a[1]) >= (b[1] - a[1]) * (c[0] - a[0])
