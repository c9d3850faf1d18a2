"""Which letters a model looks at for each phoneme, which of them are right, and which matter. Used in notebook 14."""

import torch

from companion.worlds.pronunciation.decoding import answers, likeliest, one_word, pronounce
from companion.worlds.pronunciation.dictionary import BEGIN, PHONEMES, spelled

# Consonants that are written with one letter whenever that letter and that phoneme occur once in a word.
LETTER_OF = {"B": "b", "D": "d", "F": "f", "L": "l", "M": "m", "N": "n", "P": "p", "R": "r", "T": "t", "V": "v"}


def say_with_weights(model, word):
    """Return how the model says a word, and its weights on the letters (blocks, heads, phonemes + 1, letters + 1).

    Row t of the weights wrote phoneme t, the last row the end; the last column is the end of the letters.
    """
    pronunciation = one_word(model, word)
    return pronunciation, answers(model, word, pronunciation)[1]


def certain_pairs(word, pronunciation):
    """Return (position of the phoneme, position of its letter) where nobody can doubt it: each occurs once, a list.

    >>> certain_pairs("babel", ["B", "EY", "B", "AH", "L"])
    [(4, 4)]
    """
    return [
        (position, word.index(LETTER_OF[phoneme]))
        for position, phoneme in enumerate(pronunciation)
        if phoneme in LETTER_OF and pronunciation.count(phoneme) == 1 == word.count(LETTER_OF[phoneme])
    ]


def on_straight_line(word, pronunciation):
    """Return for each phoneme its letter's position on the straight line from the first of both to the last, a list.

    >>> on_straight_line("knight", ["N", "AY", "T"])
    [0, 2, 5]
    """
    slope = (len(word) - 1) / max(1, len(pronunciation) - 1)
    return [round(position * slope) for position in range(len(pronunciation))]


def pairs_right(model, words):
    """Return which certain pairs each head finds, (pairs, blocks, heads), and which the straight line finds, (pairs,).

    A head finds a pair if its largest weight stands at the right letter.
    Raises ValueError if no word has a certain pair.
    """
    by_head, by_line = [], []
    for word, pronunciation in pronounce(model, words).items():
        strongest = answers(model, word, pronunciation)[1].argmax(dim=-1)  # (blocks, heads, phonemes + 1)
        straight = on_straight_line(word, pronunciation)
        for phoneme, letter in certain_pairs(word, pronunciation):
            by_head.append(strongest[..., phoneme] == letter)
            by_line.append(straight[phoneme] == letter)
    if not by_head:
        raise ValueError("no phoneme of these words has a certain letter; give longer words, or more of them")
    return torch.stack(by_head), torch.tensor(by_line)


@torch.no_grad()
def changed_without(model, words, block, head):
    """Return which phonemes change without a letter, three boolean tensors (phonemes,).

    The first hides the letter that a head points at, the second that on the straight line; the third is True where
    these are the same letter. A letter is hidden from all heads of the decoder, which is given the beginning that it
    said with all letters. Phonemes for which the head points at the end are left out.
    """
    rows = []
    for word, pronunciation in pronounce(model, words).items():
        memory, mask = model.encode(torch.tensor([spelled(word)]))
        hidden = torch.eye(len(word) + 1, dtype=torch.bool)[:, None].roll(1, dims=0)
        hidden[0] = False  # row 0 hides nothing, row i + 1 hides letter i
        ids, runs = torch.tensor([[BEGIN, *PHONEMES.encode(pronunciation)]]), len(hidden)
        inputs = ids.expand(runs, -1), memory.expand(runs, -1, -1), mask & ~hidden
        logits, weights = model.decode(*inputs, need_weights=True)
        said = likeliest(logits[:, :-1])
        changed = (said[1:] != said[0]).tolist()  # (letters, phonemes)
        pointed = weights[block][0, head, :-1].argmax(dim=-1).tolist()
        for phoneme, (letter, straight) in enumerate(zip(pointed, on_straight_line(word, pronunciation))):
            if letter < len(word):
                rows.append((changed[letter][phoneme], changed[straight][phoneme], letter == straight))
    return torch.tensor(rows).unbind(dim=1)
