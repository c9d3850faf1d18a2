"""“minute” in its two meanings, twelve sentences for each, and how far they part. Used in notebook 15."""

from pathlib import Path

import torch
from torch.nn import functional as F

from companion.pretrained.minilm import batch

# The time is always a noun, the tiny always an adjective.
_BOTH = Path(__file__).with_name("minutes.txt").read_text(encoding="utf-8").split("\n\n")
TIME, SIZE = (tuple(sentences.splitlines()) for sentences in _BOTH)


def margins(streams, positions):
    """Return how much nearer a word is to its nearest of the same meaning than to its nearest of the other.

    streams: (stages, 24, tokens, d_model), the first twelve sentences of one meaning, the others of the other;
    positions: (24,), the word's. Returns (stages, 24), differences of cosines, rounded, so that equals are a tie.
    """
    sentences = torch.arange(24)
    chosen = F.normalize(streams[:, sentences, positions], dim=-1)
    cosines = chosen @ chosen.mT  # (stages, 24, 24)
    same, itself = (sentences < 12) == (sentences < 12)[:, None], torch.eye(24, dtype=torch.bool)
    own = cosines.masked_fill(~same | itself, -1).amax(dim=-1)  # -1 is never nearest
    other = cosines.masked_fill(same, -1).amax(dim=-1)
    return (own - other).round(decimals=4)


def lean(encoder, wordpiece, known, texts, word):
    """Return how much nearer a word is to a time than to tiny, for both places in which a text has it.

    It is the largest cosine with a “minute” of `TIME`, minus the largest with one of `SIZE`, in the last stream.
    encoder: a `MiniLM`; known: vectors of those “minute”s, (24, d_model); texts: sentences with the word twice each.
    Returns (texts, 2).
    """
    ids, real = batch(texts, wordpiece)
    asked = encoder(ids, real[:, None])[0][-1][ids == wordpiece.ids[word]]  # (2 · texts, d_model)
    cosines = F.normalize(asked, dim=-1) @ F.normalize(known, dim=-1).T
    time, tiny = cosines.split(12, dim=-1)
    return (time.amax(dim=-1) - tiny.amax(dim=-1)).view(-1, 2)
