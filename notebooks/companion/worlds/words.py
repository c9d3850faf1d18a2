"""English words, letter by letter, as a model that writes reads them. Used in notebook 08.

python -m companion.worlds.words        trains the model that the notebook opens with, and stores it, in ten seconds
"""

import functools
import random
import re
from pathlib import Path

import torch
from torch import nn

from companion.course_answers import one_loop
from companion.fitting import fit, redraw
from companion.worlds.pronunciation.dictionary import read_dictionary
from companion.worlds.stored import read, store
from utils.attention import SelfAttention, causal_mask

LETTERS = ".abcdefghijklmnopqrstuvwxyz"  # the dot begins each word and ends it
LONGEST, HELD_BACK = 9, 2_000
STORED = Path(__file__).with_suffix(".json")
TRAINING = {"steps": 600, "size": 128, "lr": 0.01}  # of the stored model


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


class Speller(nn.Module):
    """The model that notebook 08 builds, of the course's own head and mask: from ids to logits and weights."""

    def __init__(self):
        super().__init__()
        self.letter, self.position = nn.Embedding(27, 32), nn.Embedding(10, 32)
        self.attend, self.next = SelfAttention(32, 32), nn.Linear(32, 27)

    def forward(self, ids):
        num_letters = ids.shape[1]
        inputs = self.letter(ids) + self.position.weight[:num_letters]
        context, weights = self.attend(inputs, causal_mask(num_letters))
        return self.next(inputs + context), weights


def trained_speller():
    """Return the model after 600 steps, from the file that comes with the course. Raises ValueError as `read` does."""
    return read(lambda record: Speller().double(), STORED)[0]


if __name__ == "__main__":
    torch.set_num_threads(1)
    model = redraw(Speller().double(), 0, "letter", "position", "attend", "next")
    letters, following = encode(split_words()[0])
    torch.manual_seed(0)
    store(fit(one_loop, model, [letters], following, **TRAINING), TRAINING, STORED, decimals=3)
