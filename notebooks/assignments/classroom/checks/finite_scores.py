"""Find weight on hidden keys, from finite scores like -1e6: where all that a query may see scores lower still."""

import torch

from companion.checks.feedback import close, expect
from utils.attention import masked_softmax

FAR = 2.0**12  # a query of -FAR and a key of FAR in each feature: all scores are equal, and below -10,000,000
FINITE = "a hidden key has a finite score, and all others here are lower still: use -inf"


def expect_no_finite_score(given, mask, value):
    """Refuse a context in which the hidden keys share all weight, or all weight is lost with them.

    given: from equal scores, all far below 0, under the mask (queries, keys); value: (keys, d_v).
    """
    hidden = masked_softmax(torch.zeros(mask.shape), ~mask)
    for weights in (hidden, torch.zeros_like(hidden)):
        expect(not close(given, weights @ value), FINITE)
