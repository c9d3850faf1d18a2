"""What the pictures of this world share: the marks of the meanings, and a sentence as cells of a table."""

from pathlib import Path

from companion.pictures.palette import INK
from companion.pictures.table import label
from companion.pictures.words import two_decimals
from companion.worlds.which_minute.sentences import MEANINGS

HOME = Path(__file__).parent  # of the scripts and styles of the live pictures beside this file
MARKS = ("●", "▲", "■")  # of each meaning in `MEANINGS`, as meanings.js draws them
SHAPES = ("o", "^", "s")  # the same for matplotlib


def meaning_of(number):
    """Return a meaning in words, behind its mark."""
    return f"{MARKS[number]} {MEANINGS[number]}"


def word_cells(words, weights):
    """Return a cell for each word: the word, and below it its weight."""
    numbers = map(two_decimals, weights)
    return "".join(f'<td style="color:{INK}">{label(word)}<br/>{number}</td>' for word, number in zip(words, numbers))
