"""Check of the exercise on the handbook's page "Cross-attention" (read a padded memory)."""

import torch

from companion import mistakes as known
from companion.checks.compared import compared_with
from companion.checks.notebook_10 import WRONG_MASKS, WRONG_STEPS, crossed
from companion.steps import of_steps
from utils.attention import padding_mask


@of_steps
def _reading_with(inputs, memory, *weights_and_lengths, mask_of=padding_mask, turned=torch.clone, **steps):
    *matrices, lengths = weights_and_lengths
    mask = mask_of(lengths, memory.shape[1])
    return crossed(lambda part, sequence: sequence @ turned(matrices[part]), inputs, memory, mask, **steps)[0]


MEMORIES = {  # {message: wrong read_memory}
    "the padding is read: hide it with a mask": _reading_with(lambda *sizes: None),
    known.INVERTED: _reading_with(lambda *sizes: ~padding_mask(*sizes)),
    "the mask hides queries; the padding is among the keys": _reading_with(lambda *sizes: padding_mask(*sizes).mT),
    "the matrices are transposed, which square ones hide; they are (d_model, d_k)": _reading_with(turned=torch.t),
    **{message: _reading_with(**steps) for message, steps in (WRONG_STEPS | WRONG_MASKS).items()},
}


@compared_with(_reading_with(), MEMORIES)
def check_read_memory(read_memory):
    """the inputs ask, the memory answers, and nobody reads the padding."""
    lengths = torch.tensor([4, 2, 3, 2, 4])
    # all sizes equal: most mistakes then give numbers, which tell their cause, and not an error
    equal = torch.randn(5, 5, 5), torch.randn(5, 5, 5), *torch.randn(3, 5, 5) / 2, lengths
    yield "read_memory with 5 queries and 5 keys", equal
    matrices = torch.randn(6, 5), torch.randn(4, 5), torch.randn(4, 8)
    uneven = torch.randn(2, 3, 6), torch.randn(2, 7, 4), *matrices, torch.tensor([7, 1])
    yield "read_memory with 3 queries and 7 keys of another size", uneven
