"""The trained pronouncer, with a key and a value that its heads share in cross-attention. Used in notebook 17."""

import copy

import torch

from companion.worlds.pronunciation.decoding import likeliest
from companion.worlds.pronunciation.dictionary import PADDING, encode_pairs, pad, read_dictionary, spelled, split_words
from companion.worlds.pronunciation.trained import load_trained
from companion.worlds.pronunciation.training_loop import shifted

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
    def count_right(self, model):
        """Return how many of the 100 words a model says right, the likeliest phoneme each time.

        It is right where each next phoneme, after the true ones, is the likeliest: one pass for each word.
        """
        model.eval()
        letters, phonemes = map(pad, zip(*encode_pairs(self.asked, self.dictionary)))
        inputs, targets = shifted(phonemes)
        all_right = ((likeliest(model(letters, inputs)) == targets) | (targets == PADDING)).all(dim=1)
        words = [word for word in self.asked for _ in self.dictionary[word]]  # one for each pronunciation
        return len({word for word, fits in zip(words, all_right.tolist()) if fits})

    @torch.no_grad()
    def averaged(self, own):
        """Return a copy of the model whose heads make keys and values from the averages of all heads' own.

        own: whether each head reads the average through a matrix of its own, fitted to its old keys (or values).
        """
        model = copy.deepcopy(self.model)
        attentions = [block.cross_attention for block in model.decoder]
        for W in [matrix for attention in attentions for matrix in (attention.W_key, attention.W_value)]:
            W_down = W.weight.unflatten(0, (NUM_HEADS, HEAD_DIM)).mean(dim=0).T  # (d_model, head_dim)
            W_up = torch.eye(HEAD_DIM).to(W_down).repeat(1, NUM_HEADS)
            if own:
                W_up = torch.linalg.lstsq(self.letters @ W_down, self.letters @ W.weight.T).solution
            W.weight.copy_((W_down @ W_up).T)
        return model
