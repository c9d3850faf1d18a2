"""Checks of the exercises in notebooks 07 (masks), 08 (heads) and 09 (two sequences)."""

import torch

from utils.attention import attention, causal_mask, padding_mask, project
from utils.checks.feedback import exercise, expect, expect_equal, expect_tensor

# Notebook 07


@exercise
def check_window_mask(window_mask):
    """each token sees itself and the tokens right before it, as many as the window holds."""
    past = causal_mask(6)
    right = past & ~past.tril(-3)
    mistakes = {
        "the window is one too wide: width counts the token itself": past & ~past.tril(-4),
        "the window is one too narrow: width counts the token itself": past & ~past.tril(-2),
        "there is no end to the window: hide what lies `width` or more places back": past,
        "the window looks ahead, too: hide what comes after the token": right | right.T,
        "the window looks ahead only: rows are queries, columns are keys": right.T,
        "the mask is turned round: True means 'may attend'": ~right,
        "a token cannot see itself: keep the diagonal": right & ~torch.eye(6, dtype=torch.bool),
    }
    expect_mask(window_mask(6, 3), right, "window_mask(6, 3)", mistakes)
    expect_mask(window_mask(4, 1), torch.eye(4, dtype=torch.bool), "window_mask(4, 1)")
    expect_mask(window_mask(3, 9), causal_mask(3), "window_mask(3, 9), wider than the text")


@exercise
def check_mask_from_ids(mask_from_ids):
    """no look ahead, no look at padding, one mask for each sentence."""
    ids = torch.tensor([[5, 6, 7, 8], [3, 2, 9, 9], [9, 4, 4, 9]])  # 9 is padding
    real, past = ids != 9, causal_mask(4)
    right = past & real[:, None, :]
    mistakes = {
        "the mask is turned round: True means 'may attend'": ~right,
        "the padding is hidden, but the future is not": real[:, None, :].expand(3, 4, 4),
        "the future is hidden, but the padding is not": past.expand(3, 4, 4),
        "a token may attend if one OR the other mask allows it; both must: use &": past | real[:, None, :],
        "the padding is on the axis of the queries: nobody may look AT padding, so it belongs to the keys": past
        & real[:, :, None],
        "the future and the past are exchanged: rows are queries, columns are keys": past.T & real[:, None, :],
        "padding may be seen and words may not: ids that differ from pad_id are real": past & ~real[:, None, :],
        "rows of padding are emptied, too; only looking AT padding is forbidden": right & real[:, :, None],
        "the words are counted, which misses padding before them: compare each id with pad_id": past
        & padding_mask(real.sum(-1), 4),
    }
    expect_mask(mask_from_ids(ids, 9), right, "mask_from_ids with 3 sentences of 4 ids, padding 9", mistakes)
    ids = torch.tensor([[1, 0], [0, 0]])
    expect_mask(mask_from_ids(ids, 0), causal_mask(2) & (ids != 0)[:, None, :], "mask_from_ids with padding 0")


def expect_mask(given, wanted, doing, mistakes=None):
    if isinstance(given, torch.Tensor):
        expect(given.dtype == torch.bool, f"{doing} has dtype {given.dtype}; a mask is boolean, True or False")
        if given.shape == wanted.shape and not given.equal(wanted):
            place = tuple((given != wanted).nonzero()[0].tolist())
            message = f"{doing} is {bool(given[place])} at {place}, but {bool(wanted[place])} was expected"
            mistakes = {**(mistakes or {}), message: given}
    expect_tensor(given, wanted, doing, mistakes)


# Notebook 08


@exercise
def check_head_contributions(head_contributions):
    """one product per head, and their sum is the output."""
    context, W_output = torch.randn(4, 5, 4), torch.randn(16, 16)
    right = context @ W_output.view(4, 4, 16)
    joined = context.transpose(0, 1).flatten(1)
    mistakes = {
        "this is the whole output already; keep the heads apart": joined @ W_output,
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


# Notebook 09


@exercise
def check_read_memory(read_memory):
    """the inputs ask, the memory answers, and nobody reads the padding."""
    inputs, memory, lengths = torch.randn(3, 5, 6), torch.randn(3, 5, 6), torch.tensor([5, 2, 3])
    matrices = torch.randn(3, 6, 6) / 2
    real = torch.arange(5) < lengths[:, None]
    query, key, value = (each @ matrix for each, matrix in zip((inputs, memory, memory), matrices))
    right = attention(query, key, value, real[:, None, :])[0]
    of_inputs, of_memory = project(inputs, *matrices), project(memory, *matrices)
    swapped = of_memory[0], *of_inputs[1:]
    mistakes = {
        "the padding is read: hide it with a mask": attention(query, key, value)[0],
        "the mask is turned round: True means 'may attend'": attention(query, key, value, ~real[:, None, :])[0],
        "the mask comes after softmax, so the rows no longer sum to 1": attention(query, key, value)[1]
        * real[:, None, :]
        @ value,
        "the mask is on the axis of the queries; the padding is among the keys": attention(
            query, key, value, real[:, :, None]
        )[0],
        "the values come from the inputs; what is handed over is in the memory": attention(
            query, key, inputs @ matrices[2], real[:, None, :]
        )[0],
        "the keys come from the inputs; what is found is in the memory": attention(
            query, inputs @ matrices[1], value, real[:, None, :]
        )[0],
        "the sequences are exchanged: the inputs ask, the memory answers": attention(*swapped, real[:, None, :])[0],
        "key and value are exchanged": attention(query, value, key, real[:, None, :])[0],
        "the inputs read themselves; the memory is not used": attention(*of_inputs, real[:, None, :])[0],
        "the inputs read themselves; memory and lengths are not used": attention(*of_inputs)[0],
        "the memory reads itself; the inputs must ask": attention(*of_memory, real[:, None, :])[0],
        "one token of padding is read: places count from 0, so the real ones are below the length": attention(
            query, key, value, (torch.arange(5) <= lengths[:, None])[:, None, :]
        )[0],
    }
    given = read_memory(inputs, memory, *matrices, lengths)
    expect_tensor(given, right, "read_memory with 5 queries and 5 keys", mistakes)
    inputs, memory, lengths = torch.randn(2, 3, 6), torch.randn(2, 7, 4), torch.tensor([7, 1])
    W_query, W_key, W_value = torch.randn(6, 5), torch.randn(4, 5), torch.randn(4, 8)
    real = (torch.arange(7) < lengths[:, None])[:, None, :]
    wanted = attention(inputs @ W_query, memory @ W_key, memory @ W_value, real)[0]
    given = read_memory(inputs, memory, W_query, W_key, W_value, lengths)
    expect_tensor(given, wanted, "read_memory with 3 queries and 7 keys of another size")


@exercise
def check_align(align):
    """each target has its source, or none."""
    weights = [[0.1, 0.8, 0.1], [0.9, 0.05, 0.05], [0.46, 0.24, 0.3], [0.5, 0.2, 0.3], [0.2, 0.1, 0.7]]
    weights = torch.tensor(weights)
    targets, sources = ["white", "house", "well", "old", "house"], ["maison", "blanche", "vieille"]
    wanted = [("white", "blanche"), ("house", "maison"), ("well", None), ("old", "maison"), ("house", "vieille")]
    given = align(weights.clone(), list(targets), list(sources))
    expect_equal(given, wanted, "align with 5 targets and 3 sources (a weight of exactly one half is enough)")
