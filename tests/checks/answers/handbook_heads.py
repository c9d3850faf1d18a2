"""Right and wrong answers to the exercise on the handbook's page "Heads" (what each head adds)."""

import torch

from companion.checks.handbook_heads import check_head_contributions
from utils.attention import split_heads


def contributions_by_einsum(inputs, *matrices_and_heads):
    *matrices, W_output, num_heads = matrices_and_heads
    query, key, value = (
        torch.einsum("sd,dhe->hse", inputs, matrix.unflatten(1, (num_heads, -1))) for matrix in matrices
    )
    weights = torch.softmax(torch.einsum("hie,hje->hij", query, key) / query.shape[-1] ** 0.5, dim=-1)
    return torch.einsum("hij,hje,hem->him", weights, value, W_output.unflatten(0, (num_heads, -1)))


def with_all_of_W_output(inputs, W_query, W_key, W_value, W_output, num_heads):
    return split_heads(inputs @ W_value, num_heads) @ W_output


RIGHT = {check_head_contributions: [contributions_by_einsum]}
WRONG = {check_head_contributions: [(with_all_of_W_output, "a product does not fit: ")]}
