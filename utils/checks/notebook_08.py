"""Checks of the exercises in notebook 08 (multi-head attention)."""

import torch

from utils.attention import merge_heads
from utils.checks.exercise import exercise
from utils.checks.feedback import expect_equal, expect_tensor


@exercise
def check_head_contributions(head_contributions):
    """one product per head, and their sum is the output."""
    context, W_output = torch.randn(4, 5, 4), torch.randn(16, 16)
    right = context @ W_output.view(4, 4, 16)
    mistakes = {
        "this is the whole output already; keep the heads apart": merge_heads(context) @ W_output,
        "the columns of W_output are cut; the joined vector meets its rows": torch.stack(
            [context[head] @ W_output[:, 4 * head : 4 * head + 4].T for head in range(4)]
        ),
        "every head meets the first rows of W_output; head h meets its own": context @ W_output[:4],
        "every fourth row is taken; the rows of one head stand together": torch.stack(
            [context[head] @ W_output[head::4] for head in range(4)]
        ),
        "the heads come in reverse order": right.flip(0),
    }
    expect_tensor(head_contributions(context, W_output), right, "head_contributions with 4 heads of size 4", mistakes)
    context, W_output = torch.randn(3, 5, 2), torch.randn(6, 7)
    wanted = context @ W_output.view(3, 2, 7)
    expect_tensor(head_contributions(context, W_output), wanted, "head_contributions with 3 heads of size 2")


@exercise
def check_twins(twins):
    """each pair once, and nothing but pairs."""
    maps = torch.softmax(torch.randn(3, 4, 5), dim=-1)
    expect_equal(twins(maps.clone()), [], "three different heads: twins(weights)")
    five = maps[[0, 1, 0, 2, 1]]
    expect_equal(twins(five.clone()), [(0, 2), (1, 4)], "heads 0 and 2 are equal, and 1 and 4: twins(weights)")
    expect_equal(twins(maps[[1, 1, 1]]), [(0, 1), (0, 2), (1, 2)], "three equal heads are three pairs: twins(weights)")
    near = maps[[0, 0]].clone()
    near[1, 3, 4] += 1e-5
    expect_equal(twins(near), [], "two heads that differ in one weight, the last: twins(weights)")
    near[1] = near[0] + 1e-8
    expect_equal(twins(near), [(0, 1)], "two heads that differ by a rounding error: twins(weights)")
