"""A wider copy of the head, to watch what its divisor does while it learns. Shown in notebook 05."""

import torch
from torch import nn
from torch.nn import functional as F

from companion.which_minute.head import BATCH
from companion.which_minute.sentences import MEANINGS, VOCABULARY, encode, sentences

D_MODEL = 64  # the head of `head.py` has 8
STEPS = [2**power for power in range(9)]  # after 1, 2, 4 ... 256 of them, all sentences are asked
LEARNING_RATE = 0.3


class WideHead(nn.Module):
    """The head of `head.py` with other sizes and any divisor; only "minute" asks, as only its context is read.

    d_k: of query and key; divisor: of their product; start: what W_query and W_key are multiplied by at first, from
    the numbers that `nn.Linear` draws.
    """

    def __init__(self, d_k, divisor, start=1):
        super().__init__()
        self.embedding = nn.Embedding(len(VOCABULARY), D_MODEL)
        self.W_query, self.W_key = (nn.Linear(D_MODEL, d_k, bias=False) for _ in range(2))
        self.W_value = nn.Linear(D_MODEL, D_MODEL, bias=False)
        self.answer = nn.Linear(D_MODEL, len(MEANINGS))
        self.divisor = divisor
        with torch.no_grad():
            self.W_query.weight *= start
            self.W_key.weight *= start

    def forward(self, ids, mask):
        """Return the logits (sentences, 3) and the weights (sentences, tokens) of "minute"."""
        words = self.embedding.weight  # a word's score and value are the same in all sentences
        query = self.W_query(words[VOCABULARY.encode(["minute"])])
        scores = (query @ self.W_key(words).T)[0] / self.divisor
        weights = scores[ids].masked_fill(~mask, -torch.inf).softmax(dim=-1)
        answers = words.new_zeros(len(ids), len(words)).scatter_add(1, ids, weights)  # each word's share
        return self.answer(answers @ self.W_value(words)), weights


def learn(divisor, seed, d_k=256, start=1, optimizer=torch.optim.SGD, learning_rate=LEARNING_RATE, steps=STEPS):
    """Train a wide head, and return the percentage of all sentences that it has right after each of these steps."""
    texts, meanings = sentences()
    ids, mask, _ = encode(texts)
    mask = mask[:, 0]
    with torch.random.fork_rng(devices=[]):
        torch.manual_seed(seed)
        head = WideHead(d_k, divisor, start)
    draw, optimizer = torch.Generator().manual_seed(seed), optimizer(head.parameters(), lr=learning_rate)
    right = []
    for step in range(1, steps[-1] + 1):
        batch = torch.randint(0, len(meanings), (BATCH,), generator=draw)
        loss = F.cross_entropy(head(ids[batch], mask[batch])[0], meanings[batch])
        optimizer.zero_grad()
        loss.backward()
        optimizer.step()
        if step in steps:
            with torch.no_grad():
                right.append(100 * (head(ids, mask)[0].argmax(dim=-1) == meanings).float().mean())
    return torch.stack(right)
