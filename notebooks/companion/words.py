"""English words, letter by letter, as a model that writes reads them, and the model. Used in notebooks 08 and 09.

The words are those of the CMU Pronouncing Dictionary (`companion.pronunciation.dictionary`).
"""

import functools
import random
import re

import torch
from torch import nn

from companion.pronunciation.dictionary import read_dictionary
from utils.attention import causal_mask

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
    return "".join(LETTERS[each] for each in ids.tolist()[1:]).partition(".")[0]


class Writer(nn.Module):
    """Letters with their positions, an attention that is added to them, and logits of the next letter. Built in 08."""

    def __init__(self, attend):
        super().__init__()
        self.letter, self.position = nn.Embedding(len(LETTERS), 32), nn.Embedding(LONGEST + 1, 32)
        self.attend, self.next = attend, nn.Linear(32, len(LETTERS))

    def forward(self, ids):
        """Return logits (words, letters, 27) and the weights of `attend` for ids (words, letters)."""
        inputs = self.letter(ids) + self.position.weight[: ids.shape[1]]
        context, weights = self.attend(inputs, causal_mask(ids.shape[1]))
        return self.next(inputs + context), weights


@torch.no_grad()
def write(model, num_words=8):
    """Return words that a `Writer` draws side by side, letter by letter, in one line."""
    ids = torch.zeros(num_words, 1, dtype=torch.long)  # dots
    for _ in range(LONGEST):
        shares = model(ids)[0][:, -1].softmax(dim=-1)
        ids = torch.cat([ids, torch.multinomial(shares, 1)], dim=1)
    return " ".join(map(decode, ids))
