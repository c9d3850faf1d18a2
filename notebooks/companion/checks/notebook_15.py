"""Checks of the exercises in notebook 15 (inside a real model)."""

import torch

from companion.checks.exercise import exercise
from companion.checks.feedback import IN_PLACE, Mistake, expect, expect_like
from companion.checks.mistakes import INVERTED
from companion.checks.tables import compared_with, of_steps
from companion.pretrained.minilm import mean_pool
from companion.pretrained.wordpiece import UNKNOWN, longest_match

KNOWN = "[UNK] m mi min mini minute ##i ##in ##n ##u ##ut ##ute ##t ##e"
PIECES = {piece: number for number, piece in enumerate(KNOWN.split())}
WORDS = ("minute", "minut", "minuti", "mute", "mini", "mmi", "minx", "xmin", "minxut", "ute", "")


@of_steps
def _cut(word, vocabulary, *, lost=lambda pieces: [UNKNOWN], shortest=False, sign="##"):
    pieces, start = [], 0
    while start < len(word):
        ends = range(start + 1, len(word) + 1) if shortest else range(len(word), start, -1)
        fits = [end for end in ends if (sign * (start > 0) + word[start:end]) in vocabulary]
        if not fits:
            return lost(pieces)
        pieces.append("##" * (start > 0) + word[start : fits[0]])
        start = fits[0]
    return pieces


def _bare(word, vocabulary):
    return [piece.removeprefix("##") for piece in longest_match(word, vocabulary)]


def _all_marked(word, vocabulary):
    return [piece if piece == UNKNOWN else f"##{piece}" for piece in _bare(word, vocabulary)]


CUTS = {  # {message: wrong cut_word}
    "the shortest piece is taken; try the longest end first": _cut(shortest=True),
    "after the first, a piece begins with ##": _bare,
    "a later piece is looked up without its ##": _cut(sign=""),
    "## comes before the first piece, too: it marks those that continue a word": _all_marked,
    "one part that fits no piece makes the whole word unknown: give [UNK] alone": _cut(lambda cut: [*cut, UNKNOWN]),
    "what fits no piece is left out; the whole word is then unknown, ['[UNK]']": _cut(lambda cut: cut),
    "only the first piece is cut off: go on with the rest of the word": lambda *given: longest_match(*given)[:1],
}


@compared_with(longest_match, CUTS)
def check_cut_word(cut_word):
    """always the longest piece that fits, from left to right, and [UNK] for a word of which a part fits none."""
    for word in WORDS:
        yield f"cut_word({word!r}, ...)", (word, PIECES)
    yield "cut_word with another vocabulary", ("abc", {"ab": 0, "##c": 1}), {}


AXES = "{error}. Give `real` an axis of size 1 after the tokens, real[..., None], and keep that of a sum, keepdim=True"


def _sums(stream, real):
    return (stream * real[..., None]).sum(dim=1)


POOLS = {  # {message: wrong my_pool}
    "the padding is averaged, too": lambda stream, real: stream.mean(dim=1),
    "the padding is still counted: divide by the real tokens": lambda x, real: _sums(x, real) / real.shape[1],
    "the sums are not divided by the number of real tokens": _sums,
    "the mean runs over the features: the tokens are axis 1": lambda stream, real: stream.mean(dim=2),
    "the padding is averaged, and the real tokens are not: real is True for them": lambda x, real: mean_pool(x, ~real),
    "this is the first token, [CLS], alone: average all that are real": lambda stream, real: stream[:, 0],
    "real meets the features: give it an axis of size 1 after the tokens, real[..., None]": lambda stream, real: (
        (stream * real[:, None]).sum(dim=1) / real.sum(dim=1, keepdim=True)
    ),
}


@compared_with(mean_pool, POOLS, {"at non-singleton dimension": AXES})
def check_my_pool(my_pool):
    """the real tokens of each sentence are averaged, and the padding counts neither above nor below the line."""
    stream, real = torch.randn(3, 5, 5), torch.arange(5) < torch.tensor([4, 3, 2])[:, None]
    yield "my_pool for a batch", (stream, real)
    yield "my_pool for one sentence without padding", (stream[:1, :4], real[:1, :4]), {}


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
    real = torch.arange(6) < torch.tensor([6, 4, 5])[:, None]
    try:
        expect_like(my_cut, cut_off, (real, torch.tensor([2, 0, 4])), "my_cut", MASKS)
    except Mistake as mistake:
        expect(str(mistake) != IN_PLACE, VIEW)
        raise
