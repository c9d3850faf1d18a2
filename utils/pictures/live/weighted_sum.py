"""The step that is attention, live: values times weights, added up to a context vector."""

import html

import torch

from utils.pictures.live.base import Live, stored
from utils.pictures.palette import ROLES
from utils.pictures.words import labelled, shown

MOST_FEATURES = 6


def weighted_sum(weights, value, queries, keys=None, *, follow=0, title="A weighted sum of values"):
    """Show how one query's weights shrink the values, and how what is left adds up to its context vector.

    weights: (queries, keys); value: (keys, d_v), of which the first six features are shown; keys: labels, the
    queries' own if not given; follow: index of the query shown at first.
    Raises ValueError for shapes that do not fit, or a query that is not there.
    """
    weights, queries, keys = labelled("weights", weights, queries, keys)
    value = torch.as_tensor(value, dtype=torch.float64).detach()
    if value.ndim != 2 or len(value) != len(keys):
        raise ValueError(f"value has shape {tuple(value.shape)}, but {len(keys)} keys need ({len(keys)}, d_v)")
    if follow not in range(len(queries)):
        raise ValueError(f"follow is {follow}, but the queries have the numbers 0 to {len(queries) - 1}")
    value = value[:, :MOST_FEATURES]
    data = {
        "weights": stored(weights.tolist()),
        "value": stored(value.tolist()),
        "queries": queries,
        "keys": keys,
        "follow": follow,
    }
    row = weights[follow].tolist()
    text, sentence = (_sum(queries[follow], row, keys, write) for write in (str, _token))
    return Live("weighted-sum", data, _table(row, value, keys), text, sentence, title)


def _sum(query, row, keys, write):
    parts = " + ".join(f"{shown(weight)} · {write(key)}" for weight, key in zip(row, keys))
    return f"Context of “{write(query)}” = {parts}."


def _token(token):
    return f"<bdi>{html.escape(token)}</bdi>"


def _table(row, value, keys):
    """Return each key's weight and weighted value, and the context as the last row."""
    weights = torch.tensor(row, dtype=torch.float64)
    parts = weights[:, None] * value
    features = range(value.shape[1])
    head = _row(
        "th", ["key", "weight α", *(f"α · value {d}" for d in features)], ["key", "weight", *["value"] * len(features)]
    )
    body = "".join(
        _row("td", [_token(key), shown(weight), *map(shown, part)], ["key", "weight", *["weighted"] * len(features)])
        for key, weight, part in zip(keys, row, parts.tolist())
    )
    total = ["context", f"Σ {shown(sum(row))}", *map(shown, parts.sum(dim=0).tolist())]
    foot = _row("td", total, ["context", "weight", *["context"] * len(features)])
    return f'<table cellpadding="5" style="font-size:13px"><thead>{head}</thead><tbody>{body}{foot}</tbody></table>'


def _row(kind, texts, roles):
    cells = (
        f'<{kind} style="color:{ROLES[role].ink};text-align:right">{text}</{kind}>' for text, role in zip(texts, roles)
    )
    return f'<tr style="background:none">{"".join(cells)}</tr>'
