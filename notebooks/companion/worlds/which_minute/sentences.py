"""Sentences that ask: which "minute"? The time, the tiny, or one that leaves it open.

"There was one minute pause" (a time), "there was one minute crack" (tiny), "there was one minute gap" (either). No word
but the clue behind "minute" tells: every other word stands with all three meanings, equally often.
"""

from itertools import product

import torch
from torch.nn.utils.rnn import pad_sequence

from utils.attention import padding_mask
from utils.text import Vocabulary

MEANINGS = ("a time", "tiny", "either")
CLUES = (
    ["pause", "break", "delay", "silence", "wait", "speech", "ride", "walk"],
    ["crack", "hole", "grain", "insect", "seed", "stain", "scratch", "crumb"],
    ["gap", "difference", "shift", "change", "sample", "film", "movement", "fragment"],
)
MEANING_OF = {clue: meaning for meaning, clues in enumerate(CLUES) for clue in clues}
OPENINGS = ("there was", "she noticed", "he remembers", "it began with", "nobody mentioned", "they talked about")
BEFORE = ("one", "another", "this one", "that one")
ENDINGS = ("", "today", "yesterday", "again", "after lunch", "in the garden", "at school")
HELD_BACK = 400  # examples that training does not see


def sentences(leak=False):
    """Return all sentences, as lists of words, and the number of each one's meaning in `MEANINGS`.

    leak: each meaning has openings of its own, so that the first words give it away, too.
    """
    pairs = [
        (f"{opening} {before} minute {clue} {ending}".split(), meaning)
        for meaning, clues in enumerate(CLUES)
        for opening, before, clue, ending in product(OPENINGS, BEFORE, clues, ENDINGS)
        if not leak or opening in OPENINGS[2 * meaning : 2 * meaning + 2]
    ]
    return [words for words, _ in pairs], torch.tensor([meaning for _, meaning in pairs])


def print_sentences(*numbers, leak=False):
    """Print the sentences with these numbers in `sentences(leak)`, each after its meaning."""
    texts, meanings = sentences(leak)
    for number in numbers:
        print(f"{MEANINGS[meanings[number]]:6} ← {' '.join(texts[number])}")


class Words(Vocabulary):
    """The words that the head knows; a word that it does not know is refused with their list."""

    def encode(self, words):
        if missing := [word for word in words if word not in self.ids]:
            known = f"It knows only these {len(self)} words: {', '.join(self.tokens)}"
            raise KeyError(f"the head does not know the word “{missing[0]}”. {known}")
        return super().encode(words)


VOCABULARY = Words([word for words in sentences()[0] for word in words])


def encode(texts):
    """Turn sentences, lists of words, into what a head reads.

    Returns ids (sentences, tokens), short sentences filled up with 0; a mask (sentences, 1, tokens) that hides what was
    filled up; and the position of "minute" in each, (sentences,). Raises ValueError for a sentence without it.
    """
    for words in texts:
        if words.count("minute") != 1:
            raise ValueError(f"{' '.join(words)!r} has “minute” {words.count('minute')} times; the head reads one")
    ids = pad_sequence([torch.tensor(VOCABULARY.encode(words)) for words in texts], batch_first=True)
    positions = torch.tensor([words.index("minute") for words in texts])
    return ids, padding_mask([*map(len, texts)], ids.shape[1]), positions


def examples(mask_of, leak=False):
    """Return the examples to train on and 400 held back for a test, each as [ids, padding, positions, meanings].

    mask_of: makes the mask, from the sentences' lengths and the number of tokens; leak: as in `sentences`.
    """
    texts, meanings = sentences(leak)
    ids, _, positions = encode(texts)
    padding = mask_of([len(words) for words in texts], ids.shape[1])
    order = torch.randperm(len(texts), generator=torch.Generator().manual_seed(0))
    shuffled = [part[order] for part in (ids, padding, positions, meanings)]
    return [part[HELD_BACK:] for part in shuffled], [part[:HELD_BACK] for part in shuffled]
