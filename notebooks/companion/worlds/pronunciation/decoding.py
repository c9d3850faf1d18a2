"""From a trained model to pronunciations: take the likeliest phoneme each time, and go on from there.

Used in notebook 14. A model is anything with `encode(letters)` and `decode(phonemes, memory, mask)`.
"""

import torch

from companion.worlds.pronunciation.dictionary import BEGIN, END, LONGEST, PADDING, PHONEMES, pad, spelled

AT_ONCE = 100  # words in a batch
MOST_PHONEMES = LONGEST + 4


@torch.no_grad()
def pronounce(model, words):
    """Return {word: pronunciation}, each a tuple of phonemes, as the model would say the words.

    Puts the model into evaluation mode. Raises KeyError for a letter that is not in the alphabet.
    """
    model.eval()
    in_order = sorted(words, key=len)  # words of about one length share a batch
    pronunciations = {}
    for start in range(0, len(in_order), AT_ONCE):
        group = in_order[start : start + AT_ONCE]
        rows = write(model, *model.encode(pad([spelled(word) for word in group])))
        pronunciations |= {word: PHONEMES.decode(ids) for word, ids in zip(group, rows.tolist())}
    return pronunciations


def one_word(model, word):
    """Return one word's pronunciation, as `pronounce` does."""
    return pronounce(model, [word])[word]


def share_wrong(pronunciations, dictionary):
    """Return the share of the words in {word: pronunciation} said in no way that a dictionary lists, rounded."""
    return round(sum(said not in dictionary[word] for word, said in pronunciations.items()) / len(pronunciations), 4)


@torch.no_grad()
def write(model, memory, mask):
    """Return the ids of the phonemes that are likeliest one by one, (batch, phonemes), begin, end and padding included.

    memory (batch, letters, features), mask: as of `encode`; a letter whose mask is False is hidden from all phonemes.
    """
    ids = torch.full((len(memory), 1), BEGIN)
    for _ in range(MOST_PHONEMES):
        following = likeliest(model.decode(ids, memory, mask)[:, -1:])
        ended = (ids[:, -1:] == END) | (ids[:, -1:] == PADDING)
        ids = torch.cat([ids, following.masked_fill(ended, PADDING)], dim=1)
        if (ended | (following == END)).all():
            break
    return ids


def likeliest(logits):
    """Return the likeliest id of a phoneme or an end for logits (..., ids); padding and begin are never said."""
    return logits[..., END:].argmax(dim=-1) + END


@torch.no_grad()
def answers(model, word, beginning):
    """Return what a model says after a begin and after each phoneme of a beginning, and its weights on the letters.

    beginning: phonemes, a sequence of t; the answers are t + 1 names, of phonemes or "end"; the weights have shape
    (blocks, heads, t + 1, letters + 1), and their last column is the end of the letters.
    """
    ids = torch.tensor([[BEGIN, *PHONEMES.encode(beginning)]])
    logits, weights = model.eval().decode(ids, *model.encode(torch.tensor([spelled(word)])), need_weights=True)
    names = [(*PHONEMES.decode([number]), "end")[0] for number in likeliest(logits[0]).tolist()]
    return names, torch.cat(weights)
