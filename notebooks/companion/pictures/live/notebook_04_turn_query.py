"""What a dot product measures, live: how far each key reaches along the query, times the query's length."""

import math
from functools import partial

import torch

from companion.pictures.live.base import Live, doubles, six_digits
from companion.pictures.live.plane import plane_reach
from companion.pictures.live.still import Drawn, arrow, bar, draw_text, plane, sheet
from companion.pictures.palette import EDGE, PAPER, ROLES, tint
from companion.pictures.picture import Picture
from companion.pictures.table import label, plain_table, role_row
from companion.pictures.words import largest_first, shown, visible

# The role whose ink each has. A space that does not break keeps "= score" on a line.
COLUMNS = {"key": "key", "angle": "key", "along\u00a0the query": "key", "×\u00a0length =\u00a0score": "score"}


def turn_query(query, keys, labels, *, title="Turn the query"):
    """Show a query and keys as arrows in the plane; the query can be turned, and its score with each key follows.

    query: (2,); keys: (keys, 2); labels: one for each key.
    Raises ValueError for shapes that do not fit, or a largest number that is not between 0.1 and 10.
    """
    query, keys = doubles(query, keys)
    labels = [*map(visible, labels)]
    if not labels or tuple(query.shape) != (2,) or tuple(keys.shape) != (len(labels), 2):
        raise ValueError(
            f"query has shape {tuple(query.shape)} and keys {tuple(keys.shape)}, but {len(labels)} labels "
            f"need (2,) and ({len(labels)}, 2), with at least one key; the plane has two numbers for each arrow"
        )
    far = plane_reach(torch.cat([query[None], keys]))
    query, keys = six_digits(query.tolist()), six_digits(keys.tolist())
    data = {"query": query, "keys": keys, "labels": labels, "reach": far}
    query, keys = doubles(query, keys)
    says = partial(_say, (keys @ query).tolist(), labels)
    twin = Drawn(_draw, data, _table(query, keys, labels))
    return Live("turn-query", data, twin, says, title, shared=("drag", "plane", "words"))


def _say(scores, labels, quote):
    """Say which key scores highest, and which score 0 or below, by the digits shown."""
    texts = [*map(shown, scores)]
    first = largest_first(scores)[0]
    parts = [f"Largest score: “{quote(labels[first])}” ({texts[first]})"]
    below = [f"“{quote(name)}”" for name, text in zip(labels, texts) if text.startswith("−")]
    parts.append("below zero: " + (", ".join(below) or "none"))
    if zero := [f"“{quote(name)}”" for name, text in zip(labels, texts) if text == "0.00"]:
        parts.append("zero: " + ", ".join(zero))
    return "; ".join(parts) + "."


def _table(query, keys, labels):
    """Return for each key its angle from the query, how far it reaches along it, and its score."""
    scores, length = keys @ query, query.norm()
    turned = keys @ torch.stack([-query[1], query[0]])
    angles = torch.atan2(turned.abs(), scores).rad2deg()
    along = scores / length if length else scores
    rows = [role_row(COLUMNS, COLUMNS.values(), "th")]
    for name, angle, shadow, score in zip(labels, angles.tolist(), along.tolist(), scores.tolist()):
        degrees = f"{angle:.1f}°" if length else "–"
        texts = [label(name), degrees, shown(shadow), shown(score)]
        rows.append(role_row(texts, COLUMNS.values()))
    asks = f"query ({', '.join(map(shown, query.tolist()))}), length {shown(length.item())}"
    return plain_table(*rows, caption=asks, role="query")


def _draw(data):
    """Draw the plane, in it what the query and each key reach along its line, and each key's score as a bar."""
    query, keys, labels, far = data["query"], data["keys"], data["labels"], 4 * data["reach"]
    length = math.hypot(*query) or 1
    x, y = (number / length for number in query)
    along = [x * a + y * b for a, b in keys]
    best, key, asks = largest_first(along)[0], ROLES["key"], ROLES["query"]
    figure, axes = sheet(700, 380)
    flat = plane(axes, 1, 1, 378, data["reach"], 1.1)
    side = [(-far * y, far * x), (far * y, -far * x)]  # along the line behind which scores are below zero
    behind = [(a - far * x, b - far * y) for a, b in reversed(side)]
    flat.fill(*zip(*side, *behind), color=tint(ROLES["score"].fill, 0.09), zorder=0)
    flat.plot(*zip(*side), color=ROLES["score"].ink, linestyle="--", linewidth=0.8, zorder=0)
    flat.axline((0, 0), (x, y) if any(query) else (1, 0), color=asks.ink, linestyle=":", linewidth=0.8, zorder=1)
    style = {"color": tint(key.fill, 0.5), "linewidth": 8.6, "zorder": 1, "solid_capstyle": "butt"}
    flat.plot([0, along[best] * x], [0, along[best] * y], **style)
    for (a, b), name, reaches in zip(keys, labels, along):
        off = x * b - y * a  # its name stands off the query's line
        flat.plot([a, reaches * x], [b, reaches * y], color=key.ink, linestyle="--", linewidth=0.8)
        flat.plot(reaches * x, reaches * y, "o", color=PAPER, markeredgecolor=key.ink, markersize=6.5, zorder=4)
        arrow(flat, "key", (a, b), 3, name, way=(-y, x) if off > 0 else (y, -x) if off < 0 else (a, b))
    arrow(flat, "query", query, 4, "query", 27, (0, -1 if y < 0 else 1))
    flat.plot(*query, "o", color="none", markeredgecolor=asks.ink, markersize=24)
    corner = 0.02 if x > 0 else 0.98, 0.04 if y > 0 else 0.96
    style = {"transform": flat.transAxes, "size": 11}
    draw_text(flat, *corner, "scores below zero", ROLES["score"].ink, side="left" if x > 0 else "right", **style)
    scores, high = [length * share for share in along], min(70, 340 / len(keys))
    draw_text(axes, 400, 24, "score with each key", ROLES["score"].ink, side="left", fontweight="bold")
    axes.plot([540, 540], [44, 44 + high * len(keys)], color=EDGE, linewidth=1)
    for row, (name, score) in enumerate(zip(labels, scores)):
        middle = 44 + high * (row + 0.5)
        heavy = {"fontweight": "bold"} if row == best else {}
        draw_text(axes, 540, middle - 14, f"{name[:20]} ", key.ink, side="right", **heavy)
        draw_text(axes, 690, middle - 14, shown(score), ROLES["score"].ink, side="right", **heavy)
        bar(axes, 540, middle + 6, 140 * score / (max(map(abs, scores)) or 1))
    words = f"The plane with arrows for the query and the keys {', '.join(labels)}, and a bar for each score"
    return Picture(figure, f"{words}. The key of {labels[best]} reaches farthest along the query.")
