"""Checks of the exercises in notebook 14 (inside a real model)."""

import torch

from companion.checks.exercise import exercise
from companion.checks.feedback import expect, expect_equal, expect_mask, expect_tensor
from companion.pretrained.minilm import mean_pool
from companion.pretrained.wordpiece import UNKNOWN, longest_match

KNOWN = "[UNK] m mi min mini minute ##i ##in ##n ##u ##ut ##ute ##t ##e"
PIECES = {piece: place for place, piece in enumerate(KNOWN.split())}
WORDS = ("minute", "minut", "minuti", "mute", "mini", "mmi", "minx", "xmin", "minxut", "ute", "")


@exercise
def check_cut_word(cut_word):
    """always the longest piece that fits, from left to right, and [UNK] for a word of which a part fits none."""
    for word in WORDS:
        given, wanted = cut_word(word, PIECES), longest_match(word, PIECES)
        if given != wanted:
            for cause, pieces in _miscut(word).items():
                expect(given != pieces or pieces == wanted, f"{word!r} is cut into {given}: {cause}")
        expect_equal(given, wanted, f"cut_word({word!r}, ...)")
    own = {"ab": 0, "##c": 1}
    expect_equal(cut_word("abc", own), ["ab", "##c"], "cut_word with another vocabulary")


def _miscut(word):
    """Return {likely cause: the pieces that it gives}."""
    forms = [("" if not start else "##", start) for start in range(len(word))]
    return {
        "the shortest piece is taken; try the longest end first": _cut(word, shortest=True),
        "behind the first, a piece begins with ##": [piece.removeprefix("##") for piece in longest_match(word, PIECES)],
        "a later piece is looked up without its ##": _cut(word, sign_in_look_up=""),
        "## stands before the first piece, too: it marks those that continue a word": [
            piece if piece == UNKNOWN else f"##{piece.removeprefix('##')}" for piece in longest_match(word, PIECES)
        ],
        "one part that fits no piece makes the whole word unknown: give [UNK] alone": _cut(word, at_end=[UNKNOWN]),
        "what fits no piece is left out; the whole word is then unknown, ['[UNK]']": _cut(word, at_end=[]),
        "a letter that fits no piece is left out; the whole word is then unknown, ['[UNK]']": _cut(word, skip=True),
        "## is counted as two letters of the word: the next piece starts too late": _cut(word, sign_counts=True),
        "the word is cut letter by letter": [sign + word[start] for sign, start in forms],
        "the whole of what is left is never tried: range(len(word), start, -1) begins at the end": _cut(word, short=1),
        "only the first piece is cut off: go on with the rest of the word": longest_match(word, PIECES)[:1],
    }


def _cut(word, shortest=False, sign_in_look_up="##", at_end=None, skip=False, sign_counts=False, short=0):
    """Cut a word with a step that is wrong."""
    pieces, start = [], 0
    while start < len(word):
        ends = range(start + 1, len(word) + 1) if shortest else range(len(word) - short, start, -1)
        fits = [end for end in ends if (sign_in_look_up * (start > 0) + word[start:end]) in PIECES]
        if not fits and not skip:
            return [UNKNOWN] if at_end is None else pieces + at_end
        end = fits[0] if fits else start + 1
        pieces += ["##" * (start > 0) + word[start:end]] * bool(fits)
        start = end + 2 * (sign_counts and start > 0)
    return pieces


@exercise
def check_my_pool(my_pool):
    """the real tokens of each sentence are averaged, and the padding counts neither above nor below the line."""
    stream = torch.randn(3, 5, 5)
    real = torch.arange(5) < torch.tensor([4, 3, 2])[:, None]  # each has padding, else its mean were 0/0
    kept, count = stream * real[..., None], real.sum(dim=1, keepdim=True)
    mistakes = {
        "the padding is averaged, too": stream.mean(dim=1),
        "the padding is set to zero but still counted: divide by the number of real tokens": kept.mean(dim=1),
        "the sums are not divided by the number of real tokens": kept.sum(dim=1),
        "the mean runs over the features: the tokens are axis 1": stream.mean(dim=2),
        "the padding is averaged, and the real tokens are left out: real is True for what counts": (
            (stream * ~real[..., None]).sum(dim=1) / (5 - count)
        ),
        "[CLS] is left out: it is a real token like the others": (kept.sum(dim=1) - stream[:, 0]) / (count - 1),
        "this is the first token, [CLS], alone: average all that are real": stream[:, 0],
        "the numbers of all sentences are added: each is divided by its own": kept.sum(dim=1) / count.sum(),
        "real meets the features: give it an axis of size 1 behind the tokens, real[..., None]": (
            (stream * real[:, None]).sum(dim=1) / count
        ),
    }
    expect_tensor(my_pool(stream, real), mean_pool(stream, real), "my_pool for a batch", mistakes)
    alone = stream[:1, :4]
    expect_tensor(my_pool(alone, real[:1, :4]), alone.mean(dim=1), "my_pool for one sentence without padding")


def cut_off(real, places):
    """Return the mask under which one token of each sentence reads itself alone: the course's `my_cut`.

    real: boolean (batch, tokens); places: (batch,), the token's. Returns (batch, queries, keys), True = may attend.
    """
    own = torch.arange(real.shape[1]) == places[:, None]  # (batch, tokens)
    alone = own[:, :, None] & own[:, None, :]
    return real[:, None, :] & ~own[:, :, None] | alone


@exercise
def check_my_cut(my_cut):
    """one row of each mask is cut down to the token itself; all others read what they read before."""
    real = torch.arange(6) < torch.tensor([6, 4, 5])[:, None]
    places = torch.tensor([2, 0, 4])
    own = torch.arange(6) == places[:, None]
    row, column = own[:, :, None], own[:, None, :]
    keys, right = real[:, None, :].expand(3, 6, 6), cut_off(real, places)
    mistakes = {
        "nothing is cut: the token's row is as before": keys.clone(),
        "the column is cut: the others no longer read the token. Its own reading is its row, mask[sentence, place]": (
            keys & ~column | row & column
        ),
        "the column is cut as well: the others may still read the token": keys & ~row & ~column | row & column,
        "the token reads nothing, not even itself": keys & ~row,
        "the token reads all but itself: it is to read itself alone": keys & ~(row & column),
        "every token reads itself alone: cut one row in each sentence": torch.eye(6, dtype=torch.bool).expand(3, 6, 6),
        "the first sentence's place is taken for all: each has its own": cut_off(real, places[:1].expand(3)),
        "the padding is read: keys that are not real stay hidden": cut_off(torch.ones_like(real), places),
        "the mask is turned round: True means 'may attend'": ~right,
        "the rows of the padding are cut, too: only the token's row changes": right & real[:, :, None],
        "the rows of all places are cut in every sentence: each sentence has one place": (
            keys & ~own.any(dim=0)[None, :, None] | (torch.eye(6, dtype=torch.bool) & own.any(dim=0)[:, None])
        ),
    }
    expect_mask(my_cut(real, places), right, "my_cut", mistakes)
