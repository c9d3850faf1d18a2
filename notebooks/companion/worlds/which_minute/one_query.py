"""A head's three roles, live: one word asks, each word answers by its key, and hands over its value."""

import math

import torch

from companion.pictures.live.base import Live, six_digits
from companion.pictures.live.plane import plane_reach
from companion.pictures.live.still import Drawn, arrow, box, draw_text, plane, row_arrow, sheet
from companion.pictures.palette import MUTED, ROLES, TRACK
from companion.pictures.picture import Picture
from companion.pictures.placing import around, half, settle
from companion.pictures.table import label, plain_table, role_row
from companion.pictures.words import largest_first, shown
from companion.worlds.which_minute.head import trained
from companion.worlds.which_minute.picture_parts import HOME
from companion.worlds.which_minute.sentences import CLUES, VOCABULARY

FORM = "she noticed one minute {} today"
ALL = [word for word in FORM.split() if word != "{}"] + [clue for clues in CLUES for clue in clues]


@torch.no_grad()
def one_query(clue="pause", asks="minute", arrows=True):
    """Show which words a word of a sentence takes something from, in the trained head: it and the clue can be chosen.

    On the left, its query (divided by √2) and all keys; on the right, all values, and the context that their weights
    make. clue: the word after "minute"; asks: a word of the sentence; arrows: without them, the weights alone.
    Raises ValueError for a word that is not there.
    """
    words = FORM.format(clue).split()
    if clue not in ALL[5:] or asks not in words:
        raise ValueError(
            f"“{clue}” and “{asks}”: the clue must be one of {', '.join(ALL[5:])}; a word of the sentence asks"
        )
    head = trained()
    inputs = head.embedding(torch.tensor(VOCABULARY.encode(ALL)))
    queries, keys, values = (getattr(head.attend, f"W_{role}")(inputs) for role in ("query", "key", "value"))
    vectors = torch.stack([queries / 2**0.5, keys, values], dim=1).double().round(decimals=4)  # (words, 3, 2)
    data = {"form": FORM, "clue": clue, "asks": words.index(asks), "arrows": arrows}
    data["vectors"] = dict(zip(ALL, six_digits(vectors.tolist())))
    data["reach"] = [plane_reach(vectors[:, :2]), plane_reach(vectors[:, 2])]
    data |= {"middle": [[0.8, 1.2], [0, 0]], "half": [3, data["reach"][1] + 0.7]}  # what is seen: all of them
    weights, context = _read(data)
    best = largest_first(weights)[0]

    def says(quote):
        end = f", and its context is {_vector(context)}" if arrows else ""
        return f"“{quote(asks)}” takes most from “{quote(words[best])}” ({shown(weights[best])} of 1){end}."

    twin = Drawn(_draw, data, _table(data))
    title = "One word asks, all words answer" if arrows else "What one word takes from each"
    return Live(HOME / "one-query", data, twin, says, title, ("drag", "plane", "words"))


def _words(data):
    return data["form"].format(data["clue"]).split()


def _read(data):
    """Return the weights of the word that asks, and its context, as one-query.js does."""
    query, key, value = torch.tensor([data["vectors"][word] for word in _words(data)], dtype=torch.float64).unbind(1)
    weights = torch.softmax(key @ query[data["asks"]], dim=-1)
    return weights.tolist(), (weights @ value).tolist()


def _vector(numbers):
    return f"({', '.join(map(shown, numbers))})"


def _table(data):
    """Return how much the word that asks takes from each word, and beside it, if shown, that word's key and value."""
    words, (weights, context) = _words(data), _read(data)
    if not data["arrows"]:
        rows = [role_row([label(word), shown(weight)], ["key", "weight"]) for word, weight in zip(words, weights)]
        return plain_table(role_row(["", "weight"], ["key", "weight"], "th"), *rows)
    rows = [role_row(["", "key k", "weight α", "value v"], ["key", "key", "weight", "value"], "th")]
    for word, weight in zip(words, weights):
        _, key, value = map(_vector, data["vectors"][word])
        rows.append(role_row([label(word), key, shown(weight), value], ["key", "key", "weight", "value"]))
    rows.append(role_row(["context", "", "", _vector(context)], ["context"] * 4))
    asks = words[data["asks"]]
    return plain_table(*rows, caption=f"query of {label(asks)}: {_vector(data['vectors'][asks][0])}", role="query")


def _draw(data):
    """Draw the weights as bars between words, and above them, if shown, the arrows."""
    words, (weights, context) = _words(data), _read(data)
    best, top = words[largest_first(weights)[0]], 376 if data["arrows"] else 78
    figure, axes = sheet(680, top + 132)
    if data["arrows"]:
        _draw_arrows(axes, data, weights, context)
    for j, (word, weight) in enumerate(zip(words, weights)):
        middle, own = 56 + 114 * j, j == data["asks"]
        if weight >= 0.05 and not data["arrows"]:
            row_arrow(axes, 56 + 114 * data["asks"], middle, top + 4, 1, weight, "")
        box(axes, middle - 34, top + 16, 68, 90, TRACK)
        box(axes, middle - 34, top + 106 - 90 * weight, 68, 90 * weight, ROLES["weight"].fill)
        draw_text(axes, middle, top + 120, shown(weight), ROLES["weight"].ink)
        ink, thick = (ROLES["query"].ink, "bold") if own else (ROLES["key"].ink, "normal")
        draw_text(axes, middle, top, word, ink, 16, fontweight=thick)
    planes = "A plane with an arrow for a query among those of all keys, one with the context among the values, and "
    drawn = planes if data["arrows"] else "A row of words with arrows from the one that asks, and "
    return Picture(figure, f"{drawn}bars of the weights. “{best}” gets the longest bar.")


def _draw_arrows(axes, data, weights, context):
    """Draw the query among the keys, and the context among the values."""
    words, asks = _words(data), data["asks"]
    vectors = [data["vectors"][word] for word in words]
    largest = largest_first(weights)
    titles = f"“{words[asks]}” asks: its query, and all keys", "what it takes: all values, and its context"
    for s, (role, title) in enumerate(zip(("key", "value"), titles)):
        draw_text(axes, 1 + 350 * s, 12, title, side="left", fontweight="bold")
        flat = plane(axes, 1 + 350 * s, 28, 320, data["reach"][s], 1.1)
        (x, y), half = data["middle"][s], data["half"][s]
        flat.set(xlim=(x - half, x + half), ylim=(y - half, y + half))
        style = {"transform": flat.transAxes, "size": 11}
        draw_text(flat, 0.98, 0.04, f"a square is {math.ceil(data['reach'][s] / 5)}", MUTED, side="right", **style)
        for j in reversed(largest):
            arrow(flat, role, vectors[j][1 + s], 2.5, strength=0.35 + 0.65 * weights[j])
        whole, name, thick = (context, "context", 5) if s else (vectors[asks][0], "query", 4)
        arrow(flat, name, whole, thick)
        if not s:
            flat.plot(*whole, "o", color="none", markeredgecolor=ROLES["query"].ink, markersize=18)
        named = [(name, name, whole), *((word, role, vector[1 + s]) for word, vector in zip(words, vectors))]
        _name(flat, sorted(named, key=lambda each: -math.hypot(*each[2])))


def _name(flat, named):
    """Write each name, (text, role, tip), near its tip, where it covers the least of names and arrows."""
    tips = flat.transData.transform([tip for *_, tip in named])
    middle = flat.transData.transform((0, 0))
    shafts = [around(*(middle + (tip - middle) * step / 12), 3, 3) for tip in tips for step in range(1, 13)]
    for (text, role, _), tip in zip(named, tips):
        apart = 9 * (role == "query")  # of the ring at its tip
        written = draw_text(flat, 0, 0, text, ROLES[role].ink, fontweight="bold", va="center", zorder=5)
        wide, high = half(written)
        turn = math.atan2(*(tip - middle)[::-1])
        spots = [
            (tip[0] + (wide + apart + out) * math.cos(turn + way), tip[1] + (high + apart + out) * math.sin(turn + way))
            for out in (9, 20, 32, 45, 60)
            for way in (side * step * math.pi / 12 for step in range(12) for side in (1, -1))
        ]
        settle(written, spots, shafts)
