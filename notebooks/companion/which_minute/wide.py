"""Twelve wide copies of the head, to watch how they learn with one divisor or another. Shown in notebook 05.

Without a divisor, the last bit of a sum decides what such a head learns, and processors differ in it. So `watch` prints
what holds on each of them, and `MEASURED` holds what was counted on one.
"""

import torch
from torch.nn import functional as F

from companion.which_minute.head import BATCH
from companion.which_minute.sentences import MEANINGS, VOCABULARY, encode, sentences

HEADS, D_MODEL, D_K = 12, 64, 256  # the head in `head.py` has d_model 8 and d_k 2
STEPS = (20, 40, 60, 80, 100, 120)  # after which all sentences are asked
LEARNING_RATE = 0.3

# How many of the twelve have every sentence right after 500 steps: `python -m companion.which_minute.wide` counts again.
RATES = {f"SGD {rate}": (torch.optim.SGD, rate) for rate in (0.03, 0.1, 0.3, 1.0)}
RATES |= {f"Adam {rate}": (torch.optim.Adam, rate) for rate in (0.001, 0.003, 0.01)}
WAYS = {  # the divisor, and what W_query and W_key are multiplied by at first
    "q·k": (1, 1),
    "q·k, smaller start": (1, D_K**-0.25),  # scores as small as those of the next
    "q·k / √d_k": (D_K**0.5, 1),
    "q·k / √d_k, larger start": (D_K**0.5, D_K**0.25),  # scores as large as those of the first
    "q·k / d_k": (D_K, 1),
    "plain average": (1e9, 1),
}
MEASURED = {  # {way: one number for each of `RATES`}, on an AMD EPYC with torch 2.13
    "q·k": (0, 0, 0, 0, 0, 2, 1),
    "q·k, smaller start": (3, 3, 3, 1, 0, 0, 1),
    "q·k / √d_k": (9, 12, 12, 12, 6, 7, 7),
    "q·k / √d_k, larger start": (1, 1, 1, 1, 1, 1, 3),
    "q·k / d_k": (0, 12, 12, 12, 12, 12, 12),
    "plain average": (0, 12, 12, 12, 12, 12, 12),
}


def watch(divisors):
    """Train twelve heads with each divisor, and print how many of them have every sentence right after each of `STEPS`.

    divisors: {name: what q·k is divided by}.
    """
    print(" " * 12 + "".join(f"{step:>6}" for step in STEPS))
    for name, divisor in divisors.items():
        done = (learn(divisor) == 1).float().mean(dim=0)  # the share of the heads, (steps,)
        said = ("all" if share == 1 else "most" if share > 0.5 else "few" for share in done)
        print(f"{name:12}" + "".join(f"{each:>6}" for each in said))


def learn(divisor, start=1, steps=STEPS, optimizer=torch.optim.SGD, learning_rate=LEARNING_RATE):
    """Train twelve heads, each from random numbers of its own, and return the share of all sentences that each has
    right after each of these steps, (heads, steps).

    divisor: of q·k; start: what W_query and W_key are multiplied by at first, in the size that `nn.Linear` draws.
    """
    texts, meanings = sentences()
    ids, mask, _ = encode(texts)
    draw = torch.Generator().manual_seed(0)
    parts = _heads(D_K, start, draw)
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


if __name__ == "__main__":  # counts what is `MEASURED`, in a few minutes
    torch.set_num_threads(1)
    for way, given in WAYS.items():
        kinds = RATES.values()
        learned = (learn(*given, steps=[500], optimizer=kind, learning_rate=rate) for kind, rate in kinds)
        print(f'    "{way}": {tuple(int((right == 1).sum()) for right in learned)},', flush=True)
