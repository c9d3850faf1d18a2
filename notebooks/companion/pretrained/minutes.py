"""Two words in two meanings each, twelve sentences for every meaning, and how far they part. Used in notebook 14."""

import torch
from torch.nn import functional as F

from companion.pretrained.minilm import batch

# “minute”: the time is always a noun, the tiny always an adjective
TIME = (
    "The train leaves in one minute.",
    "Please wait a minute before you answer.",
    "She ran a mile in under a six minute pace.",
    "He was late by one minute.",
    "The egg needs another minute in the water.",
    "Every minute of the film was dull.",
    "We talked for a minute on the phone.",
    "There is one minute left in the game.",
    "The song lasts just over a minute.",
    "Rest for a minute between the sets.",
    "The bus stops here for one minute.",
    "It was over within a minute.",
)
SIZE = (
    "The crack in the glass was minute.",
    "A minute speck of dust spoiled the lens.",
    "She found a minute trace of poison in the cup.",
    "The insect was so minute that we missed it.",
    "The letters were cut in minute detail.",
    "Even a minute amount of salt can be tasted.",
    "The difference between the two is minute.",
    "There is a minute hole in the fabric.",
    "The seeds of this plant are minute.",
    "He noticed minute scratches on the ring.",
    "The chance of rain is minute.",
    "They saw minute particles under the microscope.",
)
# “bank”: a noun both times
MONEY = (
    "The bank lent her the money.",
    "She opened an account at the bank.",
    "The bank charges a fee for each transfer.",
    "He works for a bank in the city.",
    "My bank sent me a new card.",
    "The robbers fled from the bank with the cash.",
    "They paid the loan back to the bank.",
    "A bank must keep a reserve of money.",
    "The bank raised its interest rate again.",
    "He cashed the check at his bank.",
    "Her savings are safe in the bank.",
    "The bank refused to lend more.",
)
RIVER = (
    "The bank was covered with reeds.",
    "We sat on the bank and fished.",
    "The river burst its bank in spring.",
    "A heron stood on the muddy bank.",
    "The canoe drifted towards the far bank.",
    "Willows grow along the bank of the stream.",
    "They pulled the boat up onto the bank.",
    "A bank of the river collapsed in the flood.",
    "The otter climbed the bank and slept.",
    "He swam from one bank to the other.",
    "Her house stands near the bank.",
    "The bank is steep and wet here.",
)


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


def lean(encoder, wordpiece, texts, word="minute"):
    """Return how much nearer a word is to the times than to the tiny ones, for both places in which a text has it.

    It is the largest cosine with a “minute” of `TIME`, minus the largest with one of `SIZE`, in the last stream.
    encoder: a `MiniLM`; texts: sentences with the word twice each. Returns (texts, 2).
    """
    ids, real = batch([*TIME, *SIZE, *texts], wordpiece)
    last = F.normalize(encoder(ids, real[:, None])[0][-1], dim=-1)
    known = last[:24][ids[:24] == wordpiece.ids["minute"]]  # (24, d_model)
    asked = last[24:][ids[24:] == wordpiece.ids[word]]  # (2 · texts, d_model)
    time, tiny = (asked @ known.T).split(12, dim=-1)
    return (time.amax(dim=-1) - tiny.amax(dim=-1)).view(-1, 2)
