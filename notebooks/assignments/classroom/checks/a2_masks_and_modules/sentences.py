"""Checks of the assignment a2_masks_and_modules: the sentences of a class, and the pairs that its masks leave open."""

import random

import torch

from classroom.checks.graded import graded
from companion.checks.feedback import expect
from utils.attention import causal_mask, padding_mask


@graded
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


def variation(seed):
    """Return {old text: new text}: the sentences of one class in quotes, and who asks its question."""
    name = random.Random(seed).choice(["Tariq", "Ines", "Noor", "Jonas", "Aiko", "Kwame"])
    sentences = zip(_class_sentences(None), _class_sentences(seed))
    return {"Mira": name, **{f'"{old}"': f'"{new}"' for old, new in sentences}}


def _class_sentences(seed):
    if seed is None:
        return ["Owls wait.", "Ships leave the harbour at dawn.", "Nobody hears them."]
    choose = random.Random(seed)
    subjects = choose.sample(["Foxes", "Sailors", "Bakers", "Swallows", "Children", "Poets"], 3)
    verbs = choose.sample(["sleep", "sing", "return", "gather", "dream", "vanish"], 3)
    ends = ["", " quietly", " at night", " in the rain", " behind the old mill", " when the long winter ends"]
    ends += [" until somebody brings them some bread", " while all the others still lie awake"]
    return [f"{subject} {verb}{end}." for subject, verb, end in zip(subjects, verbs, choose.sample(ends, 3))]
