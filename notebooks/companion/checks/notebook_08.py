"""Checks of the exercises in notebook 08 (multi-head attention): the cut, the join, and head by head."""

import torch

from companion.checks.exercise import exercise
from companion.checks.feedback import expect_tensor, explained
from companion.checks.mistakes import JOINED, SPLIT, given_by, readings
from utils.attention import attention, merge_heads, split_heads

BATCH = "the first two axes are swapped, which are not heads and tokens once there is a batch: count from the end"
AXES = "the number of axes is fixed, but there may be none or several before these: count from the end. {error}"
IN_SPLIT = {
    "got float": "d_model / num_heads gives a float, and sizes are whole numbers: write // in place of /",
    **dict.fromkeys(("to unpack", "number of dimensions", "Dimension out of range"), AXES),
}
IN_MERGE = IN_SPLIT | {
    "view size": "after transpose the numbers lie in another order, which view refuses: flatten or reshape copies"
}
ROWS = (
    "a product does not fit: {error}. If it is the last one: the context of a head, (tokens, head_dim), meets "
    "head_dim rows of W_output, (head_dim, d_model)"
)
IN_PRODUCT = dict.fromkeys(("mat1 and mat2", "batch2 tensor", "The size of tensor a"), ROWS) | {
    "out of bounds": "there are num_heads heads, and one more was asked for: {error}",
    "'tuple'": "`attention` returns context and weights, a tuple: unpack both",
}
FIXED = "heads of size 4 are right, but heads of size 3 stop: {error}. Is a 4 fixed? head_dim is d_model // num_heads"


@exercise
def check_split(split):
    """each head has its own features of every token."""
    features = torch.randn(5, 12)
    apart = features.unflatten(-1, (3, 4))
    mistakes = {
        "the features are cut, but the axes are (tokens, heads, head_dim): swap the first two of these": apart,
        "transpose(1, 2) counts from the front, which fits one batch axis only: count from the end, -3 and -2": (
            apart.transpose(1, 2)
        ),
        "num_heads and head_dim are exchanged: there are num_heads heads": split_heads(features, 4),
        "the last two axes are swapped, too: head_dim comes last": split_heads(features, 3).mT,
        **given_by(SPLIT, features, 3),
    }
    with explained(IN_SPLIT):
        given = split(features, 3)
    expect_tensor(given, split_heads(features, 3), "split of (5, 12) into 3 heads", mistakes)
    features = torch.randn(2, 5, 12)
    mistakes = {BATCH: features.unflatten(-1, (3, 4)).transpose(0, 1), **given_by(SPLIT, features, 3)}
    with explained(IN_SPLIT):
        given = split(features, 3)
    expect_tensor(given, split_heads(features, 3), "split of a batch (2, 5, 12) into 3 heads", mistakes)
    features = torch.randn(2, 1, 3, 6)
    with explained(IN_SPLIT):
        given = split(features, 2)
    expect_tensor(given, split_heads(features, 2), "split of (2, 1, 3, 6) into 2 heads")


@exercise
def check_merge(merge):
    """every token has its features back, in their order."""
    context = torch.randn(3, 5, 4)
    mistakes = {
        "the heads are added; lay them side by side": context.sum(0),
        "the heads are averaged; lay them side by side": context.mean(0),
        "the heads stand one below the other; lay them side by side": context.flatten(0, 1),
        "the axes are swapped back, but not joined: flatten the last two": context.transpose(0, 1),
        "the last two axes are joined, but first heads and tokens must be swapped back": context.flatten(-2),
        **given_by(JOINED, context),
    }
    with explained(IN_MERGE):
        merged = merge(context)
    expect_tensor(merged, merge_heads(context), "merge of 3 heads, (3, 5, 4)", mistakes)
    context = torch.randn(2, 3, 5, 4)
    mistakes = {
        BATCH: context.transpose(0, 1).flatten(-2),
        "a list of a batch holds its sentences, and these were joined: take the heads, context.unbind(-3)": (
            torch.cat(list(context), -1)
        ),
        **given_by(JOINED, context),
    }
    with explained(IN_MERGE):
        merged = merge(context)
    expect_tensor(merged, merge_heads(context), "merge of a batch (2, 3, 5, 4)", mistakes)
    context = torch.randn(2, 1, 2, 3, 6)
    with explained(IN_MERGE):
        merged = merge(context)
    expect_tensor(merged, merge_heads(context), "merge of (2, 1, 2, 3, 6)")


@exercise
def check_head_contributions(head_contributions):
    """multi-head attention without joining: one product per head, and their sum is the output."""
    inputs, W_output = torch.randn(5, 12), torch.randn(12, 12)
    matrices = [torch.randn(12, 12) / 4 for _ in range(3)]
    features = [inputs @ matrix for matrix in matrices]
    context, right = _contributions(*(split_heads(each, 3) for each in features), W_output)
    mistakes = {
        "this is the whole output already; keep the heads apart": right.sum(0),
        "these are the contexts; each still has to meet its rows of W_output": context,
        "the columns of W_output are cut; the heads meet its rows": context @ W_output.mT.unflatten(0, (3, 4)),
        "every head meets the first rows of W_output; head h meets its own": context @ W_output[:4],
        "the rows of W_output are dealt out in turn; the rows of one head stand together": (
            context @ W_output.unflatten(0, (4, 3)).transpose(0, 1)
        ),
        "the heads come in reverse order": right.flip(0),
        "the axes are (tokens, heads, d_model); the heads come first": right.transpose(0, 1),
    }
    turned = [split_heads(inputs @ matrix.T, 3) for matrix in matrices]
    transposed = "W_query, W_key and W_value are transposed; they are used as inputs @ W_query"
    mistakes[transposed] = _contributions(*turned, W_output)[1]
    mistakes["all matrices are transposed; none has to be, as they are no nn.Linear"] = _contributions(
        *turned, W_output.T
    )[1]
    uncut, _ = attention(*features)
    mistakes["one big head attends, and is cut afterwards: cut query, key and value before `attention`"] = split_heads(
        uncut, 3
    ) @ W_output.unflatten(0, (3, 4))
    for message, split in SPLIT.items():
        mistakes[message] = _contributions(*(split(each, 3) for each in features), W_output)[1]
    for message, read in readings(*(split_heads(each, 3) for each in features), d_model=12).items():
        mistakes[message] = _contributions(*read, W_output)[1]
    doing = "head_contributions with 3 heads of size 4"
    with explained(IN_PRODUCT):
        given = head_contributions(inputs, *matrices, W_output, 3)
    expect_tensor(given, right, doing, mistakes)
    inputs, W_output = torch.randn(7, 6), torch.randn(6, 6)
    matrices = [torch.randn(6, 6) for _ in range(3)]
    _, right = _contributions(*(split_heads(inputs @ matrix, 2) for matrix in matrices), W_output)
    doing = "head_contributions with 2 heads of size 3"
    with explained({"": FIXED}):
        given = head_contributions(inputs, *matrices, W_output, 2)
    expect_tensor(given, right, doing)


def _contributions(query, key, value, W_output):
    """Return the heads' contexts, and what each adds to the output."""
    context, _ = attention(query, key, value)
    return context, context @ W_output.unflatten(0, (len(context), -1))
