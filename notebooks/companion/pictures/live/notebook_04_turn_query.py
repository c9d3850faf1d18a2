"""What a dot product measures, live: how far each key reaches along the query, times the query's length."""

from functools import partial

import torch

from companion.pictures.live.base import Live, doubles, six_digits
from companion.pictures.live.plane import plane_reach
from companion.pictures.table import label, plain_table, role_row
from companion.pictures.words import largest_first, two_decimals, visible

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
    says = partial(_says, (keys @ query).tolist(), labels)
    return Live("turn-query", data, _table(query, keys, labels), says, title, shared=("drag", "plane", "words"))


def _says(scores, labels, quote):
    """Say which key scores highest, and which score 0 or below, by the digits shown."""
    texts = [*map(two_decimals, scores)]
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
        texts = [label(name), degrees, two_decimals(shadow), two_decimals(score)]
        rows.append(role_row(texts, COLUMNS.values()))
    asks = f"query ({', '.join(map(two_decimals, query.tolist()))}), length {two_decimals(length.item())}"
    return plain_table(*rows, caption=asks, role="query")
