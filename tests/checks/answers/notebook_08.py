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
    check_causal_mask: {
        "causal_mask(1) gives shape (5, 5), but (1, 1) was expected": {"(num_tokens)": "(5)"},
        "causal_mask(5) has dtype torch.float32; a mask is boolean, True or False": {"torch.tensor(": "torch.Tensor("},
    },
    check_who_moves: {"who_moves gives a bool": {"~torch.stack(stay, dim=1)": "torch.stack(stay).any().item()"}},
    check_next_letter: {
        "a share cannot be negative: softmax comes": {"torch.softmax(": "(", ", dim=1": ""},
        "multinomial reads one row for each": {"torch.multinomial(row": "torch.multinomial(logits.softmax(-1)"},
        "the temperature is a fixed number": {"/ temperature": "/ 0.5"},
        "what next_letter draws for 4,000 words at": {", 1)": ", 1) + 1"},
        "next_letter gives shape (3999, 1), but (4000, 1) was expected": {"in shares": "in shares[1:]"},
    },
}
