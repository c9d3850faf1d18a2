"""“minute” in its two meanings, twelve sentences for each, and how far they part. Used in notebook 15."""

from pathlib import Path

import torch
from torch.nn import functional as F

# The time is always a noun, the tiny always an adjective.
_BOTH = Path(__file__).with_name("two_meanings.txt").read_text(encoding="utf-8").split("\n\n")
TIME, SIZE = (tuple(sentences.splitlines()) for sentences in _BOTH)


def margins(vectors):
    """Return how much nearer a word is to its nearest of the same meaning than to its nearest of the other.

    vectors: of the word, (stages, 24, d_model), the first twelve of one meaning, the others of the other.
    Returns (stages, 24), differences of cosines, rounded, so that equals are a tie.
    """
    cosines = F.normalize(vectors, dim=-1) @ F.normalize(vectors, dim=-1).mT  # (stages, 24, 24)
    first, itself = torch.arange(24) < 12, torch.eye(24, dtype=torch.bool)
    same = first == first[:, None]
    own = cosines.masked_fill(~same | itself, -1).amax(dim=-1)  # -1 is never nearest
    other = cosines.masked_fill(same, -1).amax(dim=-1)
    return (own - other).round(decimals=4)


def lean(vectors, known):
    """Return how much nearer each vector is to a time than to tiny, (vectors,).

    It is the largest cosine with a “minute” of `TIME`, minus the largest with one of `SIZE`.
    vectors: (vectors, d_model); known: those of the 24 “minute”s, (24, d_model).
    """
    time, tiny = (F.normalize(vectors, dim=-1) @ F.normalize(known, dim=-1).T).split(12, dim=-1)
    return time.amax(dim=-1) - tiny.amax(dim=-1)
