"""Right and wrong answers to the exercises in notebook 07 (training a head)."""

import torch
from torch import nn

from checks.answers.changed import changed
from companion.checks.notebook_07 import check_one_head, check_padding_mask
from utils.attention import SelfAttention, attention


def head(reads=attention, **made):
    """Make a head that reads with reads(query, key, value, mask), and with some layers made otherwise."""

    def forward(self, inputs, mask=None):
        return reads(self.W_query(inputs), self.W_key(inputs), self.W_value(inputs), mask)

    return changed(SelfAttention, forward, **made)


def by_hand(query, key, value, mask):
    scores = torch.einsum("...qd,...kd->...qk", query, key) / query.shape[-1] ** 0.5
    weights = (scores if mask is None else scores.masked_fill(~mask, -torch.inf)).softmax(-1)
    return [weights @ value, weights]


def padding_by_rows(lengths, num_tokens):
    return torch.tensor([[[True] * length + [False] * (num_tokens - length)] for length in lengths])


RIGHT = {
    check_one_head: [head(by_hand)],
    check_padding_mask: [padding_by_rows],
}
WRONG = {
    check_one_head: [
        (head(W_key=lambda head: nn.Linear(6, 4)), "W_key has a bias; write bias=False"),
        (head(W_key=lambda head: nn.Linear(4, 6)), "W_key is nn.Linear(4, 6), but nn.Linear(d_in, d_out)"),
        (changed(SelfAttention, W_query=lambda head: head.W_key), "two layers are one and the same"),
        (head(reads=lambda query, *given: attention(query * 2, *given)), "the context of the head without a mask"),
        (
            head(reads=lambda *given: attention(*given[:3], given[3] if given[0].ndim < 3 else None)),
            "the mask has no eff",
        ),
        (head(reads=lambda query, *given: attention(query.detach(), *given)), "training cannot reach W_query"),
    ],
    check_padding_mask: [
        (lambda *sizes: padding_by_rows([2, 5, 3], 6), "padding_mask([4, 4], 4) gives shape (3, 1, 6)")
    ],
}
