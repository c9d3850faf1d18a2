"""Right and wrong answers to the exercises in notebook 10 (cross-attention)."""

import torch
import torch.nn.functional as F
from torch import nn

from checks.answers.changed import changed
from companion.checks.notebook_10 import check_cross_attention, check_second_look, check_values_say
from companion.nine_words import CrossAttention as Cross


def by_hand(self, inputs, memory, mask=None):
    omega = self.W_query(inputs) @ self.W_key(memory).mT / self.W_key.out_features**0.5
    if mask is not None:
        omega = omega.masked_fill(~mask, -torch.inf)
    alpha = torch.softmax(omega, dim=-1)
    return [alpha @ self.W_value(memory), alpha]


def detached(self, *given):
    with torch.no_grad():
        return by_hand(self, *given)


def look_by_one_hot(reader, inputs, memory):
    most = reader(inputs, memory)[1].argmax(-1)
    context, weights = reader(inputs, memory, F.one_hot(most, memory.shape[-2]) == 0)
    return [context, weights]


def look_row_by_row(reader, inputs, memory):
    weights = reader(inputs, memory)[1]
    mask = torch.ones_like(weights, dtype=torch.bool)
    mask[torch.arange(len(weights)), weights.argmax(-1)] = False
    return reader(inputs, memory, mask)


def says_by_loop(reader, memory):
    return torch.stack([torch.stack([value @ word for word in memory]) for value in reader.W_value(memory)])


RIGHT = {
    check_values_say: [says_by_loop],
    check_second_look: [look_by_one_hot],
    check_cross_attention: [changed(Cross, by_hand)],
}
WRONG = {
    check_values_say: [
        (
            lambda reader, memory: reader.W_value(memory) @ memory,
            "turn the second matrix over: memory.T (mat1 and mat2",
        ),
        (
            lambda reader, memory: says_by_loop(reader, memory).argmax(-1),
            "values_say for 5 words of 4 features gives sh",
        ),
    ],
    check_second_look: [
        (look_row_by_row, "a mask filled by mask[torch.arange(n), ...] works without a batch; compare with the large"),
        (lambda reader, x, m: look_by_one_hot(reader, x, m[..., :5, :]), "the context of second_look with a batch of"),
    ],
    check_cross_attention: [
        (
            changed(Cross, W_key=lambda layer: nn.Linear(*layer.W_query.weight.T.shape, False)),
            "W_key reads the memory, with d_memory features, but you gave it d_model: nn.Linear(d_memory, d_out, ...)",
        ),
        (
            changed(Cross, W_query=lambda layer: nn.Linear(*layer.W_key.weight.T.shape, False)),
            "W_query reads the inputs, which ask, with d_model features, but you gave it d_memory: nn.Linear(d_model",
        ),
        (
            changed(Cross, W_value=lambda layer: nn.Linear(layer.W_key.out_features, 3, False)),
            "W_value is nn.Linear(5, 3), but nn.Linear(d_memory",
        ),
        (changed(Cross, W_key=lambda layer: torch.randn(5, 5)), "W_key is a Tensor; make it an nn.Linear, whose weigh"),
        (changed(Cross, nn.Module.forward), "the layers are right; now write the method forward"),
        (changed(Cross, detached), "the output has no gradient, so nothing can learn"),
    ],
}
