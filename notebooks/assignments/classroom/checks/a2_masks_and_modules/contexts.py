"""Judge the context that attention under a mask gives: shared by the checks of the function and of the module in a2."""

import torch

from companion.checks.feedback import close, expect, expect_tensor
from companion.checks.mistakes import COLUMNS, LOST, MASKED, given_by, over, readings
from utils.attention import attention, scores

RIGHT = "right"


def known_readings(query, key, value, d_model=None):
    """Return {mistake: (query, key, value) from which right attention makes it}; first RIGHT."""
    return {RIGHT: (query, key, value)} | readings(query, key, value, d_model)


def wrong_contexts(query, key, value, mask=None):
    """Return {mistake: context} of what goes wrong between scores and values."""
    weights = given_by(MASKED | LOST | {COLUMNS: over(-2)}, scores(query, key), mask)
    return {message: wrong @ value for message, wrong in weights.items()}


def own_reading(given, found, otherwise=RIGHT):
    """Return which of the known readings gives these last rows, which see all keys: other checks charge a wrong one."""
    rows = given.shape[-2]
    named = (each for each in found.values() if close(given, attention(*each)[0][..., -rows:, :]))
    return next(named, found.get(otherwise))


def expect_masked(given, reading, mask, doing, others, where=""):
    """Compare a context with the right one under a mask, and name the mistake.

    reading: (query, key, value); others: {message: another mask}; where: stands before each message.
    """

    def mistakes():
        masked = {message: attention(*reading, other)[0] for message, other in others.items()}
        return {where + message: wrong for message, wrong in (wrong_contexts(*reading, mask) | masked).items()}

    expect_tensor(given, attention(*reading, mask)[0], where + doing, mistakes)


def expect_shape(given, shape, doing):
    """Refuse anything but one tensor of this shape, and return it."""
    expect(not isinstance(given, (tuple, list)), f"{doing} gives several things; return the context alone")
    if not isinstance(given, torch.Tensor) or tuple(given.shape) != tuple(shape):
        expect_tensor(given, torch.zeros(shape), doing)
    return given
