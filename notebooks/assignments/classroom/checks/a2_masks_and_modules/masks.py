"""Checks of the assignment a2_masks_and_modules: the two masks, and the pairs of tokens that both leave open."""

import random

import torch

from classroom.checks.graded import graded, of_class, table_of
from companion.checks.feedback import expect, expect_mask
from companion.checks.mistakes import CAUSAL, INVERTED, given_by
from utils.attention import causal_mask, padding_mask

MASKS = {"causal_mask": lambda n: causal_mask(n), "padding_mask": lambda lengths, n: padding_mask(lengths, n)}


@graded(of="causal_mask", mistakes=CAUSAL)
def check_causal_mask(student, draw):
    """each token sees itself and what stands before it."""
    for n in (draw.randint(3, 9), 1, draw.randint(20, 30)):
        mistakes = given_by(CAUSAL, n) if n > 1 else {}  # which are alike for one token
        expect_mask(student.call("causal_mask", n), causal_mask(n), f"causal_mask({n})", mistakes)


def _wrong_paddings(lengths, n):
    right, counts = padding_mask(lengths, n), torch.tensor(lengths)[:, None, None]
    return {
        INVERTED: ~right,
        "one token of padding may be seen: places count from 0, so real ones are below the length": (
            torch.arange(n) <= counts
        ),
        "the middle axis is missing: without it, a mask cannot stretch over the queries": right.squeeze(1),
        "the padding is on the axis of the queries; nobody may look AT padding, so the keys come last": right.mT,
    }


@graded(of="padding_mask", mistakes=table_of(_wrong_paddings, [1], 2))
def check_padding_mask(student, draw):
    """the real tokens may be seen, and the padding behind them may not."""
    n = draw.randint(5, 8)
    all_kinds = [*draw.sample(range(1, n - 1), 2), n, 0]
    draw.shuffle(all_kinds)
    for lengths in (all_kinds, draw.sample(range(1, n), 3), [draw.randint(1, n - 1)]):
        given, doing = student.call("padding_mask", lengths, n), f"padding_mask({lengths}, {n})"
        expect_mask(given, padding_mask(lengths, n), doing, _wrong_paddings(lengths, n))


@graded(earlier=MASKS)
def check_open_pairs(student, draw):
    """the pairs that both masks leave open."""
    lengths = [len(sentence.split()) for sentence in _class_sentences(student.class_seed)]
    n = max(lengths)
    past, real = causal_mask(n), padding_mask(lengths, n)
    right = (past & real).sum().item()
    given = student.call("open_pairs")
    given = given.item() if isinstance(given, torch.Tensor) and given.numel() == 1 else given
    for message, wrong in {
        "the rows of the padding are left out; their queries are computed like all others": past & real & real.mT,
        "a pair is open if both masks say so: use &": past | real,
        "this counts the causal mask alone": past.expand(len(lengths), n, n),
        "the padding mask stretches over the queries: count (batch, queries, keys)": real,
    }.items():
        expect(given != wrong.sum().item() or given == right, message)
    # The right number stays unsaid: it would be the answer.
    expect(type(given) is int, f"open_pairs() gives a {type(given).__name__}, but a whole number was expected")
    expect(given == right, f"open_pairs() gives {given}; count one sentence by hand, row by row, and compare")


@of_class
def variation(seed):
    """The sentences in quotes, and who asks the question."""
    name = "Mira" if seed is None else random.Random(seed).choice(["Tariq", "Ines", "Noor", "Jonas", "Aiko", "Kwame"])
    return name, *(f'"{sentence}"' for sentence in _class_sentences(seed))


def _class_sentences(seed):
    if seed is None:
        return ["Owls wait.", "Ships leave the harbour at dawn.", "Nobody hears them."]
    choose = random.Random(seed)
    subjects = choose.sample(["Foxes", "Sailors", "Bakers", "Swallows", "Children", "Poets"], 3)
    verbs = choose.sample(["sleep", "sing", "return", "gather", "dream", "vanish"], 3)
    ends = ["", " quietly", " at night", " in the rain", " behind the old mill", " when the long winter ends"]
    ends += [" until somebody brings them some bread", " while all the others still lie awake"]
    return [f"{subject} {verb}{end}." for subject, verb, end in zip(subjects, verbs, choose.sample(ends, 3))]
