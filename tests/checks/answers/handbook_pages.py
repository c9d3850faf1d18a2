"""Right and wrong answers to the exercises on the handbook's pages."""

import torch
import torch.nn.functional as F

from checks.answers.notebook_04 import by_sums
from companion.checks.handbook_cross_attention import check_read_memory
from companion.checks.handbook_heads import check_head_contributions
from companion.checks.handbook_pytorch import check_read_weights
from companion.checks.handbook_scores import check_merge_matrices
from companion.checks.handbook_softmax import check_softmax_gradient
from utils.attention import attention, split_heads


def read_one_by_one(inputs, memory, W_query, W_key, W_value, lengths):
    sentences = zip(inputs @ W_query, memory, lengths)
    contexts = [attention(query, real[:end] @ W_key, real[:end] @ W_value)[0] for query, real, end in sentences]
    return torch.stack(contexts)


def contributions_by_einsum(inputs, *matrices_and_heads):
    *matrices, W_output, num_heads = matrices_and_heads
    cut = [matrix.unflatten(1, (num_heads, -1)) for matrix in matrices]
    query, key, value = (torch.einsum("sd,dhe->hse", inputs, matrix) for matrix in cut)
    weights = torch.softmax(torch.einsum("hie,hje->hij", query, key) / query.shape[-1] ** 0.5, dim=-1)
    return torch.einsum("hij,hje,hem->him", weights, value, W_output.unflatten(0, (num_heads, -1)))


def weights_by_one_hot(query, key):
    return F.scaled_dot_product_attention(query, key, torch.ones(key.shape[:-1]).diag_embed())


def gradient_by_matrix(weights, upstream):
    changes = weights.diag_embed() - weights[..., :, None] * weights[..., None, :]
    return (changes @ upstream[..., None]).squeeze(-1)


RIGHT = {
    check_read_memory: [read_one_by_one],
    check_head_contributions: [contributions_by_einsum],
    check_read_weights: [weights_by_one_hot, lambda query, key: weights_by_one_hot(2 * query, key / 2)],
    check_merge_matrices: [by_sums],
    check_softmax_gradient: [gradient_by_matrix],
}
WRONG = {
    check_read_memory: {"the padding is read": {"[:end]": ""}},
    check_head_contributions: {
        "a product does not fit: mat1": lambda inputs, *given: inputs[:, :4] @ given[3],
        "a product does not fit: Expected size": lambda inputs, *given: split_heads(inputs, 3) @ given[3],
        "a product does not fit: The size of": lambda inputs, *given: split_heads(inputs, 3) @ given[3].view(4, 3, 12),
    },
    check_read_weights: {"read_weights with 5 queries and 5 keys has the right shape": {"_embed()": "_embed().exp()"}},
    check_merge_matrices: {
        "merge_matrices with two matrices (4, 9) has the right": {"key.shape[-1] ** 0.5": "3 ** 0.5"}
    },
    check_softmax_gradient: {"the gradient of rows with weights of 0 has": {"(-1)": "(-1) + weights.eq(0)"}},
}
