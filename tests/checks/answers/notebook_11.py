"""Right and wrong answers to the exercises in notebook 11 (order)."""

from itertools import combinations

import torch

from companion.checks.notebook_11 import check_rotary_head, check_sees_order, check_turn, check_waves
from utils.attention import SelfAttention


def by_pairs(read, inputs):
    """Exchange any two tokens."""
    for i, j in combinations(range(inputs.shape[1]), 2):
        order = torch.arange(inputs.shape[1])
        order[[i, j]] = order[[j, i]]
        gaps = read(inputs[:, order]) - read(inputs)[:, order]
        if gaps.abs().max() > 1e-5:
            return True
    return False


def waves_by_columns(num_tokens, d_model):
    angles = torch.arange(num_tokens)[:, None] / 10000 ** (torch.arange(0, d_model, 2) / d_model)
    return torch.stack([angles.sin(), angles.cos()], dim=-1).flatten(-2)


def half_rotated(features):
    """As much code has it: cosines and sines repeated, and the second half before the first, negated."""
    first, second = features.chunk(2, dim=-1)
    num_tokens, size = features.shape[-2], features.shape[-1]
    angles = torch.arange(num_tokens)[:, None] / 10000 ** (torch.arange(0, size, 2) / size).repeat(2)
    return features * angles.cos() + torch.cat([-second, first], dim=-1) * angles.sin()


class Turning(SelfAttention):
    """Turn by the code of others, and weigh by hand."""

    def forward(self, inputs, mask=None):
        query, key = (half_rotated(layer(inputs)) for layer in (self.W_query, self.W_key))
        omega = query @ key.mT / query.shape[-1] ** 0.5
        if mask is not None:
            omega = omega.masked_fill(~mask, -torch.inf)
        alpha = omega.softmax(dim=-1)
        return [alpha @ self.W_value(inputs), alpha]


RIGHT = {
    check_rotary_head: [Turning],
    check_sees_order: [by_pairs],
    check_waves: [waves_by_columns],
    check_turn: [half_rotated],
}
WRONG = {
    check_rotary_head: {
        "the head with a mask returns two": {"[alpha @ self.W_value(inputs), alpha]": "alpha @ self.W_value(inputs)"},
        "your class stopped with": {"mask is not None": "~~mask is not None"},
    },
    check_sees_order: {
        "for the number of the sentence in place of the token's, sees_order gives True": {
            "inputs.shape[1]": "len(inputs)",
            "[:, order]": "[order]",
        },
        "for attention without positions, sees_order gives True: the l": {"> 1e-5": "> 0"},
        "True and False are exchanged": lambda *inputs: not by_pairs(*inputs),
        "for a module that doubles each token, sees_order gives True: the outputs move along": {"> 1e-5": ">= 0"},
        "for positions added to the tokens, sees_order gives False": {"return True": "return False"},
        "you exchange tokens in inputs itself": {"read(inputs[:, order])": "read(inputs.mul_(2)[:, order])"},
        "one token occurs twice, and its neighbor is lost": {"order[[i, j]] = order[[j, i]]": "order[i] = order[j]"},
        "the tokens are axis 1, so a new order comes after a colo": {"inputs[:, order]": "inputs[order]"},
        "for numbers that only sink, sees_order gives False: a gap below": {"gaps.abs()": "gaps"},
        "for a penalty for distance, sees_order": {"order[[i, j]] = order[[j, i]]": "order = order.flip(0)"},
        "for a circle, where each token takes": {"order[[i, j]] = order[[j, i]]": "order = order.roll(1)"},
        "for positions of a thousandth, sees_order gives False": {"1e-5": "1e-2"},
        "for the first position alone, sees_order gives False: only": {"combinations(range(": "combinations(range(1, "},
        "for the last position alone, sees_order gives False: only": {"]), 2)": "] - 1), 2)"},
        "for a last sentence with positions": {"gaps.abs()": "gaps[0].abs()"},
    },
    check_waves: {
        "angles are (tokens, pairs): a column of positions": {"[:, None]": ""},
        "waves(40, 6) gives shape (7, 6)": {"arange(num_tokens)": "arange(7)"},
    },
    check_turn: {
        "your function stopped with IndexError": {"features.shape[-2]": "features.shape[2]"},
        "the tokens are features.shape[-2]; angles are": {"features.shape[-2]": "features.shape[0]"},
    },
}
