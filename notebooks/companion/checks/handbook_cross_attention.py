"""Check of the exercise on the handbook's page "Cross-attention" (read a padded memory)."""

import torch

from companion import mistakes as known
from companion.checks.compared import compared_with
from companion.checks.notebook_10 import CROSS_SLIPS, crossed
from companion.slips import slips
from utils.attention import padding_mask


def read(inputs, memory, *matrices_and_lengths):
    """Return the context of a padded memory, which nobody reads."""
    *matrices, lengths = matrices_and_lengths
    mask = padding_mask(lengths, memory.shape[1])
    return crossed(lambda part, sequence: sequence @ matrices[part], inputs, memory, mask)[0]


READINGS = {  # {message: what a wrong read_memory has instead}
    "the padding is read: hide it with a mask": {"key), mask": "key), None"},
    known.INVERTED: {"key), mask": "key), ~mask"},
    "the mask hides queries; the padding is among the keys": {"key), mask": "key), mask.mT"},
    **CROSS_SLIPS,
}
MEMORIES = {message: {"crossed": wrong} for message, wrong in slips(crossed, READINGS).items()}
MEMORIES["the matrices are transposed, which square ones hide; they are (d_model, d_k)"] = {
    "@ matrices[part]": "@ matrices[part].T"
}


@compared_with(read, MEMORIES)
def check_read_memory(read_memory):
    """the inputs ask, the memory answers, and nobody reads the padding."""
    lengths = torch.tensor([4, 2, 3, 2, 4])
    # all sizes equal: most mistakes then give numbers, which tell their cause, and not an error
    equal = torch.randn(5, 5, 5), torch.randn(5, 5, 5), *torch.randn(3, 5, 5) / 2, lengths
    yield "read_memory with 5 queries and 5 keys", equal
    matrices = torch.randn(6, 5), torch.randn(4, 5), torch.randn(4, 8)
    uneven = torch.randn(2, 3, 6), torch.randn(2, 7, 4), *matrices, torch.tensor([7, 1])
    yield "read_memory with 3 queries and 7 keys of another size", uneven
