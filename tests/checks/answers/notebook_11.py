"""Right and wrong answers to the exercises in notebook 11 (order)."""

from itertools import combinations

import torch

from checks.answers.changed import changed
from companion.checks.notebook_11 import check_rotary_head, check_sees_order, check_turn, check_waves, order_seen
from utils.attention import SelfAttention


def neighbors(size):
    """Return the orders in which two neighbors are exchanged."""
    return [[*range(i), i + 1, i, *range(i + 2, size)] for i in range(size - 1)]


def judged(orders=neighbors, differs=lambda gap: gap.abs().max() > 1e-5):
    """Compose the test from its decisions, any of which may be a wrong one."""

    def sees_order(read, inputs):
        before = read(inputs)
        return any(bool(differs(read(inputs[:, order]) - before[:, order])) for order in orders(inputs.shape[1]))

    return sees_order


def by_slices(read, inputs):
    """Exchange two slices, which are views: one overwrites the other."""
    copy = inputs.clone()
    copy[:, 0], copy[:, 1] = copy[:, 1], copy[:, 0]
    return bool((read(copy) - read(inputs)).abs().max() > 1e-5)


def by_pairs(read, inputs):
    """Exchange any two tokens in a copy, and the outputs back."""
    for i, j in combinations(range(inputs.shape[1]), 2):
        order = torch.arange(inputs.shape[1])
        order[[i, j]] = order[[j, i]]
        if not torch.allclose(read(inputs[:, order])[:, order], read(inputs), rtol=0, atol=1e-5):
            return True
    return False


def of_sentences(read, inputs):
    order = torch.arange(len(inputs)).flip(0)
    return bool((read(inputs[order]) - read(inputs)[order]).abs().max() > 1e-5)


def angles_of(num_tokens, size):
    return torch.arange(num_tokens)[:, None] / 10000 ** (torch.arange(0, size, 2) / size)


def waves_of(angles):
    return torch.stack([angles.sin(), angles.cos()], dim=-1).flatten(-2)


def waves_in_rows(num_tokens, d_model):
    """Divide a row of positions by a row of pairs."""
    return waves_of(torch.arange(num_tokens) / 10000 ** (torch.arange(0, d_model, 2) / d_model))


def half_rotated(features, tokens_axis=-2):
    """As much code has it: cosines and sines repeated, and the second half before the first, negated."""
    first, second = features.chunk(2, dim=-1)
    angle = angles_of(features.shape[tokens_axis], features.shape[-1]).repeat(1, 2)
    return features * angle.cos() + torch.cat([-second, first], dim=-1) * angle.sin()


def turned_by_hand(self, inputs, mask=None):
    """Turn by the code of others, and weigh by hand."""
    query, key = (half_rotated(layer(inputs)) for layer in (self.W_query, self.W_key))
    omega = query @ key.mT / query.shape[-1] ** 0.5
    if mask is not None:
        omega = omega.masked_fill(~mask, -torch.inf)
    alpha = omega.softmax(dim=-1)
    return [alpha @ self.W_value(inputs), alpha]


RIGHT = {
    check_rotary_head: [changed(SelfAttention, turned_by_hand)],
    check_sees_order: [by_pairs],
    check_waves: [lambda *sizes: waves_of(angles_of(*sizes))],
    check_turn: [half_rotated],
}
WRONG = {
    check_rotary_head: [
        (
            changed(SelfAttention, lambda self, *inputs: turned_by_hand(self, *inputs)[0]),
            "the head with a mask returns two",
        ),
        (changed(SelfAttention, lambda self, x, mask=None: turned_by_hand(self, x, ~~mask)), "your class stopped with"),
    ],
    check_sees_order: [
        (of_sentences, "for the number of the sentence in place of the token's, sees_order gives True"),
        (
            judged(differs=lambda gap: gap.abs().max() > 0),
            "for attention without positions, sees_order gives True: the l",
        ),
        (lambda *inputs: not order_seen(*inputs), "True and False are exchanged"),
        (lambda *inputs: True, "for a module that doubles each token, sees_order gives True: the outputs move along"),
        (lambda *inputs: False, "for positions added to the tokens, sees_order gives False: compare read(inputs"),
        (lambda read, inputs: order_seen(read, inputs.mul_(2)), "you exchange tokens in inputs itself"),
        (by_slices, "one token occurs twice, and its neighbor is lost"),
        (lambda read, inputs: read(inputs[[4, 5]]) is None, "the tokens are axis 1, so a new order comes after a colo"),
        (
            judged(differs=lambda gap: gap.max() > 1e-5),
            "for numbers that only sink, sees_order gives False: a gap below",
        ),
        (judged(orders=lambda size: [[*range(size)][::-1]]), "for a penalty for distance, sees_order gives False"),
        (judged(orders=lambda size: [[*range(1, size), 0]]), "for a circle, where each token takes"),
        (judged(differs=lambda gap: gap.abs().max() > 1e-2), "for positions of a thousandth, sees_order gives False"),
        (judged(orders=lambda size: neighbors(size)[1:]), "for the first position alone, sees_order gives False: only"),
        (judged(orders=lambda size: neighbors(size)[:-1]), "for the last position alone, sees_order gives False: only"),
        (judged(differs=lambda gap: gap[0].abs().max() > 1e-5), "for a last sentence with positions"),
    ],
    check_waves: [
        (waves_in_rows, "angles are (tokens, pairs): a column of positions"),
        (lambda num_tokens, size: waves_of(angles_of(7, size)), "waves(40, 6) gives shape (7, 6)"),
    ],
    check_turn: [
        (lambda features: half_rotated(features, tokens_axis=2), "your function stopped with IndexError"),
        (lambda features: half_rotated(features, tokens_axis=0), "the tokens are features.shape[-2]; angles are"),
    ],
}
