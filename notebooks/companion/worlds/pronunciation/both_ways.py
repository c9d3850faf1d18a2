"""How a model answers given the true beginning, as in training, and its own, as in writing. Used in notebook 14."""

import torch

from companion.worlds.pronunciation.decoding import one_word
from companion.worlds.pronunciation.dictionary import BEGIN, PADDING, PHONEMES, spelled
from companion.worlds.pronunciation.sounds import SOUNDS


@torch.no_grad()
def answers(model, word, beginning):
    """Return what a model says after a begin and after each phoneme of a beginning, and its weights on the letters.

    beginning: phonemes, a sequence of t; the answers are t + 1 names, of phonemes or "end"; the weights have shape
    (blocks, heads, t + 1, letters + 1), and their last column is the end of the letters.
    """
    ids = torch.tensor([[BEGIN, *PHONEMES.encode(beginning)]])
    logits, weights = model.eval().decode(ids, *model.encode(torch.tensor([spelled(word)])), need_weights=True)
    logits[..., [PADDING, BEGIN]] = -torch.inf  # no phonemes
    names = [(*PHONEMES.decode([number]), "end")[0] for number in logits[0].argmax(dim=-1).tolist()]
    return names, torch.cat(weights)


def both_ways(model, words, dictionary, block, head):
    """Return what `teacher_forcing` draws: the answers to the true beginning and to its own, and one head's weights."""
    ways_of = {}
    for word in words:
        ways = [answers(model, word, beginning) for beginning in (dictionary[word][0], one_word(model, word))]
        ways_of[word] = dictionary[word][0], *[(names, weights[block, head]) for names, weights in ways]
    return {"words": ways_of, "sounds": SOUNDS}
