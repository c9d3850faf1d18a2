"""The trained pronouncer, with a key and a value that its heads share in cross-attention. Used in notebook 17."""

import copy

import torch

from companion.pronunciation.dictionary import (
    BEGIN,
    PADDING,
    encode_pairs,
    pad,
    read_dictionary,
    spelled,
    split_words,
)
from companion.pronunciation.trained import load_trained
from companion.pronunciation.training import Training, shifted

NUM_HEADS, HEAD_DIM = 4, 32
STEPS, BATCH, LEARNING_RATE = 25, 16, 6e-3  # of training on


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
        said = ((logits.argmax(dim=-1) == targets) | (targets == PADDING)).all(dim=1)
        words = [word for word in self.asked for _ in self.dictionary[word]]  # one for each pronunciation
        return len({word for word, fits in zip(words, said.tolist()) if fits})

    def shared(self, kept, own):
        """Return a copy of the model whose heads make their keys, and their values, from 32 numbers of a letter.

        kept: which numbers: "average", those of the average of the heads' matrices; or "largest", the directions in
        which the keys (or values) of all heads are largest. own: whether each head reads them through a matrix of its
        own, fitted to its old keys (or values), or as they are.
        """
        model = copy.deepcopy(self.model)
        self._share(model, kept, own)
        return model

    @torch.no_grad()
    def folded(self, kept):
        """Return a copy that says the same as `shared(kept, own=True)`, but whose heads read the numbers as they are.

        A head's matrix goes into its queries, as in `absorbed_scores`, and the matrix for its values into its output.
        """
        model = copy.deepcopy(self.model)
        for layer in [block.cross_attention for block in model.decoder]:
            W_down, W_up = self._parts(layer.W_key, kept)
            each_head = torch.block_diag(*W_up.split(HEAD_DIM, dim=1))
            layer.W_query.weight.copy_(each_head @ layer.W_query.weight)
            layer.W_query.bias.copy_(each_head @ layer.W_query.bias)
            layer.W_key.weight.copy_(W_down.T.repeat(NUM_HEADS, 1))
            layer.W_key.bias.zero_()  # it adds the same to the scores of all keys, which softmax ignores

            W_down, W_up = self._parts(layer.W_value, kept)
            each_head = torch.block_diag(*W_up.split(HEAD_DIM, dim=1))
            layer.W_output.bias += layer.W_output.weight @ layer.W_value.bias  # a row of weights sums to 1
            layer.W_output.weight.copy_(layer.W_output.weight @ each_head.T)
            layer.W_value.weight.copy_(W_down.T.repeat(NUM_HEADS, 1))
            layer.W_value.bias.zero_()
        return model

    def trained_on(self, seed, averaged=True):
        """Return a copy whose decoder was trained 25 steps, with averages read as they are, or with all keys."""
        model = copy.deepcopy(self.model).requires_grad_(False)
        model.decoder.requires_grad_(True)
        if averaged:
            self._share(model, "average", own=False)
        pairs = encode_pairs(self.split.training[: 200 * BATCH], self.dictionary)
        for _ in Training(model, pairs, STEPS, BATCH, LEARNING_RATE, seed=seed):
            if averaged:
                self._share(model, "average", own=False)
        return model

    @torch.no_grad()
    def _share(self, model, kept, own):
        for W in [W for block in model.decoder for W in (block.cross_attention.W_key, block.cross_attention.W_value)]:
            W_down, W_up = self._parts(W, kept, own)
            W.weight.copy_((W_down @ W_up).T)

    def _parts(self, W, kept, own=True):
        """Return W_down (d_model, head_dim), which makes what is kept, and W_up (head_dim, heads · head_dim)."""
        made = self.letters @ W.weight.T  # (letters, heads · head_dim)
        W_down = _narrow(W.weight, made, kept)
        if own:
            return W_down, torch.linalg.lstsq(self.letters @ W_down, made).solution
        return W_down, torch.eye(HEAD_DIM).to(made).repeat(1, NUM_HEADS)


def _narrow(weight, made, kept):
    """Return the matrix (d_model, head_dim) that makes what is kept of a letter; made: all keys, or values, so far."""
    if kept == "average":
        return weight.unflatten(0, (NUM_HEADS, HEAD_DIM)).mean(dim=0).T
    return weight.T @ torch.linalg.svd(made, full_matrices=False)[2][:HEAD_DIM].T
