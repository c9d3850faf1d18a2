"""English words, letter by letter, as a model that writes reads them. Used in notebook 08.

The words are those of the CMU Pronouncing Dictionary (`companion.pronunciation.dictionary`).
"""

import random
import re

import torch

from companion.pronunciation.dictionary import read_dictionary

LETTERS = ".abcdefghijklmnopqrstuvwxyz"  # the dot begins each word and ends it
LONGEST, HELD_BACK = 9, 2_000


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
    rows = torch.zeros(len(words), LONGEST + 2, dtype=torch.long)
    for row, word in zip(rows, words):
        row[1 : len(word) + 1] = torch.tensor([LETTERS.index(letter) for letter in word])
    lengths = torch.tensor([len(word) for word in words])
    asked = torch.arange(LONGEST + 1) <= lengths[:, None]
    return rows[:, :-1], rows[:, 1:].masked_fill(~asked, -100)


def decode(ids):
    """Return the letters of one row of ids, from the first dot to the next."""
    return "".join(LETTERS[each] for each in ids.tolist()[1:]).partition(".")[0]


def counted(letters):
    """Return the loss on the words held back of a table that only counts: what follows the last letters, by position.

    letters: how many of the last letters, 1 or 2. Nothing is learned, and nothing is mixed.
    """
    (read, comes), (asked, right) = map(encode, split_words())
    rows, wanted = _places(read, letters), comes >= 0
    counts = torch.full((int(_places(read, letters).max()) + 1, len(LETTERS)), 0.1, dtype=torch.double)
    counts.index_put_((rows[wanted], comes[wanted]), torch.ones((), dtype=torch.double), accumulate=True)
    shares = counts / counts.sum(dim=1, keepdim=True)
    return -shares[_places(asked, letters), right.clamp(min=0)][right >= 0].log().mean()


def _places(ids, letters):
    """Return a number for each position and the letters before it, (words, positions)."""
    places = torch.arange(ids.shape[1]).expand(ids.shape)
    for back in range(letters):
        places = places * len(LETTERS) + torch.nn.functional.pad(ids, (back, 0))[:, : ids.shape[1]]
    return places
