"""English words, letter by letter, as a model that writes reads them. Used in notebook 08.

The words are those of the CMU Pronouncing Dictionary (`companion.worlds.pronunciation.dictionary`).
"""

import functools
import random
import re

import torch

from companion.worlds.pronunciation.dictionary import read_dictionary

LETTERS = ".abcdefghijklmnopqrstuvwxyz"  # the dot begins each word and ends it
LONGEST, HELD_BACK = 9, 2_000


@functools.cache
def split_words():
    """Return the words of 3 to 9 letters, dealt out at random: those to learn from, and 2,000 held back for a test."""
    words = sorted(word for word in read_dictionary() if re.fullmatch(r"[a-z]{3,9}", word))
    random.Random(0).shuffle(words)
    return words[HELD_BACK:], words[:HELD_BACK]


def encode(words):
    """Return what a model reads, and what should come next, both (words, 10) ids.

    Behind a word's end nothing is asked, which -100 says.
    >>> encode(["bad"])[0][0].tolist(), encode(["bad"])[1][0].tolist()
    ([0, 2, 1, 4, 0, 0, 0, 0, 0, 0], [2, 1, 4, 0, -100, -100, -100, -100, -100, -100])
    """
    filled = "".join(f".{word}".ljust(LONGEST + 2, ".") for word in words)
    rows = torch.tensor([LETTERS.index(letter) for letter in filled]).view(len(words), LONGEST + 2)
    lengths = torch.tensor([len(word) for word in words])
    asked = torch.arange(LONGEST + 1) <= lengths[:, None]
    return rows[:, :-1], rows[:, 1:].masked_fill(~asked, -100)


def decode(ids):
    """Return the letters of one row of ids, from the first dot to the next."""
    return "".join(LETTERS[letter] for letter in ids.tolist()[1:]).partition(".")[0]
