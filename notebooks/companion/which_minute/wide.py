"""Twelve wide copies of the head, to watch how they learn with one divisor or another. Shown in notebook 05.

Without a divisor, the last bit of a sum decides what such a head learns, and processors differ in it: what notebook 05
prints holds on each of them.
"""

import torch
from torch.nn import functional as F

from companion.which_minute.head import BATCH
from companion.which_minute.sentences import MEANINGS, VOCABULARY, encode, sentences

HEADS, D_MODEL, D_K = 12, 64, 256  # the head in `head.py` has d_model 8 and d_k 2
STEPS = (20, 40, 60, 80, 100, 120)  # after which all sentences are asked
LEARNING_RATE = 0.3


def learn(divisor, d_k=D_K, start=1, steps=STEPS, learning_rate=LEARNING_RATE, optimizer=torch.optim.SGD):
    """Train twelve heads, each from random numbers of its own, and return the share of all sentences that each has
    right after each of these steps, (heads, steps).

    divisor: of q·k; start: what W_query and W_key are multiplied by at first, in the size that `nn.Linear` draws.
    """
    texts, meanings = sentences()
    ids, mask, _ = encode(texts)
    draw = torch.Generator().manual_seed(0)
    parts = _heads(d_k, start, draw)
    optimizer, right = optimizer(parts, lr=learning_rate), []
    for step in range(1, steps[-1] + 1):
        batch = torch.randint(0, len(meanings), (BATCH,), generator=draw)
        logits = _answers(parts, divisor, ids[batch], mask[batch])
        loss = F.cross_entropy(logits.flatten(0, 1), meanings[batch].repeat(HEADS), reduction="sum") / BATCH
        optimizer.zero_grad()
        loss.backward()
        optimizer.step()
        if step in steps:
            with torch.no_grad():
                right.append((_answers(parts, divisor, ids, mask).argmax(dim=-1) == meanings).float().mean(dim=-1))
    return torch.stack(right, dim=1)


def _heads(d_k, start, draw):
    """Return embedding, W_query, W_key, W_value and W_answer of all heads, drawn as PyTorch's own layers draw them."""

    def linear(size, factor=1):
        numbers = torch.rand(HEADS, D_MODEL, size, generator=draw)
        return (factor * (2 * numbers - 1) / D_MODEL**0.5).requires_grad_()

    embedding = torch.randn(HEADS, len(VOCABULARY), D_MODEL, generator=draw).requires_grad_()
    return embedding, linear(d_k, start), linear(d_k, start), linear(D_MODEL), linear(len(MEANINGS))


def _answers(parts, divisor, ids, mask):
    """Return the logits (heads, sentences, 3). Only "minute" asks; a word scores alike in all sentences."""
    embedding, W_query, W_key, W_value, W_answer = parts
    asking = embedding[:, VOCABULARY.encode(["minute"])]  # (heads, 1, d_model)
    scores = (asking @ W_query) @ (embedding @ W_key).transpose(-2, -1) / divisor  # (heads, 1, words)
    weights = scores[:, 0, ids].masked_fill(~mask[:, 0], -torch.inf).softmax(dim=-1)  # (heads, sentences, tokens)
    shares = weights.new_zeros(HEADS, len(ids), len(VOCABULARY)).scatter_add(2, ids.expand(HEADS, -1, -1), weights)
    return shares @ (embedding @ W_value @ W_answer)
