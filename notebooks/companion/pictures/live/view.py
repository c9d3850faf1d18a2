"""The softmax of scores, live: followed query by query, at any temperature, with or without a causal mask."""

import math

import torch

from companion.pictures.live.base import WEIGHT_LOOK, Live, stored
from companion.pictures.table import label, steps_table, table
from companion.pictures.words import describe_largest, describe_query, labelled
from utils.attention import causal_mask, masked_softmax

MOST_HEADS = 16


def view(scores, queries, keys=None, *, head_dim=None, causal=None, follow=None, title="Attention weights"):
    """Show the softmax of scores as a table that can be followed query by query, with linked lines.

    scores: (queries, keys) or (heads, queries, keys), before softmax, -inf where a query may not attend;
    keys: labels, the queries' own if not given;
    head_dim: also show the steps of one query, the first if none is followed, from its raw dot products, over
    √head_dim and the mask, to the weights; causal: True or False offers the causal mask, on or off at the start;
    follow: index of the query followed at first.
    It needs no kernel and no network once shown. Where scripts are stripped, it is a table of head 0 and a sentence.
    Raises ValueError for shapes that do not fit, nan or +inf, weights in place of scores, a query that is not there,
    or more than 64 × 64 cells or 16 heads; TypeError for a `causal` that is not True or False.
    """
    scores = torch.as_tensor(scores, dtype=torch.float64)
    heads = scores if scores.ndim == 3 else scores[None]
    if not 1 <= len(heads) <= MOST_HEADS:
        raise ValueError(f"{len(heads)} heads cannot be chosen from; give 1 to {MOST_HEADS}")
    heads = [labelled("scores", head, queries, keys) for head in heads]
    _, queries, keys = heads[0]
    head_dim, causal, follow = _item(head_dim), _item(causal), _item(follow)
    scores = torch.stack([head for head, _, _ in heads])
    _check_scores(scores)
    _check_options(len(queries), len(keys), head_dim, causal, follow)
    if head_dim is not None and follow is None:
        follow = 0
    numbers = stored(scores.tolist())
    data = {"scores": numbers, "queries": queries, "keys": keys, "head_dim": head_dim, "causal": causal}
    data |= {"follow": follow, **WEIGHT_LOOK}
    twin, texts = _still(data)
    return Live("view", data, twin, *texts, title, shared=("words", "tables"))


def _still(data):
    """Return what shows of head 0 without the script, by the very numbers that the script gets: tables and texts."""
    queries, keys, head_dim, follow = (data[name] for name in ("queries", "keys", "head_dim", "follow"))
    scores = [[-math.inf if number is None else number for number in row] for row in data["scores"][0]]
    scores = torch.tensor(scores, dtype=torch.float64)
    scaled = scores / math.sqrt(head_dim or 1)
    mask = scores.isfinite() & (causal_mask(len(queries)) if data["causal"] else True)
    weights = masked_softmax(scaled, mask)
    twin = table(weights, queries, keys, mask=mask)
    if head_dim is not None:
        masked = scaled.masked_fill(~mask, -math.inf)
        steps = {"score: q·k": scores, f"scaled: ÷ √{head_dim}": scaled, "masked": masked}
        steps = {name: step[follow].tolist() for name, step in steps.items()}
        twin += steps_table(steps, weights[follow].tolist(), queries[follow], keys)
    head = "Head 0: " if len(data["scores"]) > 1 else ""
    if follow is None:
        texts = (describe_largest(weights.tolist(), queries, keys, "weight", write) for write in (str, label))
    else:
        row, seen = weights[follow].tolist(), mask[follow].tolist()
        texts = (describe_query(queries[follow], row, keys, seen, write) for write in (str, label))
    return twin, [head + text for text in texts]


def _check_scores(scores):
    if scores.isposinf().any():
        raise ValueError("a score is +inf, so that its row has no softmax; only -inf, for a hidden key, is allowed")
    sums = scores.sum(dim=-1)
    if (scores >= 0).all() and sums.any() and (((sums - 1).abs() < 1e-3) | (sums == 0)).all():
        raise ValueError(
            "these look like weights, because each row sums to 1; view takes scores, before softmax (if you have "
            "weights alone, give their logarithm; if these are scores, add 1 to each, which changes no weight)"
        )


def _check_options(num_queries, num_keys, head_dim, causal, follow):
    if causal is not None and not isinstance(causal, bool):
        raise TypeError(f"causal is {causal!r}; give True or False to offer the causal mask, or leave it out")
    if causal is not None and num_queries != num_keys:
        raise ValueError(f"a causal mask needs as many queries as keys, but there are {num_queries} and {num_keys}")
    if head_dim is not None and not head_dim > 0:
        raise ValueError(f"head_dim is {head_dim}; it is the number of features of a query, 1 or more")
    if follow is not None and (type(follow) is not int or follow not in range(num_queries)):
        raise ValueError(f"follow is {follow}, but the queries have the numbers 0 to {num_queries - 1}")


def _item(value):
    """Turn a number of torch's or numpy's into Python's."""
    return value.item() if hasattr(value, "item") else value
