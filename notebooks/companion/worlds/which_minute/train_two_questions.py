"""Train models for two questions in several ways, 20 seeds each, and store what notebook 09 shows of them.

python -m companion.worlds.which_minute.train_two_questions         in half an hour
"""

from collections import defaultdict
from functools import partial

import torch
from torch import nn

from companion.worlds.stored import store
from companion.worlds.which_minute.head import STEPS, train_in_steps
from companion.worlds.which_minute.two_questions import STORED, ManyHeads, TwoQuestions, encoded, percents_each_and_both
from utils.attention import SelfAttention

SEEDS = 20
ONE_HEAD, TWO_HEADS = "one head of 4 numbers", "two heads of 2 numbers"
SHOWN = {(ONE_HEAD, 1): "one head", (TWO_HEADS, 1): "two heads"}


class NarrowHead(nn.Module):
    """One head of 2 numbers, which W_output leads back to d_model."""

    def __init__(self, d_model):
        super().__init__()
        self.head, self.W_output = SelfAttention(d_model, 2), nn.Linear(2, d_model)

    def forward(self, inputs, mask):
        context, weights = self.head(inputs, mask[:, 0])
        return self.W_output(context), weights[:, None]


def twins(d_model):
    """Make two heads that start from the same numbers, as a seed set in `__init__` makes them. See the handbook."""
    module = ManyHeads(d_model, 2)
    for layer in (module.W_query, module.W_key, module.W_value):
        for part in layer.parameters():
            part.data[d_model // 2 :] = part.data[: d_model // 2]
    return module


one_head, two_heads = (partial(ManyHeads, num_heads=number) for number in (1, 2))
ATTENTIONS = {  # {name: what makes the attention of d_model, d_model, steps}
    "one head of 2 numbers": (NarrowHead, 4, STEPS),
    ONE_HEAD: (one_head, 4, STEPS),
    TWO_HEADS: (two_heads, 4, STEPS),
    "one head of 4, twice as long": (one_head, 4, 2 * STEPS),
    "two heads of 2, twice as long": (two_heads, 4, 2 * STEPS),
    "one head of 8 numbers": (one_head, 8, STEPS),
    "two heads of 4 numbers": (two_heads, 8, STEPS),
}


def learn(way, seed, inputs, answers):
    """Return a model that was trained in this way."""
    make, d_model, steps = ATTENTIONS[way]
    torch.manual_seed(seed)
    model = TwoQuestions(make(d_model), d_model)
    list(train_in_steps(model, inputs, answers, seed, steps))
    return model


if __name__ == "__main__":
    torch.set_num_threads(1)
    (inputs, answers), measured, shown = encoded(), defaultdict(list), nn.ModuleDict()
    for way in ATTENTIONS:
        for seed in range(SEEDS):
            model = learn(way, seed, inputs, answers)
            measured[way].append(percents_each_and_both(model, inputs, answers).round().int().tolist())
            if kept := SHOWN.get((way, seed)):
                shown[kept] = model
        print(f"{way}: {[both for *_, both in measured[way]]}", flush=True)
    store(shown, {"measured": measured}, STORED, decimals=4)
