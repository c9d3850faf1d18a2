"""How one token reads a row of tokens, as readings.js draws it: bands from it to each, as wide as the weights."""

from companion.pictures.live.still import bend, box, draw_text
from companion.pictures.palette import MUTED, ROLES, tint
from companion.pictures.words import shown

# A weight as one letter, its percents: of thousands, each in digits would be long. None is a sign of HTML or JSON.
LETTERS = "".join(letter for letter in map(chr, [*range(33, 127), *range(0xC0, 0xCD)]) if letter not in "\"&'<>\\")
HIGH, WIDE = 26, 110  # pixels of a row, and of the bands between two columns
LEAST = 0.005  # a smaller weight is shown as 0.00, and not drawn


def letters(weights):
    """Return weights as a text, row by row: each becomes the letter of its percents."""
    return "".join(LETTERS[round(100 * float(shown(weight)))] for weight in weights.flatten().tolist())


def weights_of(text):
    return [LETTERS.index(letter) / 100 for letter in text]


def draw_tokens(axes, x, y, tokens, name, asks=None):
    """Write tokens below each other, and end them at x; the one that asks stands out. y: where their name begins."""
    draw_text(axes, x, y + HIGH / 2, name, MUTED, 12, "right")
    for row, token in enumerate(tokens):
        heavy = "bold" if row == asks else "normal"
        draw_text(axes, x, y + HIGH * (row + 1.5), token, ROLES["query"].ink, 14, "right", fontweight=heavy)


def draw_reading(axes, x, y, tokens, name, asks, weights, chosen=None):
    """Draw the bands from where `draw_tokens` ends to the same tokens as they are read, with their weights.

    chosen: the number of the token that is framed.
    """
    draw_text(axes, x + WIDE + 12, y + HIGH / 2, name, MUTED, 12, "left")
    heights = [y + HIGH * (row + 1.5) for row in range(len(tokens))]
    for row, (height, token, weight) in enumerate(zip(heights, tokens, weights)):
        end, color = x + 6 + WIDE, tint(ROLES["weight"].fill, 0.75)
        if weight >= LEAST:
            half = x + 6 + WIDE / 2
            ways = (x + 6, heights[asks]), (half, heights[asks]), (half, height), (end, height)
            bend(axes, *ways, color, 1 + 19 * weight)
        heavy = "bold" if weight == max(weights) else "normal"
        edge = {"facecolor": "none", "edgecolor": ROLES["key"].fill, "pad": 1.5} if row == chosen else None
        name = draw_text(axes, end + 6, height, token, ROLES["key"].ink, 14, "left", fontweight=heavy, bbox=edge)
        if weight >= LEAST:
            number = {"xycoords": name, "textcoords": "offset points", "va": "center", "fontweight": heavy}
            style = {"color": ROLES["weight"].ink, "fontsize": name.get_fontsize()}
            axes.annotate(shown(weight), (1, 0.5), (6, 0), **number, **style)


def frame(axes, x, y, wide, high):
    """Draw the frame of what is chosen."""
    box(axes, x, y, wide, high, "none", ROLES["query"].fill, linewidth=1.6)
