"""The trained pronouncer, with a key and a value that its heads share in cross-attention. Used in notebook 17."""

import copy

import torch

from companion.worlds.pronunciation.dictionary import (
    BEGIN,
    PADDING,
    encode_pairs,
    pad,
    read_dictionary,
    spelled,
    split_words,
)
from companion.worlds.pronunciation.trained import load_trained
from companion.worlds.pronunciation.training import shifted

NUM_HEADS, HEAD_DIM = 4, 32


class Pronunciation:
    """The stored model of notebook 14, the vectors of the letters of 100 words, and 100 other words to judge by."""

    def __init__(self):
        self.model = load_trained()[0].double()  # a training in 64 bits finds the same answers on every machine
        self.dictionary = read_dictionary()
        self.split = split_words(self.dictionary)
        seen, self.asked = self.split.development[:100], self.split.development[100:200]
        with torch.no_grad():
            memory, mask = self.model.encode(pad([spelled(word) for word in seen]))
        self.letters = memory[mask[:, 0]]  # (letters of all words, d_model)

    @torch.no_grad()
    def right(self, model):
        """Return how many of the 100 words a model says right, the likeliest phoneme each time.

        It would say what the dictionary says if each next phoneme, after the true ones, is the likeliest. So no word
        has to be written phoneme by phoneme.
        """
        model.eval()
        letters, phonemes = map(pad, zip(*encode_pairs(self.asked, self.dictionary)))
        inputs, targets = shifted(phonemes)
        logits = model(letters, inputs)
        logits[..., [PADDING, BEGIN]] = -torch.inf  # no phonemes
        all_right = ((logits.argmax(dim=-1) == targets) | (targets == PADDING)).all(dim=1)
        words = [word for word in self.asked for _ in self.dictionary[word]]  # one for each pronunciation
        return len({word for word, fits in zip(words, all_right.tolist()) if fits})

    @torch.no_grad()
    def shared(self, kept, own, matrices=("W_key", "W_value")):
        """Return a copy of the model whose heads make their keys, and their values, from 32 numbers of a letter.

        kept: which numbers: "average", those of the average of the heads' matrices; or "largest", the directions in
        which the keys (or values) of all heads are largest. own: whether each head reads them through a matrix of its
        own, fitted to its old keys (or values), or as they are. matrices: what is shared, keys or values or both.
        """
        model = copy.deepcopy(self.model)
        for W in [getattr(block.cross_attention, name) for block in model.decoder for name in matrices]:
            made = self.letters @ W.weight.T  # (letters, heads · head_dim)
            W_down = _narrow(W.weight, made, kept)
            if own:
                W_up = torch.linalg.lstsq(self.letters @ W_down, made).solution  # (head_dim, heads · head_dim)
            else:
                W_up = torch.eye(HEAD_DIM).to(made).repeat(1, NUM_HEADS)
            W.weight.copy_((W_down @ W_up).T)
        return model


def _narrow(weight, made, kept):
    """Return the matrix (d_model, head_dim) that makes what is kept of a letter; made: all keys, or values, so far."""
    if kept == "average":
        return weight.unflatten(0, (NUM_HEADS, HEAD_DIM)).mean(dim=0).T
    return weight.T @ torch.linalg.svd(made, full_matrices=False)[2][:HEAD_DIM].T
