"""Letters to type, and what a model that reads them would write next, live: a bar for each letter."""

import math
import string

import torch

from companion.pictures.live.base import WEIGHT_LOOK, Live
from companion.pictures.live.readings import LETTERS
from companion.pictures.table import plain_table, role_row
from companion.pictures.words import largest_first, two_decimals

ALPHABET = "·" + string.ascii_lowercase  # of the dot, which begins a word and ends it, the id is 0
LONGEST = 9
FINEST = 0.002  # the step between two numbers as they are stored


@torch.no_grad()
def letter_bars(model, text, temperature=1.0):
    """Show what a model expects after some letters, and what the last of them reads. More can be typed, or drawn.

    model: as notebook 08 builds it: tables `letter` and `position`, a head `attend`, a layer `next`; in double
    precision, so that it is stored alike on any processor; text: up to 9 letters; temperature: 0.1 to 2.
    Raises ValueError for a text with anything but a to z, or one that is too long.
    """
    if len(text) > LONGEST or not set(text) <= set(ALPHABET[1:]):
        raise ValueError(f"“{text}” should be at most {LONGEST} letters, a to z")
    data = {"text": text, "temperature": temperature, "letters": LETTERS, "look": WEIGHT_LOOK, **_folded(model)}
    weights, shares = _read(data)
    reads = [["reads", "weight"], *([letter, two_decimals(weight)] for letter, weight in zip(f"·{text}", weights))]
    likely = [["next", "share"], *([ALPHABET[best], two_decimals(shares[best])] for best in largest_first(shares)[:6])]
    table = "".join(plain_table(*(role_row(row, ["input"] * 2) for row in rows)) for rows in (reads, likely))
    return Live("letter-bars", data, table, _says(text, weights, shares), "What comes next?", ("words",))


def _folded(model):
    """Return a model as the numbers that its script adds up, two signs each.

    Rows are the letters, then the positions: for each pair a part of a score, and for each the parts of all logits,
    from its own vector and from its value.
    """
    rows = torch.cat([model.letter.weight, model.position.weight])
    query, key, value = (getattr(model.attend, f"W_{role}")(rows) for role in ("query", "key", "value"))
    parts = query @ key.T / key.shape[1] ** 0.5, rows @ model.next.weight.T, value @ model.next.weight.T
    numbers = torch.cat([*(part.flatten() for part in parts), model.next.bias])
    half = len(LETTERS) ** 2 // 2
    step = FINEST * 2 ** max(0, math.ceil(math.log2(numbers.abs().max() / FINEST / half)))
    levels = (numbers / step).round().int() + half
    signs = (LETTERS[level // len(LETTERS)] + LETTERS[level % len(LETTERS)] for level in levels.tolist())
    return {"step": step, "model": "".join(signs)}


def _read(data):
    """Return the weights of the last letter, and the shares of all letters, as letter-bars.js does."""
    signs = [LETTERS.index(sign) for sign in data["model"]]
    levels = torch.tensor(signs, dtype=torch.float64).view(-1, 2) @ torch.tensor([len(LETTERS), 1.0]).double()
    count, letters = len(ALPHABET) + LONGEST + 1, len(ALPHABET)
    scores, own, value, bias = (data["step"] * (levels - len(LETTERS) ** 2 // 2)).split(
        [count**2, count * letters, count * letters, letters]
    )
    places = [[ALPHABET.index(letter), letters + place] for place, letter in enumerate(f"·{data['text']}")]
    scores, own, value = (part.view(count, -1) for part in (scores, own, value))
    asks = scores[places[-1]].sum(dim=0)
    weights = torch.softmax(asks[torch.tensor(places)].sum(dim=1), dim=0)
    logits = bias + own[places[-1]].sum(dim=0) + weights @ value[torch.tensor(places)].sum(dim=1)
    return weights.tolist(), torch.softmax(logits / data["temperature"], dim=0).tolist()


def _says(text, weights, shares):
    best, most = largest_first(shares)[0], largest_first(weights)[0]
    end = f"the likeliest letter is “{ALPHABET[best]}”" if best else "the word most likely ends"
    start = f"After “{text}”" if text else "At the start"
    reads = f" Here “{text[-1]}” reads most from “{f'·{text}'[most]}” ({two_decimals(weights[most])})." if text else ""
    return f"{start}, {end} ({two_decimals(shares[best])}).{reads}"
