"""A head that has learned which "minute" is meant, small enough to be seen whole: its vectors lie in the plane.

python -m companion.worlds.which_minute.head        trains it and stores it, in a second
"""

from pathlib import Path

import torch
from torch import nn
from torch.nn import functional as F

from companion.fitting import descend, redraw
from companion.worlds.stored import read, store
from companion.worlds.which_minute.sentences import MEANINGS, VOCABULARY, encode, sentences
from utils.attention import SelfAttention

D_MODEL, HEAD_DIM = 8, 2
SEED, STEPS, BATCH = 0, 500, 64
LEARNING_RATE, WEIGHT_DECAY = 0.02, 0.05
STORED = Path(__file__).with_name("trained.json")


class WhichMinute(nn.Module):
    """Embeddings of 8 numbers, one head of 2, and three answers read off the context of "minute".

    attend: the class of the head, called with (8, head_dim), `SelfAttention` or the reader's own. See notebook 07.
    """

    def __init__(self, attend=SelfAttention, head_dim=HEAD_DIM):
        super().__init__()
        self.embedding = nn.Embedding(len(VOCABULARY), D_MODEL)
        self.attend = attend(D_MODEL, head_dim)
        self.answer = nn.Linear(head_dim, len(MEANINGS))

    def forward(self, ids, mask, positions):
        """Return logits (sentences, 3), weights (sentences, tokens) and context (sentences, head_dim) of "minute".

        ids, mask, positions: as `encode` makes them.
        """
        context, weights = self.attend(self.embedding(ids), mask)
        rows = torch.arange(len(ids))
        return self.answer(context[rows, positions]), weights[rows, positions], context[rows, positions]


def untrained(seed=SEED, attend=SelfAttention, head_dim=HEAD_DIM):
    """Return the head as training finds it: its numbers are random."""
    with torch.random.fork_rng(devices=[]):
        return redraw(WhichMinute(attend, head_dim), seed)


def train_in_steps(head, inputs, meanings, seed=SEED, steps=STEPS):
    """Train a head in place, and yield the number of each step and its loss, before the step is taken.

    inputs: as `encode` makes them; meanings: (sentences,).
    """
    generator = torch.Generator().manual_seed(seed)
    optimizer = torch.optim.AdamW(head.parameters(), lr=LEARNING_RATE, weight_decay=WEIGHT_DECAY)
    batches = (torch.randint(0, len(meanings), (BATCH,), generator=generator) for _ in range(steps))

    def loss_of(rows):
        return F.cross_entropy(head(*(part[rows] for part in inputs))[0], meanings[rows])

    return descend(loss_of, optimizer, batches)


@torch.no_grad()
def share_right(head, asked):
    """Return the share of examples in which the head's largest logit is that of the right meaning."""
    *inputs, meanings = asked
    return (head(*inputs)[0].argmax(dim=-1) == meanings).float().mean()


def trained():
    """Return the trained head, from the file that comes with the course. Raises ValueError as `read` does."""
    return read(lambda record: WhichMinute(), STORED)[0]


if __name__ == "__main__":
    torch.set_num_threads(1)
    texts, meanings = sentences()
    head = untrained()
    for step, loss in train_in_steps(head, encode(texts), meanings):
        if step % 100 == 0:
            print(f"step {step}: loss {loss:.3f}")
    store(head, {"seed": SEED, "steps": STEPS}, STORED, decimals=4)
