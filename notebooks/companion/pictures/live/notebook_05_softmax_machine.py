"""Softmax as a machine to play with, live: scores go in, shares of 1 come out."""

import math
from functools import partial

import torch

from companion.pictures.live.base import Live, six_digits
from companion.pictures.table import label, plain_table, role_row
from companion.pictures.words import labelled, largest_first, two_decimals, visible

MOST_KEYS = 12
ROOM = 2  # on the scale of scores, beyond the smallest and the largest, to move in


def softmax_machine(scores, keys, query=None, temperature=1):
    """Show how softmax shares 1 out among the keys of one query; scores, temperature and keys can be changed.

    scores: (keys,), before softmax; keys: labels; query: label of the one that asks, if the sentence should name it;
    temperature: which divides the scores, from 1/5 to 5.
    Raises ValueError for scores that are not a row of finite numbers, labels that do not fit, or more than 12 keys.
    """
    scores, keys = torch.as_tensor(scores), list(keys)
    if scores.shape != (len(keys),):
        raise ValueError(
            f"the scores have shape {tuple(scores.shape)}, but {len(keys)} keys need ({len(keys)},): "
            "give the row of one query, such as scores[1]"
        )
    if len(keys) > MOST_KEYS:
        raise ValueError(f"{len(keys)} keys are too many to share one bar; give at most {MOST_KEYS}")
    scores, _, keys = labelled("scores", scores[None], ["query"], keys)
    if scores.isinf().any():
        raise ValueError("a score is inf or -inf; give the scores before the mask, and click keys away in the picture")
    query = None if query is None else visible(query)
    row = six_digits(scores[0].tolist())
    data = {"scores": row, "keys": keys, "query": query, "temperature": temperature}
    data["scale"] = [min(0, math.floor(min(row))) - ROOM, max(0, math.ceil(max(row))) + ROOM]
    shares = torch.softmax(torch.tensor(row, dtype=torch.float64) / temperature, dim=-1).tolist()
    says, title = partial(_says, query, shares, keys), "Softmax: scores become shares of 1"
    return Live("softmax-machine", data, _table(row, shares, keys, temperature), says, title, shared=("words",))


def _says(query, shares, keys, quote):
    first, *others = [(quote(keys[j]), two_decimals(shares[j])) for j in largest_first(shares)[:2]]
    asking = "" if query is None else f"For “{quote(query)}”: "
    second = "".join(f", “{key}” {share}" for key, share in others if share != "0.00")
    return f"{asking}“{first[0]}” gets {first[1]} of 1{second}."


def _table(row, shares, keys, temperature):
    """Return each key's score, its exp and its share; the sums as the last row."""
    exps = torch.exp(torch.tensor(row, dtype=torch.float64) / temperature).tolist()
    exponent = "ω" if temperature == 1 else f"ω / {two_decimals(temperature)}"
    heads = {"key": "key", "score ω": "score", f"exp({exponent})": "score", "weight α = exp / sum": "weight"}
    rows = [[label(key), *map(two_decimals, numbers)] for key, *numbers in zip(keys, row, exps, shares)]
    rows.append(["sum", "", two_decimals(sum(exps)), two_decimals(sum(shares))])
    return plain_table(role_row(heads, heads.values(), "th"), *(role_row(cells, heads.values()) for cells in rows))
