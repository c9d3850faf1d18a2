"""Checks of the exercises in notebook 02 (embeddings)."""

import torch

from utils.checks.exercise import exercise
from utils.checks.feedback import PRODUCTS, calls, expect, expect_tensor


@exercise
def check_look_up(look_up):
    """each id became its one-hot row, and one product picked all the vectors."""
    weight, ids = torch.randn(5, 3), torch.tensor([4, 0, 4, 2])
    mistakes = {
        "these are the rows added up, but each token needs its own row: keep the tokens' axis": weight[ids].sum(0),
        "the rows come in the table's order; row i of the one-hot matrix belongs to token i": weight[ids.sort().values],
    }
    expect_tensor(look_up(weight, ids), weight[ids], "look_up(weight, [4, 0, 4, 2])", mistakes)
    batch = torch.tensor([[1, 2], [3, 3]])
    expect_tensor(look_up(weight, batch), weight[batch], "look_up on a batch of ids (2, 2)")
    message = "the vectors are right, but no product made them; this exercise is about one-hot rows times the matrix"
    expect(PRODUCTS & set(calls(look_up, weight, ids)), message)


@exercise
def check_pad(pad):
    """every sentence has the same length, and the padding is at the end."""
    sentences = [[5, 6, 7], [8], [9, 4]]
    wanted = torch.tensor([[5, 6, 7], [8, 0, 0], [9, 4, 0]])
    mistakes = {
        "the padding stands before the words; put it after them": torch.tensor([[5, 6, 7], [0, 0, 8], [0, 9, 4]]),
        "the sentences were cut to the shortest; pad the others to the longest": torch.tensor([[5], [8], [9]]),
        "one column a sentence; each sentence is a row (batch_first=True in PyTorch's own padding)": wanted.T,
    }
    given = [list(ids) for ids in sentences]
    expect_tensor(pad(given, 0), wanted, "pad([[5, 6, 7], [8], [9, 4]], 0)", mistakes)
    expect(given == sentences, "your function changed the lists it was given; build new ones")
    result, wanted = pad([[1], [2, 3, 4, 5]], 9), torch.tensor([[1, 9, 9, 9], [2, 3, 4, 5]])
    mistakes = {"the padding is always 0; use the padding id": wanted.where(wanted != 9, 0)}
    expect_tensor(result, wanted, "pad([[1], [2, 3, 4, 5]], 9)", mistakes)
    expect(not result.is_floating_point(), "the ids are decimals; an embedding needs whole numbers (torch.long)")
