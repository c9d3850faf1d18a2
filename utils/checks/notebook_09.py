"""Checks of the exercises in notebook 09 (cross-attention)."""

import torch

from utils.attention import attention, project
from utils.checks.feedback import (
    exercise,
    expect_equal,
    expect_tensor,
)


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
