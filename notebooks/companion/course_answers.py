"""The course's own answers to exercises of which a world or a later notebook makes use, where `utils` has none."""

import copy
import functools
import itertools
from collections import Counter

import torch


def encoded(tokens, vocabulary):
    """Return the id of each token, its position in the vocabulary; an unknown token has that of "<unk>"."""
    ids = {token: position for position, token in enumerate(vocabulary)}
    return [ids.get(token, ids["<unk>"]) for token in tokens]


def joined(tokens, pair):
    """Join a pair of neighbors at each position where it occurs, from left to right: one merge. Returns a new list."""
    result = []
    for token in tokens:
        if result and (result[-1], token) == pair:  # what is joined is longer than pair[0]: used once
            result[-1] += token
        else:
            result.append(token)
    return result


def merges_applied(letters, merges):
    """Return the tokens that letters become when merges, pairs of tokens, are done one after the other."""
    return functools.reduce(joined, merges, list(letters))


def merges_learned(words, num_merges):
    """Learn up to num_merges merges from a list of words: byte-pair training. Returns the pairs, in order.

    Sennrich, Haddow and Birch, "Neural Machine Translation of Rare Words with Subword Units", 2016.
    """
    merges = []
    while len(merges) < num_merges:
        counts = Counter(pair for word in words for pair in zip(word, word[1:]))
        if not counts:
            break
        merges.append(max(counts, key=counts.get))  # the first of the most frequent
        words = [joined(word, merges[-1]) for word in words]
    return merges


def one_loop(loss_of, optimizer, batches):
    """Train on batches and return the loss of each, one step for each batch: `train` of notebook 07."""
    losses = []
    for batch in batches:
        loss = loss_of(batch)
        optimizer.zero_grad()
        loss.backward()
        optimizer.step()
        losses.append(loss.item())
    return losses


def head_removed(module, head):
    """Return a copy of a multi-head attention to whose output a head adds nothing: `without_head` of notebook 09.

    Its columns of W_output are 0.
    """
    module, head_dim = copy.deepcopy(module), module.W_output.weight.shape[1] // module.num_heads
    with torch.no_grad():
        module.W_output.weight.narrow(1, head * head_dim, head_dim).zero_()
    return module


def looks_one_past(weights, period):
    """Return how much queries look at the key after their letter's last one: `induction_score` of notebook 13.

    weights: (..., queries, keys), of letters that repeat after `period` positions. Returns (...).
    """
    return weights.diagonal(1 - period, -2, -1)[..., 1:].mean(dim=-1)


def depends(answer, names):
    """Return which of its three words an answer depends on: `depends_on` of notebook 18."""
    choices = {"first": names, "said": ("she", "he"), "second": names}
    words = set()
    for beginning in itertools.product(*choices.values()):
        for position, word in enumerate(choices):
            for choice in choices[word]:
                if answer(*beginning[:position], choice, *beginning[position + 1 :]) != answer(*beginning):
                    words.add(word)
    return words
