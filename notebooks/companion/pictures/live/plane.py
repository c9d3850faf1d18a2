"""How far the plane reaches, in the pictures whose vectors are arrows in it."""

import math

import torch

LARGEST = 10  # of a coordinate: arrows move in steps of 0.1


def plane_reach(vectors):
    """Return the whole number up to which the plane must reach to show vectors, (vectors, 2).

    Raises ValueError for a largest number that is not between 0.1 and 10.
    """
    largest = torch.as_tensor(vectors).abs().max().item()
    if not 0.1 <= largest <= LARGEST:
        raise ValueError(f"the largest number is {largest}, but the plane shows from 0.1 to {LARGEST}: scale them")
    return math.ceil(largest)
