"""What a layer keeps of a text, live: five ways on one scale, in which the same area holds as many numbers."""

import math
import random

import torch

from companion.pictures.live.base import Live
from companion.pictures.live.still import Drawn, box, draw_text, sheet
from companion.pictures.palette import INK, MUTED, PAPER, ROLES, tint
from companion.pictures.picture import Picture
from companion.pictures.table import label, plain_table, role_row
from companion.pictures.words import visible


def kept(words, num_heads, head_dim, *, num_kv_heads, d_latent, window, start=None):
    """Show how many numbers one layer keeps, token by token: of keys and values in full, and of four smaller ways.

    words: the text, one token each; num_kv_heads: of the grouped heads; d_latent: numbers of a token's latent;
    window: the tokens that a sliding window keeps; start: with how many tokens the picture opens, all if not given.
    A state is (head_dim, head_dim) for each head.
    Raises ValueError for sizes below 1, or heads that their groups do not divide.
    """
    words = [*map(visible, words)]
    start = len(words) if start is None else start
    if not words or min(num_heads, head_dim, num_kv_heads, d_latent, window, start) < 1 or num_heads % num_kv_heads:
        raise ValueError("give at least one word, sizes of at least 1, and heads that num_kv_heads divides")
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
    sentence = _sum(ways, start)
    twin = Drawn(_draw, data, _table(ways, start))
    return Live("kept", data, twin, lambda quote: sentence, "What is kept of a text")


def _sum(ways, number):
    whole, *sizes = [of_token * min(number, most) for _, of_token, most in ways]
    shares = [f"{math.floor(100 * size / whole + 0.5)}% {name}" for (name, *_), size in zip(ways[1:], sizes)]
    return f"After {number} token{'s' * (number > 1)}, of all keys and values: {', '.join(shares)}."


def _table(ways, number):
    """Return for each way what a token adds, for how long, and what is kept at the end of the text."""
    rows = [["what is kept", "numbers of a token", f"after {number} tokens"]]
    for name, of_token, most in ways:
        growth = "the same for any text" if name == "state" else f"{of_token:,}"
        rows.append([label(name), growth, f"<b>{of_token * min(number, most):,}</b>"])
    return plain_table(*(role_row(row, ["input"] * 3, align="left") for row in rows))


WIDE, ROW, TOP = 112, 14, 76  # pixels of all keys and values of a token, of its height, and down to the first
KEY, VALUE, LATENT = (ROLES[role].fill for role in ("key", "value", "input"))


def _draw(data):
    """Draw each way's numbers after the first tokens as boxes, in which the same area holds as many numbers."""
    (heads, groups), ways, number = data["heads"], data["ways"], data["start"]
    unit, (*_, state), window = WIDE / ways[0][1], ways, ways[3][2]
    side = math.sqrt(state[1] * unit * ROW / heads)
    columns = math.ceil(math.sqrt(heads))
    low = TOP + 9 + math.ceil(heads / columns) * (side + 14) + 16  # where the newest product begins
    foot = max(TOP + len(data["words"]) * ROW, low + 0.85 * side)
    figure, axes = sheet(5 * 136 + 10, foot + 40)
    for column, (name, of_token, most) in enumerate(ways):
        left = 4 + 136 * column
        draw_text(axes, left, 14, name, side="left", fontweight="bold")
        draw_text(axes, left, 36, f"{of_token * min(number, most):,} numbers", side="left")
        grows = column < 3 or (column == 3 and number < most)
        heavy = "normal" if grows else "bold"
        draw_text(axes, left, 55, f"+ {of_token * grows:,} a token", side="left", fontweight=heavy)
        for token in range(number - min(number, most), number) if column < 4 else ():
            top, wide = TOP + ROW * token, of_token * unit
            if column == 2:
                box(axes, left, top, wide, ROW, LATENT, PAPER)
            else:
                _pair(axes, left, top, wide, groups if column == 1 else heads)
        if column < 4:
            box(axes, left, TOP + ROW * (number - 1), of_token * unit, ROW, "none", INK, linewidth=1.5)
    left = 4 + 136 * 4
    pairs = torch.tensor([[[*map(int, pair)] for pair in token] for token in data["written"]])
    keys, values = pairs.chunk(2, dim=-1)  # (tokens, heads, head_dim)
    states = torch.einsum("thi, thj -> thij", keys, values).cumsum(dim=0)
    dark, cell = (states[number - 1] / (states.max() or 1)).sqrt().tolist(), side / keys.shape[-1]
    newest = keys[number - 1].tolist(), values[number - 1].tolist()
    for head in range(heads):
        x, y = left + 9 + head % columns * (side + 13), TOP + 9 + head // columns * (side + 14)
        for i, (row, key, value) in enumerate(zip(dark[head], newest[0][head], newest[1][head])):
            for j, shade in enumerate(row):
                box(axes, x + j * cell, y + i * cell, cell, cell, tint(INK, shade))
            box(axes, x - 8, y + i * cell, 7, cell, tint(KEY, key / 3))
            box(axes, x + i * cell, y - 8, cell, 7, tint(VALUE, value / 3))
        box(axes, x - 8, y, 7, side, "none", INK, linewidth=1.5)
        box(axes, x, y - 8, side, 7, "none", INK, linewidth=1.5)
    _added(axes, left, low, 0.85 * side, *(torch.tensor(numbers[0]) for numbers in newest))
    if number > window:
        style = {"edge": MUTED, "linestyle": "--"}
        box(axes, 4 + 136 * 3, TOP, WIDE, ROW * (number - window) - 2, "none", **style)
    signs = {"keys": KEY, "values": VALUE, "a latent": LATENT, "keys times values, added up": PAPER}
    signs["the newest token"] = "none"
    for column, (name, face) in enumerate(signs.items()):
        x = 4 + (0, 70, 150, 240, 462)[column]
        box(axes, x, foot + 18, 18, 12, face)
        for shade in range(3 * (face == PAPER)):
            box(axes, x + 6 * shade, foot + 18, 6, 12, tint(INK, (shade + 1) / 4))
        if face == "none":
            box(axes, x, foot + 18, 18, 12, face, INK, linewidth=1.5)
        draw_text(axes, x + 24, foot + 24, name, side="left")
    names = ", ".join(name for name, *_ in ways)
    words = f"Five ways to keep a text of {number} tokens, side by side: {names}"
    return Picture(figure, f"{words}. Boxes of the same area stand for as many numbers.")


def _added(axes, left, top, size, key, value):
    """Draw what the newest token adds to the first head's square: a key, a column, times a value, a row."""
    cell, middle, row, square = size / len(key), top + size / 2, left + 26, left + 42 + size
    draw_text(axes, left, top - 10, "added now", MUTED, 12, "left")
    for i, (k, products) in enumerate(zip(key.tolist(), torch.outer(key, value).tolist())):
        box(axes, left + 1, top + i * cell, 7, cell, tint(KEY, k / 3))
        box(axes, row + i * cell, middle - 3.5, cell, 7, tint(VALUE, value[i].item() / 3))
        for j, number in enumerate(products):
            box(axes, square + j * cell, top + i * cell, cell, cell, tint(INK, number / 9))
    for x, y, wide, high in ((left + 1, top, 7, size), (row, middle - 3.5, size, 7), (square, top, size, size)):
        box(axes, x, y, wide, high, "none", INK, linewidth=1.5)
    draw_text(axes, left + 17, middle, "×", MUTED, 12)
    draw_text(axes, row + size + 8, middle, "=", MUTED, 12)


def _pair(axes, left, top, wide, count):
    """Draw a token's keys, then its values, one box for each head."""
    for number in range(2 * count):
        box(axes, left + wide * number / 2 / count, top, wide / 2 / count, ROW, (KEY, VALUE)[number >= count], PAPER)
