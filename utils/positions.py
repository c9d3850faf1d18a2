"""Positions: what tells attention the order of the tokens. Built in notebook 11.

Attention itself treats its tokens as a set. Positions are added to the tokens (`sinusoidal`), turn query and key
(`rotate`), or are subtracted from the scores (`alibi`).
"""

import torch

from utils import shapes

PAIRINGS = ("halves", "neighbors")
BASE = 10000.0  # the slowest wave is this many times as long as the fastest


def sinusoidal(num_tokens, d_model):
    """Give each position a vector of sines and cosines, to be added to the token that stands there.

    Returns (num_tokens, d_model), sine and cosine of an angle side by side. Raises ValueError if d_model is odd.
    Built in notebook 11. Vaswani et al., "Attention Is All You Need", 2017, section 3.5.
    >>> sinusoidal(2, 4)
    tensor([[0.0000, 1.0000, 0.0000, 1.0000],
            [0.8415, 0.5403, 0.0100, 0.9999]])
    """
    shapes.check_whole(num_tokens=num_tokens)
    angles = _angles(torch.arange(num_tokens), d_model)  # (tokens, d_model / 2)
    return torch.stack([angles.sin(), angles.cos()], dim=-1).flatten(-2).to(torch.get_default_dtype())


def rotate(features, places=None, pairing="halves", base=BASE):
    """Turn each pair of a query's or a key's features by an angle that grows with the token's position: RoPE.

    features: (..., tokens, head_dim), like the result; places: the positions (tokens,), 0, 1, 2 ... if not given.
    pairing: "halves" pairs feature i with i + head_dim / 2, "neighbors" feature 2i with 2i + 1;
    base: the larger it is, the more slowly the last pairs turn, as models for longer texts want it.
    Raises ValueError for an odd head size, places that are not one for each token, or an unknown pairing.
    Built in notebook 11. Su et al., "RoFormer: Enhanced Transformer with Rotary Position Embedding", 2021,
    section 3.2, which pairs neighbors.
    >>> rotate(torch.tensor([[1.0, 0.0], [1.0, 0.0]]))
    tensor([[1.0000, 0.0000],
            [0.5403, 0.8415]])
    """
    shapes.check_tensor("features", features)
    if pairing not in PAIRINGS:
        raise ValueError(f"pairing is {pairing!r}; choose one of {', '.join(map(repr, PAIRINGS))}")
    num_tokens, head_dim = features.shape[-2:]
    places = torch.arange(num_tokens, device=features.device) if places is None else shapes.as_tensor(places)
    if places.shape != (num_tokens,):
        raise ValueError(f"places has shape {tuple(places.shape)} but there are {num_tokens} tokens; give one for each")
    angles = _angles(places, head_dim, base)  # (tokens, head_dim / 2)
    cosine, sine = angles.cos().to(features.dtype), angles.sin().to(features.dtype)
    axis = -2 if pairing == "halves" else -1
    first, second = features.unflatten(-1, (2, -1) if pairing == "halves" else (-1, 2)).unbind(axis)
    return torch.stack([first * cosine - second * sine, first * sine + second * cosine], dim=axis).flatten(-2)


def alibi(num_heads, num_tokens):
    """Give each pair of tokens a penalty that grows with their distance, to be added to the scores.

    Returns (num_heads, num_tokens, num_tokens), zero on the diagonal and negative elsewhere; each head has a slope
    of its own, from steep to flat. Raises ValueError if num_heads is not a power of two.
    Built in notebook 11. Press, Smith and Lewis, "Train Short, Test Long", 2022, section 3.
    >>> alibi(8, 3)[0].tolist()
    [[0.0, -0.5, -1.0], [-0.5, 0.0, -0.5], [-1.0, -0.5, 0.0]]
    """
    shapes.check_whole(num_heads=num_heads, num_tokens=num_tokens)
    if num_heads < 1 or num_heads & (num_heads - 1):
        raise ValueError(f"num_heads is {num_heads}; the slopes are defined for 1, 2, 4, 8 and so on")
    slopes = 2.0 ** (-8 / num_heads * torch.arange(1, num_heads + 1))  # 8 heads: 1/2, 1/4 ... 1/256
    positions = torch.arange(num_tokens)
    return slopes[:, None, None] * -(positions[:, None] - positions).abs()


def _angles(places, size, base=BASE):
    """Return the angle by which each pair of features has turned at each position, (positions, size / 2)."""
    if size % 2:
        raise ValueError(f"{size} features cannot be paired; choose an even number")
    # In double precision: of a large angle, single precision keeps too few digits behind the point.
    slowness = base ** (torch.arange(0, size, 2, device=places.device, dtype=torch.float64) / size)
    return places[:, None] / slowness
