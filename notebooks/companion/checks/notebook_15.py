"""Checks of the exercises in notebook 15 (inside a real model)."""

import re

import torch

from companion.checks.exercise import exercise
from companion.checks.feedback import IN_PLACE, Mistake, expect, expect_equal, expect_kind, expect_like, expect_parts
from companion.checks.mistakes import INVERTED
from companion.checks.tables import of_steps
from companion.pretrained.wordpiece import WordPiece
from companion.which_minute.sentences import CLUES, OPENINGS


@of_steps
def _mask(real, positions, *, change=lambda keys, row, own: torch.where(row, own, keys)):
    """Return the mask under which one token of each sentence reads itself alone.

    real: boolean (batch, tokens); positions: (batch,), the token's. Returns (batch, queries, keys), True = may attend.
    change: makes it of the keys that are real and of the row and the column of the token.
    """
    row = (torch.arange(real.shape[1]) == positions[:, None])[:, :, None]  # (batch, tokens, 1)
    return change(real[:, None, :].expand(-1, real.shape[1], -1), row, row.mT)


cut_off = _mask()  # the course's own `my_cut`
ALL_REAL = "the padding is read: keys that are not real stay hidden"
VIEW = "your mask is a view of `real` (as from expand), so writing into it changes `real`: take .repeat, or .clone() it"
EVERY = "each sentence is cut at the positions of all sentences: write mask[sentence, position], not mask[:, positions]"
MASKS = {  # {message: wrong my_cut}
    "nothing is cut: the token's row is as before": _mask(lambda keys, row, column: keys),
    "the column is cut, not the row mask[sentence, position]": _mask(lambda keys, row, own: keys & ~own | row & own),
    "the token reads nothing, not even itself": _mask(lambda keys, row, column: keys & ~row),
    ALL_REAL: lambda real, positions: cut_off(torch.ones_like(real), positions),
    "real belongs to the last axis, real[:, None, :]": _mask(lambda keys, row, own: torch.where(row, own, keys.mT)),
    INVERTED: lambda *given: ~cut_off(*given),
}


@exercise(mistakes=MASKS)
def check_my_cut(my_cut):
    """one row of each mask is cut down to the token itself; all others read what they read before."""
    real, positions = torch.arange(6) < torch.tensor([6, 4, 5])[:, None], torch.tensor([2, 0, 4])
    try:
        expect_like(my_cut, cut_off, (real, positions), "my_cut", MASKS)
    except Mistake as mistake:
        expect(str(mistake) != IN_PLACE, VIEW)
        if mistake.masks and mistake.masks[0].shape == (3, 6, 6):
            mask, others = mistake.masks[0], torch.arange(6) != positions[:, None]
            expect((mask[:, positions] & others).any() or not mask.any(), EVERY)
        raise


USED = {word for each in [*OPENINGS, *CLUES[0], *CLUES[1], "one and"] for word in each.split()}  # in the sentences
MEANINGS = re.findall(  # words of time and of size
    r"\w+",
    """short brief long quick fast rapid slow hasty momentary lengthy temporary permanent eternal endless instant second
    hourly daily weekly monthly annual small little tiny wee mini miniature microscopic minor slight fine big large
    great grand giant huge vast immense enormous massive tall high low wide narrow broad thick thin deep shallow""",
)
NOT_PREDICTED = "is not among the words of time or size that the check knows: choose one such as “long” or “small”"
NO_CONTROL = "can mean a time or a size, so the explanation predicts an effect for it, too"


@exercise
def check_my_null(my_null):
    """five or more controls, each like “minute” and without its meanings, two words with them, and each one counted."""
    counts = {}
    found = my_null(lambda word: counts.setdefault(word, 30 + len(counts)))
    controls, predicted = expect_parts(found, ("controls", "predicted"), "my_null")
    vocabulary = WordPiece().ids
    for part, has_meaning in ((controls, False), (predicted, True)):
        expect_kind(part, dict, "a part of my_null", "a dict")
        for word in part:
            expect_kind(word, str, "a key of my_null", "a word")
            expect(word != "minute", "“minute” is what we test, so it cannot be its own control")
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
