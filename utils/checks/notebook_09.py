"""Checks of the exercises in notebook 09 (cross-attention)."""

import torch

from utils.attention import attention, padding_mask, project, scores
from utils.checks.exercise import exercise
from utils.checks.feedback import expect_equal, expect_tensor
from utils.checks.mistakes import INVERTED, MASKED, given_by, readings


@exercise
def check_read_memory(read_memory):
    """the inputs ask, the memory answers, and nobody reads the padding."""
    inputs, memory, lengths = torch.randn(3, 5, 6), torch.randn(3, 5, 6), torch.tensor([5, 2, 3])
    matrices = torch.randn(3, 6, 6) / 2
    mask = padding_mask(lengths, 5)
    query, key, value = (each @ matrix for each, matrix in zip((inputs, memory, memory), matrices))
    right, raw = attention(query, key, value, mask)[0], scores(query, key)
    of_inputs, of_memory = project(inputs, *matrices), project(memory, *matrices)
    contexts = {
        "the padding is read: hide it with a mask": (query, key, value),
        INVERTED: (query, key, value, ~mask),
        "the mask is on the axis of the queries; the padding is among the keys": (query, key, value, mask.mT),
        "the values come from the inputs; what is handed over is in the memory": (query, key, of_inputs[2], mask),
        "the keys come from the inputs; what is found is in the memory": (query, of_inputs[1], value, mask),
        "the sequences are exchanged: the inputs ask, the memory answers": (of_memory[0], *of_inputs[1:], mask),
        "the inputs read themselves; the memory is not used": (*of_inputs, mask),
        "the inputs read themselves; memory and lengths are not used": of_inputs,
        "the memory reads itself; the inputs must ask": (*of_memory, mask),
        "one token of padding is read: places count from 0, so the real ones are below the length": (
            *(query, key, value),
            padding_mask((lengths + 1).clamp(max=5), 5),
        ),
        **{message: (*reading, mask) for message, reading in readings(query, key, value).items()},
    }
    mistakes = {message: attention(*inputs)[0] for message, inputs in contexts.items()}
    mistakes |= {message: weights @ value for message, weights in given_by(MASKED, raw, mask).items()}
    given = read_memory(inputs, memory, *matrices, lengths)
    expect_tensor(given, right, "read_memory with 5 queries and 5 keys", mistakes)
    inputs, memory, lengths = torch.randn(2, 3, 6), torch.randn(2, 7, 4), torch.tensor([7, 1])
    W_query, W_key, W_value = torch.randn(6, 5), torch.randn(4, 5), torch.randn(4, 8)
    wanted = attention(inputs @ W_query, memory @ W_key, memory @ W_value, padding_mask(lengths, 7))[0]
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
