"""Right and wrong answers to the exercises in notebook 10 (cross-attention)."""

import torch
import torch.nn.functional as F
from torch import nn

from checks.answers.changed import changed
from companion.checks.notebook_10 import check_cross_attention, check_read_memory, check_second_look
from companion.nine_words import CrossAttention as Cross
from utils.attention import attention


def read_one_by_one(inputs, memory, W_query, W_key, W_value, lengths):
    pairs = zip(inputs @ W_query, memory, lengths)
    return torch.stack([attention(query, each[:n] @ W_key, each[:n] @ W_value)[0] for query, each, n in pairs])


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


RIGHT = {
    check_second_look: [look_by_one_hot],
    check_read_memory: [read_one_by_one],
    check_cross_attention: [changed(Cross, by_hand)],
}
WRONG = {
    check_second_look: [
        (lambda reader, x, m: look_by_one_hot(reader, x, m[..., :5, :]), "the context of second_look with a batch of")
    ],
    check_read_memory: [
        (lambda *given: read_one_by_one(*given[:5], given[5] * 0 + given[1].shape[1]), "the padding is read: hide it")
    ],
    check_cross_attention: [
        (
            changed(Cross, W_key=lambda layer: nn.Linear(*layer.W_query.weight.T.shape, False)),
            "W_key is nn.Linear(6, 7), but nn.Linear(d_memory",
        ),
        (changed(Cross, W_key=lambda layer: torch.randn(5, 5)), "W_key is a Tensor; make it an nn.Linear, whose weigh"),
        (changed(Cross, nn.Module.forward), "the layers are right; now write the method forward"),
        (changed(Cross, detached), "the output has no gradient, so nothing can learn"),
    ],
}
