"""Right and wrong answers to the exercises in notebook 10 (cross-attention)."""

import torch
import torch.nn.functional as F
from torch import nn

from checks.answers.changed import changed
from companion.checks.notebook_10 import check_cross_attention, check_looks_elsewhere, check_second_look
from companion.slips import module_with
from companion.worlds.nine_words import CrossAttention as Cross


class Reader(Cross):
    def forward(self, inputs, memory, mask=None):
        omega = self.W_query(inputs) @ self.W_key(memory).mT / self.W_key.out_features**0.5
        if mask is not None:
            omega = omega.masked_fill(~mask, -torch.inf)
        alpha = torch.softmax(omega, dim=-1)
        context = alpha @ self.W_value(memory)
        return [context, alpha]


def look_by_one_hot(reader, inputs, memory):
    most = reader(inputs, memory)[1].argmax(-1)
    context, weights = reader(inputs, memory, F.one_hot(most, memory.shape[-2]) == 0)
    return [context, weights]


def elsewhere_by_one_hot(weights, memory_ids, right_ids):
    own = memory_ids[..., None, :] == right_ids[..., None]  # (..., asking, memory)
    return ~(own & (weights == weights.amax(-1, keepdim=True))).any(-1)


RIGHT = {
    check_looks_elsewhere: [elsewhere_by_one_hot],
    check_second_look: [look_by_one_hot],
    check_cross_attention: [Reader],
}
WRONG = {
    check_looks_elsewhere: {
        "memory_ids[...] picks sentences of a batch, not words: take memory_ids.gather(": (
            lambda weights, memory_ids, right_ids: memory_ids[weights.argmax(-1)] != right_ids
        )
    },
    check_second_look: {
        "a mask filled by mask[torch.arange(n), ...] works without a batch; compare with the large": {
            "context, weights =": "torch.ones(5, 5)[torch.arange(len(most)), most]\n    context, weights ="
        }
    },
    check_cross_attention: {
        "W_key reads the memory, with d_memory features, but you gave it d_model: nn.Linear(d_memory, d_out, ...)": (
            changed(Reader, W_key=lambda layer: nn.Linear(*layer.W_query.weight.T.shape, False))
        ),
        "W_query reads the inputs, which ask, with d_model features, but you gave it d_memory: nn.Linear(d_model": (
            changed(Reader, W_query=lambda layer: nn.Linear(*layer.W_key.weight.T.shape, False))
        ),
        "W_key is a Tensor; make it an nn.Linear, whose weigh": changed(Reader, W_key=lambda layer: torch.randn(5, 5)),
        "the layers are right; now write the method forward": module_with(Cross, nn.Module.forward),
        "the output has no gradient, so nothing can learn": {"[context": "[context.detach()"},
    },
}
