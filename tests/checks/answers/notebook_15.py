"""Right and wrong answers to the exercises in notebook 15 (inside a real model)."""

import torch

from companion.checks.notebook_15 import VIEW, check_my_cut, check_my_mini_lm, check_my_null
from companion.slips import module_with
from companion.worlds.pretrained.minilm import MiniLM


class Recursive(MiniLM):
    """A right answer of another form: the streams are collected on the way back."""

    def forward(self, ids, mask=None):
        streams, weights = self.after(self.norm(self.embedded(ids)), list(self.blocks), mask)
        return torch.stack(streams), torch.stack(weights)

    def embedded(self, ids):
        tables = (self.token, ids), (self.place, torch.arange(ids.shape[1])), (self.segment, torch.tensor(0))
        return sum(table(row) for table, row in tables)

    def after(self, stream, blocks, mask):
        if not blocks:
            return [stream], []
        output, block_weights = blocks[0](stream, mask=mask, need_weights=True)
        streams, weights = self.after(output, blocks[1:], mask)
        return [stream, *streams], [block_weights, *weights]


def unweighted(self, ids, mask=None):
    stream, weights = self.blocks[0](self.token(ids), mask=mask)
    return stream, weights


def cut_by_loops(real, chosen):
    mask = real[:, None, :].expand(-1, real.shape[1], -1).clone()
    for sentence, position in chosen.nonzero():
        mask[sentence, position] = False
        mask[sentence, position, position] = True
    return mask


def controls(words="famous green silent wooden cold", predicted="short brief"):
    return lambda told_apart: [{word: told_apart(word) for word in part.split()} for part in (words, predicted)]


RIGHT = {
    check_my_mini_lm: [Recursive],
    check_my_cut: [cut_by_loops],
    check_my_null: [controls(), controls("cold warm dark clean new heavy")],
}
WRONG = {
    check_my_mini_lm: {
        "a block gives its weights, too, if you ask for them": module_with(MiniLM, unweighted),
    },
    check_my_cut: {
        VIEW: {".clone()": ""},
    },
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
