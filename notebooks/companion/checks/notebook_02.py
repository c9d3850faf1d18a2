"""Checks of the exercises in notebook 02 (embeddings), and the course's own answers, with which it goes on."""

import copy
import functools

import torch
from torch.nn.utils.rnn import pad_sequence

from companion.checks.exercise import exercise
from companion.checks.feedback import Mistake, calls, expect, expect_like, explained


def hot(ids, num_classes):
    """Return a one-hot row for each id, decimals: 3 ids and 5 classes give (3, 5)."""
    return torch.eye(num_classes)[ids]


def padded(sentences, pad_id):
    """Return lists of ids as one tensor (batch, longest), filled up with the padding id at their ends."""
    return pad_sequence([torch.tensor(ids) for ids in sentences], batch_first=True, padding_value=pad_id)


ONE_HOT = {  # what goes wrong: a function that does it
    "id i is compared with column i alone; each id must meet every column": lambda ids, n: (
        (ids == torch.arange(n)) * 1.0
    ),
    "your ids run along the columns; they must be the rows: give the new axis to ids, not to arange": (
        lambda ids, n: hot(ids, n).mT
    ),
    "your ids run along the columns of one row; put the new axis behind them: ids[:, None]": (
        lambda ids, n: (ids[None] == torch.arange(n)).float()
    ),
    "the rows are added up, which counts the ids; keep one row for each id": lambda ids, n: hot(ids, n).sum(-2),
    "the first column is number 0: torch.arange(num_classes) starts there": (
        lambda ids, n: (ids[:, None] == torch.arange(n) + 1).float()
    ),
    "zeros and ones are exchanged; the 1 stands where column and id are equal": lambda ids, n: 1 - hot(ids, n),
    "the row holds the id itself; what is wanted is 1": lambda ids, n: hot(ids, n) * ids[:, None],
    "there are as many columns as the largest id asks for; num_classes says how many": lambda ids, n: hot(
        ids, ids.max() + 1
    ),
    "the number of columns is always 4; num_classes says how many": lambda ids, n: hot(ids, 4),
    "the number of columns is always 3, as in the example; num_classes says how many": lambda ids, n: hot(ids, 4)[
        :, :3
    ],
    "the number of columns is always 53, as in the head's vocabulary; the argument num_classes says how many": (
        lambda ids, _: hot(ids, 53)
    ),
    "each id is compared with one number; compare it with all column numbers, torch.arange(num_classes)": (
        lambda ids, n: (ids[:, None] == n).float()
    ),
    "ids and column numbers are added up; compare them, with ==": lambda ids, n: ids[:, None] + torch.arange(n),
}
LIST = "a list cannot be multiplied with the table, so make it one with torch.tensor(...)"
NOT_EACH = "'ids == ...' gives one bool; compare with a tensor, torch.arange(num_classes), and not with a list or range"


@exercise(mistakes=ONE_HOT)
def check_one_hot(one_hot):
    """each id has a row of its own with a single 1."""
    doing, ids = "one_hot([2, 0, 3, 2], 4)", torch.tensor([2, 0, 3, 2])
    with explained({"'bool' object has no attribute": NOT_EACH}):
        result = one_hot(ids, 4)
    expect("one_hot" not in calls(one_hot, ids, 4), "F.one_hot is the function that you are to write")
    expect(not isinstance(result, bool), NOT_EACH)
    expect(not isinstance(result, list), f"{doing} gives a list, but a tensor was expected: {LIST}")
    if isinstance(result, torch.Tensor):
        expect(result.dtype != torch.bool, f"{doing} gives True and False; a product needs numbers: .float()")
        wrong = not torch.equal(result.float(), hot(ids, 4))  # that matters more
        kind = f"{doing} gives {result.dtype}, but a product with the table needs float32: .float()"
        expect(wrong or result.dtype == torch.float32, kind)
    for ids, num_classes in (([2, 0, 3, 2], 4), ([1, 0], 6)):
        doing = f"one_hot({ids}, {num_classes})"
        expect_like(one_hot, hot, (torch.tensor(ids), num_classes), doing, ONE_HOT)


def averaged(vectors):
    """Return the plain average of a sentence's vectors, once for each word: (tokens, d_model) gives the same shape."""
    return vectors.mean(dim=0, keepdim=True).expand_as(vectors)


def _sums(vectors):
    return torch.ones(len(vectors), len(vectors)) @ vectors


AVERAGE = {
    "these are sums; the shares of a row must add up to 1": _sums,
    "one vector for the sentence; each word gets a row, though they are all alike": lambda vectors: vectors.mean(0),
    "one row for the sentence; each word gets a row, though they are all alike": lambda vectors: vectors.mean(0)[None],
    "each share is 1 / d_model; there are as many shares as words": lambda vectors: _sums(vectors) / vectors.shape[1],
    "the numbers of a word are averaged; average the words, number by number": (
        lambda vectors: vectors.mean(-1, keepdim=True).expand_as(vectors)
    ),
    "each word takes itself alone; all words have the same share": lambda vectors: vectors,
    "each word leaves itself out; it has the same share as the others": (
        lambda vectors: (_sums(vectors) - vectors) / (len(vectors) - 1)
    ),
    "the shares are always 1 / 6; take the number of words from the vectors": lambda vectors: _sums(vectors) / 6,
    "these are the shares; they still have to be multiplied with the vectors": (
        lambda vectors: torch.full((len(vectors), len(vectors)), 1 / len(vectors))
    ),
}


@exercise(mistakes=AVERAGE)
def check_plain_average(plain_average):
    """each word has become the same average of all words."""
    for num_tokens, d_model in ((2, 3), (5, 4)):
        doing = f"plain_average of {num_tokens} words with {d_model} numbers each"
        expect_like(plain_average, averaged, (torch.randn(num_tokens, d_model),), doing, AVERAGE)


PAD = {
    "the padding stands before the words; put it after them": (
        lambda sentences, pad_id: padded([ids[::-1] for ids in sentences], pad_id).flip(1)
    ),
    "the sentences were cut to the shortest; pad the others to the longest": (
        lambda sentences, pad_id: padded(sentences, pad_id)[:, : min(map(len, sentences))]
    ),
    "one column a sentence; each sentence is a row (batch_first=True in PyTorch's own padding)": (
        lambda sentences, pad_id: padded(sentences, pad_id).T
    ),
    "the padding is always 0; use the padding id": lambda sentences, pad_id: padded(sentences, 0),
}


@exercise(mistakes=PAD)
def check_pad(pad):
    """every sentence has the same length, and the padding is at the end."""
    for sentences, pad_id in (([[5, 6, 7], [8], [9, 4]], 0), ([[1], [2, 3, 4, 5]], 9)):
        doing = f"pad({sentences}, {pad_id})"
        expect_like(functools.partial(_with_copies, pad, doing), padded, (sentences, pad_id), doing, PAD)
    floating = pad([[1], [2, 3]], 0).is_floating_point()
    expect(not floating, "the ids are decimals; an embedding needs whole numbers (torch.long)")


def _with_copies(pad, doing, sentences, pad_id):
    given = copy.deepcopy(sentences)
    try:
        result = pad(given, pad_id)
    except NotImplementedError:  # a stub; it is a RuntimeError, too
        raise
    except (RuntimeError, TypeError, ValueError) as error:
        message = f"{doing} stopped with {type(error).__name__}: {error}"
        cause = "is every row as long as the longest sentence?"
        if isinstance(error, TypeError):
            cause = "max(sentences) is a list; the longest length is max(len(ids) for ids in sentences)"
        raise Mistake(f"{message}; {cause}") from None
    expect(given == sentences, "your function changed the lists it was given; build new ones")
    return result
