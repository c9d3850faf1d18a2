"""Checks of the exercises in notebook 17 (attention today), and the course's own answers to them."""

import torch
from torch.nn import functional as F

from companion.checks import mistakes as known
from companion.checks.tables import compared_with, of_steps
from utils.attention import attention, causal_mask


def banded(num_tokens, window):
    """Return a causal mask of the nearest keys, `window` of them with the token itself: the course's `window_mask`."""
    return causal_mask(num_tokens).triu(1 - window)


def _seen(rule):
    """Make a mask of a rule for how far back a query may see: 0 is itself, and below 0 lies the future."""
    return lambda num_tokens, window: rule(torch.arange(num_tokens)[:, None] - torch.arange(num_tokens), window)


WINDOWS = {  # {message: wrong window_mask}
    "the window is one too wide: the window's size includes the token itself": _seen(lambda d, w: (d >= 0) & (d <= w)),
    "the window is one too narrow: it has window - 1 keys before the token": _seen(lambda d, w: (d >= 0) & (d < w - 1)),
    "the window looks both ways: hide the future, too": _seen(lambda back, w: back.abs() < w),
    "the past is not cut off: hide what lies window tokens or more back": _seen(lambda back, w: back >= 0),
    "the future is not hidden: a key's position is at most the query's": _seen(lambda back, w: back < w),
    "rows and columns are exchanged: rows are queries": lambda *sizes: banded(*sizes).T,
    "a token does not see itself: the window begins with it": _seen(lambda back, w: (back > 0) & (back < w)),
    known.INVERTED: lambda *sizes: ~banded(*sizes),
}
CHAIN = "a chain like 0 <= d < w, an and, and an if are for single numbers: write (d >= 0) & (d < w)"


@compared_with(banded, WINDOWS, {"Boolean value": CHAIN})
def check_window_mask(window_mask):
    """each token sees itself and the window - 1 tokens before it, or as many as there are."""
    for sizes in ((7, 3), (5, 1), (3, 8)):  # a window of the token alone, and one beyond all tokens
        yield f"window_mask{sizes}", sizes


@of_steps
def _grouped(query, key, value, mask, *, of_keys=torch.repeat_interleave, of_values=None, seen=lambda mask: mask):
    """Return the context of each query head: `of_keys` and `of_values` repeat heads, so many times, along axis 0."""
    shared, of_values = len(query) // len(key), of_values or of_keys
    return attention(query, of_keys(key, shared, dim=0), of_values(value, shared, dim=0), seen(mask))[0]


by_groups = _grouped()  # the course's own `grouped_attention`


def _in_turn(heads, times, dim):
    return heads.repeat(times, 1, 1)


def _first(heads, times, dim):
    return heads[:1].repeat_interleave(len(heads) * times, dim)


GROUPS = {  # {message: wrong grouped_attention}
    "the heads take turns, 0, 1, 0, 1; neighbors share, 0, 0, 1, 1: repeat_interleave": _grouped(_in_turn),
    "the keys' heads take turns, 0, 1, 0, 1; neighbors share, 0, 0, 1, 1": _grouped(_in_turn, torch.repeat_interleave),
    "the values' heads take turns, 0, 1, 0, 1; neighbors share, 0, 0, 1, 1": _grouped(of_values=_in_turn),
    "all queries read the first head of keys and values": _grouped(_first),
    "the mask is not used": _grouped(seen=lambda mask: None),
}
FEWER = "there are fewer heads of keys than of queries: repeat each head of keys and values ({error})"


@compared_with(by_groups, GROUPS, {"size of tensor": FEWER, "batch axes": FEWER})
def check_grouped_attention(grouped_attention):
    """neighboring heads of queries share a head of keys and values."""
    for num_heads, num_kv_heads in ((6, 3), (4, 1), (2, 2)):
        key, value = torch.randn(num_kv_heads, 5, 4), torch.randn(num_kv_heads, 5, 3)
        doing = f"grouped_attention for {num_heads} heads of queries and {num_kv_heads} of keys"
        yield doing, (torch.randn(num_heads, 5, 4), key, value, causal_mask(5))


def delta_written(state, key, value, rate):
    """Return the state, moved so that key finds value: the course's `delta_step`."""
    key = F.normalize(key, dim=-1)
    return state + rate * torch.outer(key, value - key @ state)


def _unit(key):
    return key / key.norm()


def _moved(error=lambda value, found, rate: rate * (value - found), read=_unit, written=_unit, kept=torch.clone):
    """Make a step from its decisions: the error, the key that reads, the key that is written, and what is kept."""
    return lambda state, key, value, rate: (
        kept(state) + torch.outer(written(key), error(value, read(key) @ state, rate))
    )


MOVES = {  # {message: wrong delta_step}
    "the key must have length 1 first: divide it by key.norm()": _moved(read=torch.clone, written=torch.clone),
    "the key of length 1 reads, but the old one is written: use the new key for both": _moved(written=torch.clone),
    "the state's answer is not subtracted: that is linear attention": _moved(lambda value, found, rate: rate * value),
    "the whole state shrinks, so answers to other keys move, too": (
        lambda state, key, value, rate: (1 - rate) * state + rate * torch.outer(_unit(key), value)
    ),
    "1 - rate of the way is gone: the way is the rate": _moved(lambda value, found, rate: (1 - rate) * (value - found)),
    "the rate is missing": _moved(lambda value, found, rate: value - found),
    "the state moves away from the value: the sign is turned": _moved(lambda value, found, r: r * (found - value)),
    "the old state is lost: add the correction to it": _moved(kept=torch.zeros_like),
}
OUTER = "the outer product is turned round: like the state it is (d_k, d_v), torch.outer(key, ...) ({error})"
FOUND = "read the state with key @ state: (d_k,) times (d_k, d_v) is (d_v,) ({error})"


@compared_with(delta_written, MOVES, {"must match the size": OUTER, "mat": FOUND, "inconsistent tensor size": FOUND})
def check_delta_step(delta_step):
    """the state's answer to the key moves towards the value, and nothing else moves."""
    yield "delta_step", (torch.randn(3, 5), 2 * torch.randn(3), torch.randn(5), 0.3)
