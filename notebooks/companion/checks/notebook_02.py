"""Checks of the exercises in notebook 02 (embeddings)."""

import torch

from companion.checks.exercise import exercise
from companion.checks.feedback import Mistake, calls, expect, expect_tensor


@exercise
def check_one_hot(one_hot):
    """each id has a row of its own with a single 1, whatever axes stand before."""
    ids = torch.tensor([2, 0, 3, 2])
    wanted, places = torch.eye(4)[ids], torch.arange(4)
    result = one_hot(ids, 4)
    expect("one_hot" not in calls(one_hot, ids, 4), "F.one_hot is the function that you are to write")
    mistakes = {
        "id i is compared with column i alone; each id must meet every column": (ids == places).float(),
        "one row a column: the new axis must come last, so that each id is a row": wanted.T,
        "the rows are added up, which counts the ids; keep one row for each id": wanted.sum(0),
        "the first column is number 0: torch.arange(num_classes) starts there": (ids[:, None] == places + 1).float(),
        "zeros and ones are exchanged; the 1 stands where column and id are equal": 1 - wanted,
        "the row holds the id itself; what is wanted is 1": wanted * ids[:, None],
    }
    _expect_rows(result, wanted, "one_hot([2, 0, 3, 2], 4)", mistakes)
    few, wide = torch.tensor([1, 0]), torch.eye(6)[[1, 0]]
    mistakes = {
        "there are as many columns as the largest id asks for; num_classes says how many": wide[:, :2],
        "the number of columns is always 4; num_classes says how many": wide[:, :4],
    }
    _expect_rows(one_hot(few, 6), wide, "one_hot([1, 0], 6)", mistakes)
    batch = torch.tensor([[1, 2, 0, 3], [3, 3, 0, 1]])
    wanted = torch.eye(4)[batch]
    mistakes = {
        "the new axis is the second one; in a batch it must be the last": (batch[:, None] == places).float(),
        "the sentences of the batch run together; keep its axes": wanted.flatten(0, 1),
    }
    _expect_rows(_on_a_batch(one_hot, batch), wanted, "one_hot on a batch of ids (2, 4)", mistakes)


def _expect_rows(given, wanted, doing, mistakes):
    if isinstance(given, torch.Tensor):
        bare = "gives True and False; a product needs numbers: .float()"
        expect(given.dtype != torch.bool, f"{doing} {bare}")
        expect(given.is_floating_point(), f"{doing} gives whole numbers; a product with a table needs .float()")
    expect_tensor(given, wanted, doing, mistakes)
    expect(given.dtype == wanted.dtype, f"{doing} has dtype {given.dtype}, but the table is float32; use .float()")


def _on_a_batch(one_hot, batch):
    try:
        return one_hot(batch, 4)
    except (IndexError, RuntimeError, TypeError, ValueError) as error:
        message = "it works on one sentence, but on a batch of ids (2, 4) it stopped with"
        raise Mistake(f"{message} {type(error).__name__}: {error}; the new axis must be the last") from None


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
    expect_tensor(_padded(pad, given, 0), wanted, "pad([[5, 6, 7], [8], [9, 4]], 0)", mistakes)
    expect(given == sentences, "your function changed the lists it was given; build new ones")
    result, wanted = _padded(pad, [[1], [2, 3, 4, 5]], 9), torch.tensor([[1, 9, 9, 9], [2, 3, 4, 5]])
    mistakes = {"the padding is always 0; use the padding id": wanted.where(wanted != 9, 0)}
    expect_tensor(result, wanted, "pad([[1], [2, 3, 4, 5]], 9)", mistakes)
    expect(not result.is_floating_point(), "the ids are decimals; an embedding needs whole numbers (torch.long)")


def _padded(pad, sentences, pad_id):
    try:
        return pad(sentences, pad_id)
    except NotImplementedError:  # a stub; it is a RuntimeError, too
        raise
    except (RuntimeError, ValueError) as error:
        message = f"pad({sentences}, {pad_id}) stopped with {type(error).__name__}: {error}"
        raise Mistake(f"{message}; is every row as long as the longest sentence?") from None
