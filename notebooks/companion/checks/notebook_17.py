"""Checks of the exercises in notebook 17 (attention today), and the course's own answers to them."""

import torch
from torch.nn import functional as F

from companion import mistakes as known
from companion.checks.feedback import expect, made
from companion.checks.tables import compared_with
from companion.steps import of_steps
from utils.attention import causal_mask


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
def _absorbed(
    query,
    latent,
    W_up_key,
    W_up_value,
    *,
    size=lambda query, latent: query.shape[-1],
    axis=-1,
    out=torch.matmul,
):
    """Return the contexts without keys: `size` is what scores are divided by the root of, `out` makes the contexts."""
    scores = query @ W_up_key.mT @ latent.mT / size(query, latent) ** 0.5
    return out(scores.softmax(dim=axis) @ latent, W_up_value)


in_latents = _absorbed()  # the course's own `absorbed_attention`

ABSORBED = {  # {message: wrong absorbed_attention}
    "the scores are divided by the root of d_latent: they are those of queries and keys, so take d_k": _absorbed(
        lambda query, latent: latent.shape[-1]
    ),
    "the scores are not divided by the root of d_k": _absorbed(lambda query, latent: 1),
    "softmax runs over the new tokens: the weights of each of them, dim=-1, sum to 1": _absorbed(axis=-2),
    "these are mixed latents, (heads, new, d_latent): W_up_value makes contexts of them": _absorbed(
        out=lambda mixed, W_up_value: mixed
    ),
}
TURNED = "check the shapes: W_up_key is turned round, query @ W_up_key.mT, and W_up_value is not ({error})"
MADE = "the contexts are right, but a tensor as large as all keys or values is made: move the brackets"


@compared_with(in_latents, ABSORBED, {"must match the size": TURNED, "mat": TURNED, "Expected size": TURNED})
def check_absorbed_attention(absorbed_attention):
    """the contexts are those of each head's own keys and values, and neither of them is made."""
    for num_new in (1, 3):
        inputs = torch.randn(4, num_new, 7), torch.randn(60, 5), torch.randn(4, 5, 7), torch.randn(4, 5, 8)
        yield f"absorbed_attention for {num_new} new and 60 tokens", inputs
        largest = max(each.numel() for each in made(absorbed_attention, *inputs))
        expect(largest < 4 * 60 * 7, MADE)


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
