"""What the pictures of this world share: the marks of the meanings, a sentence as cells of a table, and the plane."""

from pathlib import Path

from companion.pictures.live.still import draw_text, plane
from companion.pictures.palette import INK, ROLES
from companion.pictures.table import label
from companion.pictures.words import shown
from companion.worlds.which_minute.sentences import MEANINGS

HOME = Path(__file__).parent  # of the scripts and styles of the live pictures beside this file
MARKS = ("●", "▲", "■")  # of each meaning in `MEANINGS`, as meanings.js draws them
SHAPES = ("o", "^", "s")  # the same for matplotlib


def meaning_of(number):
    """Return a meaning in words, behind its mark."""
    return f"{MARKS[number]} {MEANINGS[number]}"


def word_cells(words, weights):
    """Return a cell for each word: the word, and below it its weight."""
    numbers = map(shown, weights)
    return "".join(f'<td style="color:{INK}">{label(word)}<br/>{number}</td>' for word, number in zip(words, numbers))


def meanings_plane(axes, left, top, size, reach):
    """Add the plane of contexts to a sheet, a legend below it; return it, and what draws a meaning's mark in it."""
    flat = plane(axes, left, top, size, reach, 150 / 136, grid=False)
    for number in range(len(MEANINGS)):
        x, y = left + size * number / 3, top + size + 16
        draw_text(axes, x, y, meaning_of(number), ROLES["context"].ink, side="left")

    def mark(point, meaning, strength):
        style = {"color": ROLES["context"].fill, "alpha": strength, "markersize": 9, "markeredgecolor": "none"}
        flat.plot(*point, SHAPES[meaning], **style)

    return flat, mark
