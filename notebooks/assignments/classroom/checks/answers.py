"""What checks of several assignments ask of an answer: a truth, a context and weights, no weight on hidden keys."""

import contextlib

import torch

from classroom.student import Stopped
from companion.checks.feedback import Mistake, close, expect, expect_parts
from companion.checks.mistakes import EVEN
from utils.attention import masked_softmax

FAR = 2.0**12  # a query of -FAR and a key of FAR in each feature: all scores are equal, and below -10,000,000


def truth(given, doing):
    """Return a student's True or False as Python's own; `doing` says what gave it. Raises Mistake for all else."""
    expect(given is not None, f"{doing} gives None; did you forget `return`?")
    if isinstance(given, torch.Tensor) and given.dtype == torch.bool and given.numel() == 1:
        given = bool(given)
    expect(isinstance(given, bool), f"{doing} gives something of type {type(given).__name__}; return True or False")
    return given


@contextlib.contextmanager
def hinted(hint):
    """Add to what stops a student's code here what may be the cause."""
    try:
        yield
    except Stopped as error:
        raise Stopped(error.kind, f"{error.message}; {hint}", error.place) from None


def context_and_weights(given, right, doing, charge=True):
    """Return the two parts of what an attention gives, in the right order. right: both.

    charge: whether to refuse those in the other order. Raises Mistake.
    """
    given = expect_parts(given, ("context", "weights"), doing)
    shapes = [getattr(part, "shape", None) for part in given]
    turned = [right[1].shape, right[0].shape]
    alike = turned[0] == turned[1] and (close(given[1], right[1]) or not close(given[0], right[1]))
    if shapes != turned or alike:
        return given
    expect(not charge, f"{doing} gives the weights first: return context, weights")
    return given[::-1]


def own_weights(weights, right):
    """Return a student's weights if they can make a context, else the right ones: their slips are charged elsewhere."""
    fits = isinstance(weights, torch.Tensor) and weights.shape == right.shape and weights.is_floating_point()
    # Weights near zero would hide what is done with them.
    fits = fits and bool(weights.isfinite().all() and (weights >= 0).all() and weights.sum(-1).mean() > 0.005)
    return weights if fits else right


def expect_no_finite_score(given, mask, value):
    """Refuse a context in which the hidden keys share all weight, or all weight is lost with them.

    given: from equal scores, all far below 0, under the mask (queries, keys); value: (keys, d_v).
    """
    hidden = masked_softmax(torch.zeros(mask.shape), ~mask)
    if any(close(given, weights @ value) for weights in (hidden, torch.zeros_like(hidden))):
        finite = "a hidden key has a finite score, and all others here are lower still: use -inf"
        raise Mistake(finite, known=[finite, EVEN])
