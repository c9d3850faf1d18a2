"""Right and wrong answers to the exercises in notebook 08 (a head that writes)."""

import torch

from companion.checks.notebook_08 import check_causal_mask, check_next_letter, check_who_moves


def by_rows(num_tokens):
    return torch.tensor([[key <= query for key in range(num_tokens)] for query in range(num_tokens)])


def copies_first(read, inputs):
    """Build every changed sentence first, and then read each."""
    copies = inputs + torch.eye(len(inputs))[:, :, None] * torch.randn(inputs.shape)
    stay = [torch.isclose(read(copy), read(inputs), rtol=0, atol=1e-6).all(-1) for copy in copies]
    return ~torch.stack(stay, dim=1)


def with_choice(logits, temperature):
    """Draw for each word apart."""
    shares = torch.softmax(logits[:, -1, :] / temperature, dim=1)
    return torch.stack([torch.multinomial(row, 1) for row in shares])


RIGHT = {check_causal_mask: [by_rows], check_who_moves: [copies_first], check_next_letter: [with_choice]}
WRONG = {
    check_causal_mask: [(lambda num_tokens: by_rows(5), "causal_mask(1) gives shape (5, 5), but (1, 1) was expected")],
    check_who_moves: [(lambda *inputs: copies_first(*inputs).any().item(), "who_moves gives a bool, but a tensor")],
    check_next_letter: [
        (lambda logits, temperature: torch.multinomial(logits[:, -1], 1), "a share cannot be negative: softmax comes"),
        (lambda logits, temperature: torch.multinomial(logits.softmax(-1), 1), "multinomial reads one row for each"),
        (lambda logits, temperature: with_choice(logits, 0.5), "the temperature is a fixed number"),
        (lambda *inputs: with_choice(*inputs)[1:], "next_letter gives shape (3999, 1), but (4000, 1) was expected"),
    ],
}
