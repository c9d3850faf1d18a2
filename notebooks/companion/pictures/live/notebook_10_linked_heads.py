"""The maps of all heads, linked: one word followed through every head, and through a training if there was one."""

from functools import partial

import torch

from companion.pictures.live.base import WEIGHT_LOOK, Live, six_digits
from companion.pictures.table import table
from companion.pictures.words import labelled, largest_first, two_decimals

MOST_CELLS = 4096  # of all maps together: more would make a slow page


def linked_heads(weights, queries, keys=None, *, losses=None, steps=None, follow=0, title="What each head reads"):
    """Show the maps of all heads side by side, with one query followed through each of them.

    weights: (heads, queries, keys), or (times, heads, queries, keys) with `losses`, one for each time of a training,
    and `steps`, the number of each; keys: labels, the queries' own if not given; follow: index of a query.
    It opens before the training. A query's row ends with the last key to which it ever gives any weight: behind it, a
    causal mask hides the keys.
    Where a training has a single map, it is drawn as ribbons.
    Raises ValueError for shapes that do not fit, or a query that is not there.
    """
    weights = torch.as_tensor(weights, dtype=torch.float64).detach()
    times = weights if losses is not None else weights[None]
    if times.ndim != 4:
        wanted = "(heads, queries, keys)" if losses is None else "(times, heads, queries, keys)"
        raise ValueError(f"the weights have shape {tuple(weights.shape)}; {wanted} was expected")
    if times.numel() > MOST_CELLS:
        raise ValueError(f"{times.numel()} weights are too many for one page; show at most {MOST_CELLS}")
    if losses is not None and not len(losses) == len(steps) == len(times):
        raise ValueError(f"{len(times)} times need as many losses and steps; {len(losses)} and {len(steps)} were given")
    _, queries, keys = [labelled("weights", rows, queries, keys) for rows in times.flatten(0, 1)][0]
    if follow not in range(len(queries)):
        raise ValueError(f"follow is {follow}, but the queries have the numbers 0 to {len(queries) - 1}")
    ends = [1 + max([0, *row.nonzero().flatten().tolist()]) for row in times.sum(dim=(0, 1))]
    data = {"weights": [[_percents(head, ends) for head in time] for time in times.tolist()]}
    data |= {"queries": queries, "keys": keys, "follow": follow, **WEIGHT_LOOK}
    if losses is not None:
        data |= {"losses": six_digits([float(loss) for loss in losses]), "steps": [int(step) for step in steps]}
    first, woven = times[0], losses is not None and times.shape[1] == 1
    maps = [table(rows, queries, keys, ends, title=_name(head, len(first))) for head, rows in enumerate(first)]
    says, shared = partial(_says, queries[follow], first[:, follow].tolist(), keys), ("words", *["ribbons"] * woven)
    return Live("linked-heads", data, "".join(maps), says, title, shared)


def _percents(rows, ends):
    """Return a map as text, row by row, in percents as they are shown: of thousands, six digits each would be long."""
    return "/".join(
        " ".join(f"{100 * float(two_decimals(weight)):.0f}" for weight in row[:end]) for row, end in zip(rows, ends)
    )


def _name(head, heads):
    return f"head {head}" if heads > 1 else "weights"


def _says(query, rows, keys, quote):
    """Say at which key each head looks most for this query."""
    best = [largest_first(row)[0] for row in rows]
    parts = [f"most at “{quote(keys[key])}” ({two_decimals(row[key])})" for row, key in zip(rows, best)]
    if len(rows) > 1:
        parts = [f"{_name(head, len(rows))} {part}" for head, part in enumerate(parts)]
    return f"“{quote(query)}” looks{':' * (len(rows) > 1)} {', '.join(parts)}."
