"""Right and wrong answers to the exercises in notebook 15 (inside a real model)."""

from itertools import accumulate

import torch

from companion.checks.notebook_15 import VIEW, check_my_cut, check_my_mini_lm, check_my_null
from companion.worlds.pretrained.minilm import MiniLM


class Accumulated(MiniLM):
    def forward(self, ids, mask=None):
        tables = (self.token, ids), (self.place, torch.arange(ids.shape[1])), (self.segment, torch.tensor(0))
        start = self.norm(sum(table(row) for table, row in tables)), None
        read = accumulate(self.blocks, lambda pair, block: block(pair[0], mask=mask, need_weights=True), initial=start)
        streams, weights = zip(*read)
        return torch.stack(streams), torch.stack(weights[1:])


def cut_by_loops(real, chosen):
    mask = real[:, None, :].expand(-1, real.shape[1], -1).clone()
    for sentence, position in chosen.nonzero():
        mask[sentence, position] = False
        mask[sentence, position, position] = True
    return mask


def controls(words="famous green silent wooden cold", predicted="short brief"):
    return lambda told_apart: [{word: told_apart(word) for word in part.split()} for part in (words, predicted)]


RIGHT = {
    check_my_mini_lm: [Accumulated],
    check_my_cut: [cut_by_loops],
    check_my_null: [controls(), controls("cold warm dark clean new heavy")],
}
WRONG = {
    check_my_mini_lm: {
        "a block gives its weights, too, if you ask for them": {"zip(*read)": "self.blocks[0](start[0], mask=mask)"}
    },
    check_my_cut: {VIEW: {".clone()": ""}},
    check_my_null: {
        "a part of my_null gives a set, but a dict was expected": lambda told_apart: ({*"abcde"}, {}),
        "my_null gives {'famous': 30,": lambda told_apart: controls()(lambda word: 30),
        "a key of my_null gives an int, but a word was expected": lambda told_apart: ({5: 30}, {}),
        "“a” is not an adjective": controls("happy a blue green red"),
        "“minute” is what we test": controls("happy blue minute green red"),
        "“short” is a word of time or size": controls("happy blue short green red"),
        "“crack” is in the sentences already": controls("happy blue crack green red"),
        "“unbeatable” is not one token": controls("happy blue unbeatable green red"),
        "my_null has 4 different controls": controls("happy blue happy green red"),
        "“heavy” is not among the words of time or size": controls(predicted="short heavy"),
        "in the second dictionary are at least two words": controls(predicted="long"),
    },
}
