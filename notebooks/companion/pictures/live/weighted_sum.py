"""The step that is attention, live: values times weights, added up to a context vector."""

import torch

from companion.pictures.live.base import Live, stored
from companion.pictures.palette import ROLES
from companion.pictures.table import label
from companion.pictures.words import labelled, shown

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
    features = value.shape[1]
    part = f", first {MOST_FEATURES} of {features} features" if features > MOST_FEATURES else ""
    # The twin is made from the very numbers that the script gets.
    weights, value = stored(weights.tolist()), stored(value[:, :MOST_FEATURES].tolist())
    data = {
        "weights": weights,
        "value": value,
        "queries": queries,
        "keys": keys,
        "follow": follow,
        "part": part,
    }
    row = weights[follow]
    text, sentence = (_sum(queries[follow], row, keys, write) for write in (str, label))
    return Live("weighted-sum", data, _table(row, value, keys, part), text, sentence, title, shared=("shares",))


def _sum(query, row, keys, write):
    parts = " + ".join(f"{shown(weight)} · {write(key)}" for weight, key in zip(row, keys))
    return f"Context of “{write(query)}” = {parts}."


def _table(row, value, keys, part):
    """Return each key's weight and weighted value, and the context as the last row."""
    parts = torch.tensor(row, dtype=torch.float64)[:, None] * torch.tensor(value, dtype=torch.float64)
    roles = ["key", "weight", *["weighted"] * parts.shape[1]]
    columns = f'<th colspan="{parts.shape[1]}" style="color:{ROLES["weighted"].ink}">α · v{part}</th>'
    head = f"{_cells('th', ['key', 'weight α'], roles)}{columns}"
    body = "".join(
        _row(_cells("td", [label(key), shown(weight), *map(shown, each)], roles))
        for key, weight, each in zip(keys, row, parts.tolist())
    )
    total = ["context", f"Σ {shown(sum(row))}", *map(shown, parts.sum(dim=0).tolist())]
    foot = _row(_cells("td", total, ["context", "weight", *["context"] * parts.shape[1]]))
    return (
        f'<table cellpadding="5" style="font-size:13px"><thead>{_row(head)}</thead><tbody>{body}{foot}</tbody></table>'
    )


def _cells(kind, texts, roles):
    return "".join(f'<{kind} style="color:{ROLES[role].ink}">{text}</{kind}>' for text, role in zip(texts, roles))


def _row(cells):
    return f'<tr align="right" style="background:none">{cells}</tr>'
