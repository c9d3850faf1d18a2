"""Checks of the exercises in notebook 15 (inside a real model)."""

import re

import torch

from companion.checks import modules
from companion.checks.compared import compared_with
from companion.checks.exercise import exercise
from companion.checks.feedback import IN_PLACE, Mistake, expect, expect_equal, expect_kind, expect_like, expect_parts
from companion.mistakes import IGNORED, INVERTED
from companion.slips import slips
from companion.worlds.pretrained.minilm import MiniLM
from companion.worlds.pretrained.wordpiece import WordPiece
from companion.worlds.which_minute.sentences import CLUES, OPENINGS

NO_WEIGHTS = "a block gives its weights, too, if you ask for them: block(stream, mask=mask, need_weights=True)"
SIZES = 20, 12, 3, 16, 4, 9  # tokens, d_model, heads, d_hidden, blocks, positions: a small model with other numbers


@torch.no_grad()
def _read(kind, ids, mask):
    """Return what a small model of this kind, always with the same random numbers, gives for ids and a mask."""
    torch.default_generator.manual_seed(0)
    return modules.made_module(kind, "MyMiniLM", *SIZES)(ids, mask)


MODELS = {  # {message: what a wrong MyMiniLM has instead}
    "the positions are missing: add rows of self.place.weight": {" + positions": ""},
    "the segment is missing: add self.segment.weight[0]": {" + self.segment.weight[0]": ""},
    "the sum of the tables gets no norm: self.norm": {"self.norm(": "("},
    IGNORED: {"mask=mask": "mask=None"},
    INVERTED: {"mask=mask": "mask=~mask"},
    "each block reads the first stream: hand it what the block before it gave": {"streams[-1]": "streams[0]"},
}
STOPS = {"values to unpack": NO_WEIGHTS}


@compared_with(MiniLM, MODELS, STOPS, parts=("streams", "weights"), measure=_read)
def check_my_mini_lm(MyMiniLM):
    """three tables and a norm, then each block reads what the one before it gave, and all is kept."""
    ids, real = torch.randint(20, (3, 6)), torch.arange(6) < torch.tensor([6, 4, 5])[:, None]
    yield "MyMiniLM", (ids, real[:, None, :])


def mask_cut_off(real, chosen):
    """Return the mask (batch, queries, keys) under which chosen tokens read themselves alone, True = may attend.

    real, chosen: boolean (batch, tokens). The course's own `my_cut`.
    """
    itself = torch.eye(real.shape[1], dtype=torch.bool)
    return torch.where(chosen[:, :, None], itself, real[:, None, :])


VIEW = "your mask is a view of `real` (as from expand), so writing into it changes `real`: take torch.where, or .repeat"
MASK_SLIPS = {  # {message: what a wrong my_cut has instead}
    "nothing is cut: the rows of chosen tokens are as before": {"chosen[:, :, None]": "chosen[:, :, None] & False"},
    "columns are cut: a token that reads is a row, chosen[:, :, None]": {"[:, :, None]": "[:, None, :]"},
    "chosen tokens read nothing, not even themselves": {"itself,": "itself & False,"},
    "the padding is read: keys that are not real stay hidden": {"real[:, None, :]": "torch.ones_like(itself)"},
    INVERTED: {"return": "return ~"},
}
MASKS = slips(mask_cut_off, MASK_SLIPS)


@exercise(mistakes=MASKS)
def check_my_cut(my_cut):
    """chosen tokens read themselves alone; all others read what they read before, the chosen ones too."""
    real = torch.arange(6) < torch.tensor([6, 4, 5])[:, None]
    chosen = torch.tensor([[0, 0, 1, 0, 0, 1], [1, 0, 0, 0, 0, 0], [0, 1, 0, 0, 1, 0]]).bool()
    try:
        expect_like(my_cut, mask_cut_off, (real, chosen), "my_cut", MASKS)
    except Mistake as mistake:
        expect(str(mistake) != IN_PLACE, VIEW)
        raise


USED = {word for phrase in [*OPENINGS, *CLUES[0], *CLUES[1], "one and"] for word in phrase.split()}  # in the sentences
MEANINGS = re.findall(  # words of time and of size
    r"\w+",
    """short brief long quick fast rapid slow hasty momentary lengthy temporary permanent eternal endless instant
    second hourly daily weekly monthly annual minutes hour hours day days moment moments small little tiny wee mini
    miniature microscopic minor slight fine big large great grand giant huge vast immense enormous massive tall high
    low wide narrow broad thick thin deep shallow""",
)
NOT_PREDICTED = "is not among the words of time or size that the check knows: choose one such as “long” or “small”"
NO_CONTROL = "is a word of time or size, so the explanation predicts an effect for it, too"


@exercise
def check_my_null(my_null):
    """five or more controls, each like “minute” and without its meanings, two words with them, and each one counted."""
    counts = {}
    counted = my_null(lambda word: counts.setdefault(word, 30 + len(counts)))
    controls, predicted = expect_parts(counted, ("controls", "predicted"), "my_null")
    vocabulary = WordPiece().ids
    for part, has_meaning in ((controls, False), (predicted, True)):
        expect_kind(part, dict, "a part of my_null", "a dict")
        for word in part:
            expect_kind(word, str, "a key of my_null", "a word")
            expect(word != "minute", "“minute” is what we test, so it cannot be its own control")
            expect(len(word) > 2, f"“{word}” is not an adjective like “minute”")
            expect(word not in USED, f"“{word}” is in the sentences already: choose another word")
            expect(has_meaning or word not in MEANINGS, f"“{word}” {NO_CONTROL}")
            expect(not has_meaning or word in MEANINGS, f"“{word}” {NOT_PREDICTED}")
            expect(word.isalpha() and word in vocabulary, f"“{word}” is not one token: choose a word in wordpiece.ids")
    number = len(controls)
    expect(number >= 5, f"my_null has {number} different controls, and a null distribution needs at least five")
    expect(len(predicted) >= 2, "in the second dictionary are at least two words for which an effect is predicted")
    expect_equal(controls | predicted, {word: counts.get(word) for word in [*controls, *predicted]}, "my_null")


def null_of_five(told_apart):
    """Return what five controls get, and two words that can mean a time or a size: the course's own `my_null`."""
    words = ["happy", "wooden", "green", "silent", "famous"], ["short", "brief"]
    return tuple({word: told_apart(word) for word in part} for part in words)
