"""Two ways from queries, keys and values to contexts, for all tokens at once.

Used in notebook 17 by the models of `companion.worlds.recall.task`. The delta rule is given a rate, too.
"""

import torch
from torch.nn import functional as F

from utils.attention import causal_mask, masked_softmax, scores
from utils.positions import alibi


def delta_table(query, key, value, rate):
    """Return the contexts that the delta rule gives token by token, (..., tokens, d_v), for all tokens at once.

    query, key: (..., tokens, d_k), brought to length 1 here; value: (..., tokens, d_v); rate: (..., tokens, 1).
    What the state answers to a key is made of the earlier errors, each times the product of the two keys. So the
    errors, times their rates, solve a system of linear equations, error + before · error = rate · value.
    Yang and others, "Parallelizing Linear Transformers with the Delta Rule over Sequence Length", 2024.
    """
    query, key = F.normalize(query, dim=-1), F.normalize(key, dim=-1)
    before = (rate * (key @ key.mT)).tril(-1)
    system = before + torch.eye(before.shape[-1], dtype=before.dtype)
    errors = torch.linalg.solve_triangular(system, rate * value, upper=False)
    return (query @ key.mT * causal_mask(before.shape[-1])) @ errors


def alibi_table(query, key, value):
    """Return the contexts of causal softmax attention whose scores lose a quarter for each token of distance.

    Shapes as of `delta_table`. Built in notebook 11.
    """
    num_tokens = query.shape[-2]
    return masked_softmax(scores(query, key) + alibi(8, num_tokens)[1], causal_mask(num_tokens)) @ value
