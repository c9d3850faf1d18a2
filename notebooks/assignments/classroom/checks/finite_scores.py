"""Find a finite score where -inf belongs, however low: where all that a query may see scores lower still."""

import torch

from utils.attention import masked_softmax
from utils.checks.feedback import close, expect

FAR = 20.0  # a query of -20 and a key of 20 in each feature give scores below -400
FINITE = "a hidden key has a finite score, and all others here are lower still: use -inf"
TOLERANCE = 1e-3  # scores of several hundred carry larger rounding errors


def expect_no_finite_score(given, mask, value):
    """Refuse a context in which the hidden keys share all weight, or all weight is lost with them.

    given: made by right attention from scores near -400, but for the mask (queries, keys); value: (keys, d_v).
    """
    hidden = masked_softmax(torch.zeros(mask.shape), ~mask)
    for weights in (hidden, torch.zeros_like(hidden)):
        expect(not close(given, weights @ value, TOLERANCE), FINITE)
