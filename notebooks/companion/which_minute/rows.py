"""A sentence and the weights of its "minute" as a row of a table, which reads where scripts are stripped, too."""

from pathlib import Path

from companion.pictures.palette import INK, ROLES
from companion.pictures.table import label
from companion.pictures.words import shown
from companion.which_minute.sentences import MEANINGS

HOME = Path(__file__).parent  # of the scripts and styles of the live pictures beside this file
BAR = f"height:8px;background:{ROLES['weight'].fill}"
MARKS = ("●", "▲", "■")  # of each meaning in `MEANINGS`, as meanings.js draws them


def meaning_of(number):
    """Return a meaning in words, behind its mark."""
    return f"{MARKS[number]} {MEANINGS[number]}"


def word_cells(words, weights):
    """Return a cell for each word: the word, a bar as wide as its weight, and the weight."""
    bars = [f'<div style="width:{100 * weight:.0f}%;{BAR}"></div>{shown(weight)}' for weight in weights]
    return "".join(f'<td style="color:{INK}">{label(word)}{bar}</td>' for word, bar in zip(words, bars))
