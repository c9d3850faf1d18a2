"""A small model that learns to spell, letter by letter, to try variants of attention in. Used in notebook 17."""

import functools

import torch
from torch import nn
from torch.nn import functional as F

from companion.pronunciation.dictionary import BEGIN, LETTERS, PADDING, pad, read_dictionary, spelled
from utils.attention import causal_mask, merge_heads, split_heads
from utils.transformer import FeedForward

D_MODEL, NUM_HEADS, LONGEST, HELD_BACK, BATCH = 32, 4, 11, 1000, 64


@functools.cache
def word_ids():
    """Return the ids of 20,000 words of 4 to 11 letters, (words, 13): a begin, the letters, an end, and padding."""
    words = sorted(word for word in read_dictionary() if word.isalpha() and 4 <= len(word) <= LONGEST)
    order = torch.randperm(len(words), generator=torch.Generator().manual_seed(0))[:20_000]
    return pad([[BEGIN, *spelled(words[i])] for i in order.tolist()])


class FiveLines(nn.Module):
    """Multi-head attention of 2017 that can be changed at one point; keeps its newest scores as `scores`.

    prepare: what each query and key goes through, such as a norm.
    """

    def __init__(self, prepare=lambda features: features):
        super().__init__()
        self.prepare = prepare
        self.W_query, self.W_key, self.W_value, self.W_output = (nn.Linear(D_MODEL, D_MODEL) for _ in range(4))

    def forward(self, inputs, mask):
        """Return (..., tokens, 32) for inputs (..., tokens, 32) and a mask (tokens, tokens), True = may attend."""
        layers = self.W_query, self.W_key, self.W_value
        query, key, value = (split_heads(layer(inputs), NUM_HEADS) for layer in layers)
        scores = self.prepare(query) @ self.prepare(key).mT / query.shape[-1] ** 0.5
        self.scores = scores.masked_fill(~mask, -torch.inf)
        return self.W_output(merge_heads(torch.softmax(self.scores, dim=-1) @ value))


class Speller(nn.Module):
    """Letters and positions, added; two pre-norm blocks; logits of each next letter.

    attend: makes a block's attention, a module called with inputs (batch, tokens, 32) and mask=(tokens, tokens).
    """

    def __init__(self, attend):
        super().__init__()
        self.letters, self.positions = nn.Embedding(len(LETTERS), D_MODEL), nn.Embedding(LONGEST + 1, D_MODEL)
        self.attends = nn.ModuleList(attend() for _ in range(2))
        self.feed_forwards = nn.ModuleList(FeedForward(D_MODEL, 4 * D_MODEL) for _ in range(2))
        self.norms = nn.ModuleList(nn.LayerNorm(D_MODEL) for _ in range(4))
        self.norm, self.output = nn.LayerNorm(D_MODEL), nn.Linear(D_MODEL, len(LETTERS))

    def forward(self, ids, mask):
        """Return logits (batch, tokens, letters) for ids (batch, tokens)."""
        stream = self.letters(ids) + self.positions.weight[: ids.shape[1]]
        for i, (attend, feed_forward) in enumerate(zip(self.attends, self.feed_forwards)):
            stream = stream + attend(self.norms[2 * i](stream), mask=mask)
            stream = stream + feed_forward(self.norms[2 * i + 1](stream))
        return self.output(self.norm(stream))


def train(attend, rate=0.01, seed=0, steps=60):
    """Train a `Speller` around this attention, and return it and its loss on the 1,000 words held back.

    rate: of Adam.
    """
    with torch.random.fork_rng(devices=[]):
        torch.manual_seed(seed)
        model, words = Speller(attend), word_ids()[HELD_BACK:]
        optimizer = torch.optim.Adam(model.parameters(), lr=rate, foreach=True)
        for _ in range(steps):
            optimizer.zero_grad()
            _loss(model, words[torch.randint(len(words), (BATCH,))]).backward()
            optimizer.step()
    with torch.no_grad():
        return model, _loss(model, word_ids()[:HELD_BACK]).item()


def by_frequency():
    """Return the loss, on the words held back, of knowing only how frequent each letter is."""
    learned, asked = (words[:, 1:][words[:, 1:] != PADDING] for words in word_ids().tensor_split([HELD_BACK])[::-1])
    return -(learned.bincount() / len(learned)).log()[asked].mean().item()


def report(name, attend, rate):
    """Train two models whose attentions are `FiveLines`, and print for each how sharp its attention has become.

    Its largest score; the effective number of keys of its later rows; its loss on the words held back. What is left
    to chance, and to the processor, is printed as a bound.
    """
    for seed in range(2):
        model, loss = train(attend, rate=rate, seed=seed)
        scores = torch.stack([each.scores for each in model.attends])[..., 5:, :]
        keys = torch.special.entr(torch.softmax(scores, dim=-1)).sum(dim=-1).exp().mean()
        bound = next((bound for bound in (1, 5, 20, 100) if scores.max() < bound), None)
        largest = f"under {bound}" if bound else "over 1,000" if scores.max() > 1000 else "over 100"
        print(f"{name}: largest score {largest}, keys {'over 2' if keys > 2 else f'{keys:.0f}'}, loss {loss:.1f}")


def _loss(model, ids):
    logits = model(ids[:, :-1], causal_mask(LONGEST + 1))
    return F.cross_entropy(logits.flatten(0, 1), ids[:, 1:].flatten(), ignore_index=PADDING)
