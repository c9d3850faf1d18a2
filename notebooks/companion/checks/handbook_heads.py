"""Check of the exercise on the handbook's page "Heads" (what each head adds)."""

import torch

from companion.checks.compared import compared_with
from companion.checks.notebook_09 import HEAD_SLIPS
from utils.attention import masked_softmax, scores, split_heads


def contributions(inputs, W_query, W_key, W_value, W_output, num_heads):
    """Return what each head adds to the output, (heads, tokens, d_model)."""
    query, key, value = (split_heads(inputs @ matrix, num_heads) for matrix in (W_query, W_key, W_value))
    weights = masked_softmax(scores(query, key))
    return weights @ value @ W_output.unflatten(0, (num_heads, -1))


PRODUCT = "a product does not fit: {error}. A head's context, (tokens, head_dim), meets head_dim rows of W_output"
CONTRIBUTIONS = {  # {message: what a wrong head_contributions has instead}
    "the columns of W_output are cut; the heads meet its rows": {"W_output.unflatten": "W_output.T.unflatten"},
    "one big head attends, and is split afterwards: split query, key and value before attention": {
        "split_heads(inputs @ matrix, num_heads)": "inputs @ matrix",
        "weights @ value": "split_heads(weights @ value, num_heads)",
    },
    "W_query, W_key and W_value are turned round; write inputs @ W_query": {"@ matrix": "@ matrix.T"},
    **HEAD_SLIPS,
}
STOPS = dict.fromkeys(("mat1 and mat2", "batch2 tensor", "The size of"), PRODUCT)


@compared_with(contributions, CONTRIBUTIONS, STOPS)
def check_head_contributions(head_contributions):
    """multi-head attention without merging: one product per head, and their sum is the output."""
    for num_heads, head_dim in ((3, 4), (2, 3)):
        inputs, *matrices = torch.randn(5, num_heads * head_dim), *torch.randn(4, *[num_heads * head_dim] * 2) / 3
        yield f"head_contributions with {num_heads} heads of size {head_dim}", (inputs, *matrices, num_heads)
