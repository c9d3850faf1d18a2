"""Checks of the exercises in notebook 19 (a language model): names, rotation, a loop that writes, a test for a head."""

import re
from functools import partial

import torch

from companion.checks.compared import compared_with
from companion.course_answers import looks_one_past
from companion.worlds.pretrained.smollm import AROUND, NAMES, their_name
from utils.positions import rotate

FILE_NAMES = {  # {message: wrong file_name}
    "the file's names end in .weight, too": lambda ours: their_name(ours).removesuffix(".weight"),
    "the block has number 0 each time: take it from our name": lambda ours: re.sub(r"\d+", "0", their_name(ours)),
}
NAME_STOPS = {
    "unpack": "{error}; names outside the blocks, such as norm.weight, have fewer words: look for them first",
    "list index out of range": "{error}; names outside the blocks, such as norm.weight, have fewer words",
}


@compared_with(their_name, FILE_NAMES, NAME_STOPS)
def check_file_name(file_name):
    """each of our 272 names leads to the file's."""
    names = [*AROUND, *(f"blocks.{layer}.{ours}.weight" for layer in (0, 7, 29) for ours in NAMES)]
    for name in names[2:] + names[:2]:
        yield f'file_name("{name}")', (name,)


def turned_at(features, positions, base):
    """Turn features at their positions: the course's own `turn_at`."""
    return rotate(features, positions, base=base)


TURNS = {  # {message: what a wrong turn_at has instead}
    "the positions are not used: position 0 is where the text began": {"rotate(features, positions": "rotate(features"},
    "the base is not used: it takes the place of 10,000": {", base=base": ""},
    "neighbors are paired: pair the two halves, as in notebook 11": {"base=base": "base=base, pairing='neighbors'"},
    "it turns the wrong way: look at the two signs": {"rotate(features, positions": "rotate(features, -positions"},
}
TURN_STOPS = {"must match": "{error}. The angles are (tokens, head_dim / 2): one row for each of the positions"}


@compared_with(turned_at, TURNS, TURN_STOPS, atol=1e-4)
def check_turn_at(turn_at):
    """each pair turns by its position, wherever the text goes on, and as slowly as the base says."""
    for start, base in ((0, 10_000), (5, 10_000), (0, 100), (7, 100_000)):
        positions = start + torch.arange(4)
        doing = f"turn_at for positions {start} to {start + 3} and base {base:,}"
        yield doing, (torch.randn(2, 3, 4, 6), positions, base)


class Remembers:
    """A reader with a cache: which id it finds likeliest depends on all that it has read, and on its order."""

    def __init__(self):
        self.read = []

    def __call__(self, ids):
        rows = []
        for new_id in ids:
            self.read.append(new_id)
            likeliest = sum(position * old for position, old in enumerate(self.read, 1)) % 11
            rows.append(torch.eye(11)[likeliest])
        return torch.stack(rows)


def written_on(read, ids, num_new, choose, end):
    """Write up to num_new ids after those given, by a reader that remembers: the course's own `write_on`."""
    written, unread = [], ids
    while len(written) < num_new:
        new = choose(read(unread)[-1])
        if new == end:
            break
        written.append(new)
        unread = [new]
    return written


WRITES = {  # {message: what a wrong write_on has instead}
    "the whole text is read again: the cache has it already, so hand over only the newest id": {
        "[new]": "[*ids, *written]"
    },
    "the new id is never read: after each choice, hand it over": {"[new]": "ids[-1:]"},
    "it goes on after `end`: stop there": {"new == end": "False"},
    "`end` is returned, too: stop before you append it": {"break": "return [*written, new]"},
}
WRITE_STOPS = {"not iterable": "{error}; read takes a list of ids, so one id becomes [new]"}


def _write(write_on, ids, num_new, end):
    return write_on(Remembers(), ids, num_new, lambda logits: int(logits.argmax()), end)


@compared_with(written_on, WRITES, WRITE_STOPS, measure=_write)
def check_write_on(write_on):
    """it reads the text once, then each new id once, and stops in time."""
    for ids, num_new, end in (([3, 1, 4], 5, None), ([2], 4, None), ([5, 9], 12, 10), ([1, 2, 3], 1, None)):
        yield f"write_on for the ids {ids} and num_new={num_new}", (ids, num_new, end)


def _look(weights_of, *rows):
    """Return how much each head looks one past where the last of some rows of ids repeats the first."""
    return looks_one_past(weights_of(torch.cat(rows)), (len(rows) - 1) * len(rows[0]))


def compared_scores(weights_of, row, other):
    """Return how much more each head looks there than where nothing repeats: the course's own `induction`."""
    again, fresh = _look(weights_of, row, row), _look(weights_of, other, row)
    return again - fresh


FOUND = {  # {message: what a wrong induction has instead}
    "fooled: a head that always looks len(row) - 1 tokens back scores as high as one that finds": {" - fresh": ""},
    "fooled: a head that always looks 2 * len(row) - 1 tokens back scores as high, with `other` between": {
        "row, row)": "row, other, row)"
    },
    "all heads are averaged together: keep one score for each": {"again - fresh": "(again - fresh).mean()"},
}


def _maps(ids, size):
    """Return the weights of (2, 3) heads: induction, weak induction, three that look at a place, and an even one."""
    position = torch.arange(len(ids))
    same = (ids[:, None] == ids).tril(-1).roll(1, dims=1).tril() * 1.0
    even = torch.ones(len(ids), len(ids)).tril()
    at_a_place = [50 * (position[:, None] - position == rows * size - 1) + even for rows in (1, 2, 3)]
    scores = torch.stack([9 * same + even, 6 * same + even, *at_a_place, even]).unflatten(0, (2, 3))
    return scores / scores.sum(dim=-1, keepdim=True)


def _find_heads(induction, row, other):
    scores = induction(partial(_maps, size=len(row)), row, other)
    # any test will do that finds the first two heads and no other
    return scores > 0.15 if isinstance(scores, torch.Tensor) else scores


@compared_with(compared_scores, FOUND, measure=_find_heads)
def check_induction(induction):
    """it finds the heads that look for the token, and none that looks a fixed number of tokens back."""
    for size in (6, 9):
        ids = torch.randperm(50)[: 2 * size]
        yield f"induction > 0.15 (only two heads find) for rows of {size} tokens", tuple(ids.split(size))
