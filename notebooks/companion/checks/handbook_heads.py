"""Check of the exercise on the handbook's page "Heads" (what each head adds)."""

import torch

from companion.checks.compared import compared_with
from companion.checks.notebook_09 import WRONG_STEPS
from companion.steps import of_steps
from utils.attention import attention, split_heads


def _cut_rows(W_output, num_heads):
    return W_output.unflatten(0, (num_heads, -1))


@of_steps
def _contributions_with(
    inputs, *weights_and_heads, rows=_cut_rows, split=split_heads, attend=attention, turned=torch.clone
):
    *matrices, W_output, num_heads = weights_and_heads
    query, key, value = (split(inputs @ turned(matrix), num_heads) for matrix in matrices)
    return attend(query, key, value, None)[0] @ rows(W_output, num_heads)


def _one_big_head(inputs, W_query, W_key, W_value, W_output, num_heads):
    context, _ = attention(inputs @ W_query, inputs @ W_key, inputs @ W_value)
    return split_heads(context, num_heads) @ _cut_rows(W_output, num_heads)


PRODUCT = "a product does not fit: {error}. A head's context, (tokens, head_dim), meets head_dim rows of W_output"
CONTRIBUTIONS = {  # {message: wrong head_contributions}
    "the columns of W_output are cut; the heads meet its rows": _contributions_with(
        lambda W, heads: _cut_rows(W.T, heads)
    ),
    "one big head attends, and is split afterwards: split query, key and value before attention": _one_big_head,
    "W_query, W_key and W_value are turned round; write inputs @ W_query": _contributions_with(turned=torch.t),
    **{message: _contributions_with(**steps) for message, steps in WRONG_STEPS.items()},
}


@compared_with(
    _contributions_with(), CONTRIBUTIONS, dict.fromkeys(("mat1 and mat2", "batch2 tensor", "The size of"), PRODUCT)
)
def check_head_contributions(head_contributions):
    """multi-head attention without merging: one product per head, and their sum is the output."""
    for num_heads, head_dim in ((3, 4), (2, 3)):
        inputs, *matrices = torch.randn(5, num_heads * head_dim), *torch.randn(4, *[num_heads * head_dim] * 2) / 3
        yield f"head_contributions with {num_heads} heads of size {head_dim}", (inputs, *matrices, num_heads)
