"""Softmax as a machine to play with, live: scores go in, shares of 1 come out."""

import math
from functools import partial

import torch

from companion.pictures.live.base import Live, six_digits
from companion.pictures.live.still import Drawn, bar, box, draw_text, sheet
from companion.pictures.palette import INK, PAPER, ROLES, TRACK
from companion.pictures.picture import Picture
from companion.pictures.table import label, plain_table, role_row
from companion.pictures.words import labelled, largest_first, shown, visible

MOST_KEYS = 12
ROOM = 2  # on the scale of scores, beyond the smallest and the largest, to move in
NAMED = 0.12  # a smaller part of the static bar has no room for its key's name


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
    twin = Drawn(_draw, data | {"shares": six_digits(shares)}, _table(row, shares, keys, temperature))
    says, title = partial(_shares, query, shares, keys), "Softmax: scores become shares of 1"
    return Live("softmax-machine", data, twin, says, title, shared=("words",))


def _shares(query, shares, keys, quote):
    first, *others = [(quote(keys[j]), shown(shares[j])) for j in largest_first(shares)[:2]]
    asking = "" if query is None else f"For “{quote(query)}”: "
    second = "".join(f", “{key}” {share}" for key, share in others if share != "0.00")
    return f"{asking}“{first[0]}” gets {first[1]} of 1{second}."


def _table(row, shares, keys, temperature):
    """Return each key's score, its exp and its share; the sums as the last row."""
    exps = torch.exp(torch.tensor(row, dtype=torch.float64) / temperature).tolist()
    exponent = "ω" if temperature == 1 else f"ω / {shown(temperature)}"
    heads = {"key": "key", "score ω": "score", f"exp({exponent})": "score", "weight α = exp / sum": "weight"}
    rows = [[label(key), *map(shown, numbers)] for key, *numbers in zip(keys, row, exps, shares)]
    rows.append(["sum", "", shown(sum(exps)), shown(sum(shares))])
    return plain_table(role_row(heads, heads.values(), "th"), *(role_row(cells, heads.values()) for cells in rows))


def _draw(data):
    """Draw each key's score, its exp and its weight, which begins where that of the key before it ends."""
    scores, keys, shares, temperature = (data[name] for name in ("scores", "keys", "shares", "temperature"))
    blue, high, foot = ROLES["score"], 34, 44 + 34 * len(keys)
    exps = torch.exp(torch.tensor(scores, dtype=torch.float64) / temperature).tolist()
    low, top = (max([0, *(sign * score for score in scores)]) for sign in (-1, 1))
    zero, unit = 160 + 120 * low / (low + top or 1), 120 / (low + top or 1)
    figure, axes = sheet(740, foot + 44)
    exponent = "ω" if temperature == 1 else f"ω / {shown(temperature)}"
    for x, name, ink in ((6, "key", ROLES["key"].ink), (104, "score ω", blue.ink), (310, f"exp({exponent})", blue.ink)):
        draw_text(axes, x, 22, name, ink, side="left", fontweight="bold")
    draw_text(axes, 450, 22, "weight α = exp / sum", blue.ink, side="left", fontweight="bold")
    axes.plot([zero, zero], [44, foot], color=blue.ink, linewidth=0.8)
    start = 500
    for row, (key, score, exp, share) in enumerate(zip(keys, scores, exps, shares)):
        middle, wide = 44 + high * (row + 0.5), 230 * share
        draw_text(axes, 6, middle, key[:12], ROLES["key"].ink, side="left")
        for x, number in ((150, score), (350, exp), (490, share)):
            draw_text(axes, x, middle, shown(number), blue.ink, side="right")
        bar(axes, zero, middle, unit * score)
        box(axes, 360, middle - 9, 66, 18, TRACK)
        bar(axes, 360, middle, 66 * share / max(shares), 18)
        box(axes, 500, middle - 9, 230, 18, TRACK)
        bar(axes, start, middle, wide, 18)
        bar(axes, start, foot + 22, wide, 26)
        axes.plot([start, start], [foot + 9, foot + 35], color=PAPER, linewidth=1)
        if share >= NAMED:
            draw_text(axes, start + wide / 2, foot + 22, key[:12], PAPER, path_effects=[])
        start += wide
    axes.plot([0, 740], [foot, foot], color=blue.ink, linewidth=1.2)
    draw_text(axes, 6, foot + 22, "sum", INK, side="left", fontweight="bold")
    for x, number in ((350, sum(exps)), (490, sum(shares))):
        draw_text(axes, x, foot + 22, shown(number), blue.ink, side="right", fontweight="bold")
    words = f"A row for each of the keys {', '.join(keys)}, with bars for its score, its exp and its weight"
    return Picture(figure, f"{words}. Laid end to end, the weights fill one bar of length 1.")
