"""Which letters a model looks at for each phoneme, and how often that is the right one. Used in notebook 13."""

import torch

from companion.pronunciation.decoding import pronounce
from companion.pronunciation.dictionary import BEGIN, PHONEMES, spelled

# Consonants that are written with one letter whenever that letter and that phoneme occur once in a word.
LETTER_OF = {"B": "b", "D": "d", "F": "f", "L": "l", "M": "m", "N": "n", "P": "p", "R": "r", "T": "t", "V": "v"}


@torch.no_grad()
def look(model, word):
    """Return how the model says a word, and its weights on the letters (blocks, heads, phonemes + 1, letters + 1).

    Row t of the weights wrote phoneme t, the last row the end; the last column is the end of the letters.
    """
    pronunciation = pronounce(model, [word])[word]
    ids = torch.tensor([[BEGIN, *PHONEMES.encode(pronunciation)]])
    _, weights = model.decode(ids, *model.encode(torch.tensor([spelled(word)])), need_weights=True)
    return pronunciation, torch.cat(weights)


def certain_pairs(word, pronunciation):
    """Return (place of the phoneme, place of its letter) where nobody can doubt it: each occurs once, a list."""
    return [
        (place, word.index(LETTER_OF[phoneme]))
        for place, phoneme in enumerate(pronunciation)
        if phoneme in LETTER_OF and pronunciation.count(phoneme) == 1 == word.count(LETTER_OF[phoneme])
    ]


def share_right(model, words):
    """Return how often each head's strongest letter is the right one, (blocks, heads), and for how many pairs.

    Raises ValueError if no word has a certain pair.
    """
    hits = []
    for word in words:
        pronunciation, weights = look(model, word)
        strongest = weights.argmax(dim=-1)  # (blocks, heads, phonemes + 1)
        hits += [strongest[..., phoneme] == letter for phoneme, letter in certain_pairs(word, pronunciation)]
    if not hits:
        raise ValueError("no phoneme of these words has a certain letter; give longer words, or more of them")
    return torch.stack(hits).float().mean(dim=0), len(hits)
