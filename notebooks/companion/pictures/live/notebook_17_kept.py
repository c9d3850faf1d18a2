"""What a layer keeps of a text, live: five ways on one scale, in which the same area holds as many numbers."""

import math
import random

from companion.pictures.live.base import Live
from companion.pictures.table import label, plain_table, role_row
from companion.pictures.words import visible


def kept(words, num_heads, head_dim, *, num_kv_heads, d_latent, window, start=None):
    """Show how many numbers one layer keeps, token by token: of keys and values in full, and of four smaller ways.

    words: the text, one token each; num_kv_heads: of the grouped heads; d_latent: numbers of a token's latent;
    window: the tokens that a sliding window keeps; start: with how many tokens the picture opens, all if not given.
    A state is (head_dim, head_dim) for each head.
    Raises ValueError for sizes below 1, a start behind the text, or heads that their groups do not divide.
    """
    words = [*map(visible, words)]
    start = len(words) if start is None else start
    if not words or min(num_heads, head_dim, num_kv_heads, d_latent, window, start) < 1 or num_heads % num_kv_heads:
        raise ValueError("give at least one word, sizes of at least 1, and heads that num_kv_heads divides")
    if start > len(words):
        raise ValueError(f"start is {start}, but the text has {len(words)} tokens: open the picture within it")
    # Of each way: its name, the numbers of a token, and of how many tokens they are kept; a state has only one.
    whole = 2 * num_heads * head_dim
    ways = [
        ["keys and values", whole, len(words)],
        ["grouped heads", 2 * num_kv_heads * head_dim, len(words)],
        ["latent", d_latent, len(words)],
        [f"window of {window}", whole, window],
        ["state", num_heads * head_dim**2, 1],
    ]
    data = {"words": words, "ways": ways, "heads": [num_heads, num_kv_heads], "start": start}
    digits = random.Random(0)  # of each token and head a key and a value, head_dim digits each
    data["written"] = [["".join(digits.choices("0123", k=2 * head_dim)) for _ in range(num_heads)] for _ in words]
    return Live("kept", data, _table(ways, start), _says(ways, start), "What is kept of a text")


def _says(ways, number):
    whole, *sizes = [of_token * min(number, most) for _, of_token, most in ways]
    shares = [f"{math.floor(100 * size / whole + 0.5)}% {name}" for (name, *_), size in zip(ways[1:], sizes)]
    return f"After {_tokens(number)}, of all keys and values: {', '.join(shares)}."


def _tokens(number):
    return f"{number} token{'s' * (number > 1)}"


def _table(ways, number):
    """Return for each way what a token adds, for how long, and what is kept at the end of the text."""
    rows = [["what is kept", "numbers of a token", f"after {_tokens(number)}"]]
    for name, of_token, most in ways:
        growth = "the same for any text" if name == "state" else f"{of_token:,}"
        rows.append([label(name), growth, f"<b>{of_token * min(number, most):,}</b>"])
    return plain_table(*(role_row(row, ["input"] * 3, align="left") for row in rows))
