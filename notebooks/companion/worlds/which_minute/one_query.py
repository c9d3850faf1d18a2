"""A head's three roles, live: one word asks, each word answers by its key, and hands over its value."""

import torch

from companion.pictures.live.base import Live, six_digits
from companion.pictures.live.plane import plane_reach
from companion.pictures.table import label, plain_table, role_row
from companion.pictures.words import largest_first, two_decimals
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
        return f"“{quote(asks)}” takes most from “{quote(words[best])}” ({two_decimals(weights[best])} of 1){end}."

    title = "One word asks, all words answer" if arrows else "What one word takes from each"
    return Live(HOME / "one-query", data, _table(data), says, title, ("drag", "plane", "words"))


def _words(data):
    return data["form"].format(data["clue"]).split()


def _read(data):
    """Return the weights of the word that asks, and its context, as one-query.js does."""
    query, key, value = torch.tensor([data["vectors"][word] for word in _words(data)], dtype=torch.float64).unbind(1)
    weights = torch.softmax(key @ query[data["asks"]], dim=-1)
    return weights.tolist(), (weights @ value).tolist()


def _vector(numbers):
    return f"({', '.join(map(two_decimals, numbers))})"


def _table(data):
    """Return how much the word that asks takes from each word, and beside it, if shown, that word's key and value."""
    words, (weights, context) = _words(data), _read(data)
    if not data["arrows"]:
        rows = [
            role_row([label(word), two_decimals(weight)], ["key", "weight"]) for word, weight in zip(words, weights)
        ]
        return plain_table(role_row(["", "weight"], ["key", "weight"], "th"), *rows)
    rows = [role_row(["", "key k", "weight α", "value v"], ["key", "key", "weight", "value"], "th")]
    for word, weight in zip(words, weights):
        _, key, value = map(_vector, data["vectors"][word])
        rows.append(role_row([label(word), key, two_decimals(weight), value], ["key", "key", "weight", "value"]))
    rows.append(role_row(["context", "", "", _vector(context)], ["context"] * 4))
    asks = words[data["asks"]]
    return plain_table(*rows, caption=f"query of {label(asks)}: {_vector(data['vectors'][asks][0])}", role="query")
