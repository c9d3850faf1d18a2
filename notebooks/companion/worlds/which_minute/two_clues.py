"""Sentences with two clues, whose order alone tells which "minute" is meant. Shown in notebook 11.

"one minute pause after the seed" is about a time, "one minute seed after the pause" about something tiny.
"""

from itertools import product

import torch

from companion.worlds.which_minute.head import train_in_steps, untrained
from companion.worlds.which_minute.sentences import MEANING_OF, MEANINGS, encode
from utils.attention import SelfAttention, attention
from utils.positions import rotate

ENDS = ("pause after the seed", "seed after the pause")
HELD_BACK = 200  # of 768 examples
HEAD_DIM = 8  # four pairs of features, so four speeds of turning


class RotaryHead(SelfAttention):
    """A head whose queries and keys are turned by their positions."""

    def forward(self, inputs, mask=None):
        """Return context and weights, as `SelfAttention` does."""
        query, key = rotate(self.W_query(inputs)), rotate(self.W_key(inputs))
        return attention(query, key, self.W_value(inputs), mask)


def examples():
    """Return the examples to train on and 200 held back for a test, each as [ids, mask, positions, meanings]."""
    pairs = [
        (f"{number} minute {clue} after the {false_clue}".split(), MEANING_OF[clue])
        for number, clue, false_clue in product(("one", "another"), MEANING_OF, MEANING_OF)
        if MEANING_OF[clue] != MEANING_OF[false_clue]
    ]
    texts, meanings = zip(*pairs)
    order = torch.randperm(len(pairs), generator=torch.Generator().manual_seed(0))
    shuffled = [part[order] for part in (*encode(texts), torch.tensor(meanings))]
    return [part[HELD_BACK:] for part in shuffled], [part[:HELD_BACK] for part in shuffled]


def train_model(attend=RotaryHead, seed=0):
    """Train a model around this kind of head, of 8 features, in half a second, and return it."""
    torch.set_num_threads(1)  # so small a model is slower with more
    *inputs, meanings = examples()[0]
    model = untrained(seed, attend, HEAD_DIM)
    list(train_in_steps(model, inputs, meanings, seed, steps=200))
    return model.eval()


def marked(models):
    """Return for each of the two sentences {name and answer, marked as right or wrong: {1: weights of "minute"}}."""
    answers = {name: ask(model) for name, model in models.items()}
    return [
        {f"{name}: {says[n]} {'✗✓'[says[n] == right]}": {1: rows[n]} for name, (rows, says) in answers.items()}
        for n, right in enumerate(MEANINGS[: len(ENDS)])
    ]


@torch.no_grad()
def ask(model):
    """Ask a model about the two sentences that end with `ENDS`: the weights of "minute", (2, 6), and both answers."""
    logits, weights, _ = model(*encode([f"one minute {end}".split() for end in ENDS]))
    return weights, [MEANINGS[best] for best in logits.argmax(dim=-1)]
