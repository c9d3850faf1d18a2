"""What goes wrong between query, key, value and mask, as tensors: shared by the checks of attention in a2."""

import torch

from utils.attention import attention, causal_mask, scores
from utils.checks.feedback import BY_INPUTS, COLUMNS, close, expect, expect_tensor

AFTER = "the mask comes after softmax, so the rows no longer sum to 1: set the scores to -inf before"
INVERTED = "the mask is turned round: True means 'may attend'"
RIGHT = "right"
ALLOWED = {  # what a token reads instead of its past, by the number of tokens
    "every token reads all tokens: the causal mask is missing": lambda n: torch.ones(n, n).bool(),
    "the mask is turned round: each token reads only what comes after it": lambda n: ~causal_mask(n),
    "the diagonal is off by one: each token sees its successor": lambda n: torch.ones(n, n).tril(1).bool(),
    "the diagonal is off by one: a token cannot see itself": lambda n: torch.ones(n, n).tril(-1).bool(),
    "rows and columns are exchanged: each token reads itself and what comes after": lambda n: causal_mask(n).T,
}


def readings(query, key, value, d_in=None):
    """Return {mistake: (query, key, value)}: what attention must be given to make the same mistake; first RIGHT."""
    keys, root = key.shape[-2], query.shape[-1] ** 0.5
    factors = {
        RIGHT: 1,
        "the scale is missing: divide by the square root of the size of query and key": root,
        "multiplied by the root where it should be divided": root**2,
        "divided by the size of query and key itself; take its square root": 1 / root,
        "divided by the root of the number of keys; take the size of query and key": root / keys**0.5,
        "divided by the root of the values' size; take the size of query and key": root / value.shape[-1] ** 0.5,
    }
    if d_in:
        factors[BY_INPUTS] = root / d_in**0.5
    found = {message: (query * factor, key, value) for message, factor in factors.items()}
    if query.shape == key.shape:
        found["query and key are exchanged: row i must hold query i's weights"] = key, query, value
    if key.shape == value.shape:
        found["key and value are exchanged: scores come from the keys, the context from the values"] = query, value, key
    return found


def weighed(raw, mask, dim):
    """Return softmax along any axis, with zeros where it finds nothing."""
    raw = raw if mask is None else raw.masked_fill(~mask, -torch.inf)
    return torch.softmax(raw, dim).nan_to_num(0.0)


def expect_masked(given, reading, mask, doing, others, where=""):
    """Compare a context with the right one under a mask, and name the mistake.

    reading: (query, key, value); others: {message: another mask}; where: stands before each message.
    """
    query, key, value = reading
    raw = scores(query, key)
    plain = torch.softmax(raw, dim=-1)
    mistakes = {
        AFTER: (plain * mask) @ value,
        COLUMNS: weighed(raw, mask, -2) @ value,
        "masked scores are 0, and exp(0) is 1: use -inf": torch.softmax(raw * mask, dim=-1) @ value,
        "masked scores are 0, and exp(0) is 1, in the sum that divides, too: use -inf": (
            torch.softmax(raw * mask, dim=-1) * mask @ value
        ),
        "the mask is added as 0 and 1; set the scores to -inf where it is False": (raw + mask).softmax(-1) @ value,
        "a query that may attend to nothing gets equal weights (from -1e9?); give it zeros": (
            torch.softmax(raw.masked_fill(~mask, -1e9), dim=-1) @ value
        ),
        **{message: under(other, reading, given) for message, other in others.items()},
    }
    wrong = {where + message: tensor for message, tensor in mistakes.items()}
    expect_tensor(given, attention(*reading, mask)[0], where + doing, wrong)


def under(mask, reading, given):
    """Return the context under a wrong mask; rows that see nothing may be zeros, nan or an average, like the given."""
    value, wrong = reading[2], attention(*reading, mask)[0]
    empty = ~mask.any(-1, keepdim=True)
    for filled in (torch.full_like(wrong, torch.nan), value.mean(-2, keepdim=True).expand_as(wrong)):
        if close(given, torch.where(empty, filled, wrong)):
            return given
    return wrong


def expect_shape(given, shape, doing):
    """Refuse anything but one tensor of this shape, and return it."""
    expect(not isinstance(given, (tuple, list)), f"{doing} gives several things; return the context alone")
    if not isinstance(given, torch.Tensor) or tuple(given.shape) != tuple(shape):
        expect_tensor(given, torch.zeros(shape), doing)
    return given
