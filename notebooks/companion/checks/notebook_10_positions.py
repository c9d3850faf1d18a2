"""Checks of the positions that the reader builds in notebook 10: waves, turns and penalties."""

import torch

from companion.checks.exercise import exercise
from companion.checks.feedback import expect_tensor
from utils.attention import causal_mask
from utils.positions import BASE, alibi, rotate, sinusoidal

DEGREES = "sin and cos take radians: leave the angle as it is"
DIVIDED = "the next pair is slower, not faster: divide the place by 10000 ** (2 * i / size)"
EXPONENT = "pair i is slower by 10000 ** (2 * i / size): the 2 is missing"
FROM_ONE = "the places count from 0, so the first one has the angle 0"
HALF_SIZE = "the exponent of pair i is 2 * i / size, where size counts all features, not the pairs"
ONE_SPEED = "all pairs turn alike: pair i is slower by 10000 ** (2 * i / size)"


def _angles(num_tokens, size, first=0, exponent=2):
    """Return the angle of each place and pair, (tokens, size / 2); by default the right one."""
    places = torch.arange(first, first + num_tokens, dtype=torch.float64)
    return places[:, None] * BASE ** (-exponent * torch.arange(size // 2, dtype=torch.float64) / size)


def _wrong_angles(num_tokens, size):
    return {
        FROM_ONE: _angles(num_tokens, size, first=1),
        EXPONENT: _angles(num_tokens, size, exponent=1),
        ONE_SPEED: _angles(num_tokens, size, exponent=0),
        HALF_SIZE: _angles(num_tokens, size, exponent=4),
        DIVIDED: _angles(num_tokens, size, exponent=-2),
        DEGREES: _angles(num_tokens, size).deg2rad(),
    }


def _expect(given, right, doing, mistakes):
    """Compare with room for angles in single precision, of which a large one keeps few digits."""
    expect_tensor(given, right, doing, mistakes, atol=1e-4)


@exercise
def check_waves(waves):
    """place 0 is 0, 1, 0, 1, and each pair is slower than the one before."""
    for num_tokens, size in ((7, 4), (8, 8), (5, 2), (40, 6)):
        angles = _angles(num_tokens, size)
        mistakes = {
            "sine and cosine are exchanged: the sine comes first": _side_by_side(angles.cos(), angles.sin()),
            "all sines stand before all cosines: those of one angle stand side by side": torch.cat(
                [angles.sin(), angles.cos()], dim=-1
            ),
            "each feature has an angle of its own: the two of a pair share one": _unpaired(num_tokens, size),
            "the sine stands twice: a pair is sine and cosine": _side_by_side(angles.sin(), angles.sin()),
            "these are the angles: take their sine and cosine": _side_by_side(angles, angles),
            "rows are places, columns are features": _side_by_side(angles.sin(), angles.cos()).T,
        }
        wrong = _wrong_angles(num_tokens, size)
        mistakes |= {cause: _side_by_side(each.sin(), each.cos()) for cause, each in wrong.items()}
        _expect(waves(num_tokens, size), sinusoidal(num_tokens, size), f"waves({num_tokens}, {size})", mistakes)


def _side_by_side(one, other):
    return torch.stack([one, other], dim=-1).flatten(-2)


def _unpaired(num_tokens, size):
    """Give feature d the angle of a pair of its own number, place / 10000 ** (d / size)."""
    angles = _angles(num_tokens, 2 * size)
    even = torch.arange(size) % 2 == 0
    return torch.where(even, angles.sin(), angles.cos())


@exercise
def check_turn(turn):
    """each pair turns with the place, a slower one for each pair, and no vector gets longer."""
    for shape in ((7, 4), (8, 8), (3, 2), (2, 3, 5, 6), (4, 4, 4, 4)):
        features = torch.randn(shape)
        num_tokens, size = shape[-2:]
        angles = _angles(num_tokens, size)
        mistakes = {
            "neighbours are paired, the other convention: pair feature i with feature i + head_dim / 2": rotate(
                features, pairing="neighbours"
            ).double(),
            "the turn goes backwards: it is first · cos − second · sin, and first · sin + second · cos": _turned(
                features, -angles
            ),
            "a reflection, which has one sign too few: first · cos − second · sin": _turned(features, angles, sign=1),
            "these are the features as they were: turn them": features.double(),
            "the second line needs first as it was: keep it, and give the turned one another name": _overwritten(
                features, angles
            ),
            "second · cos − first · sin: first and second are exchanged": _exchanged(features, angles),
            "the halves are put back side by side, pair by pair: lay the first half before the second": _side_by_side(
                *_turned(features, angles).chunk(2, dim=-1)
            ),
        }
        if len(shape) > 2:
            mistakes["the angle is taken from another axis: the tokens are the last axis but one"] = (
                rotate(features.transpose(-3, -2)).transpose(-3, -2).double()
            )
            by_batch = rotate(features.transpose(0, -2)).transpose(0, -2).double()
            mistakes["the angle is taken from the batch: the tokens are the last axis but one"] = by_batch
        wrong = _wrong_angles(num_tokens, size)
        mistakes |= {cause: _turned(features, each) for cause, each in wrong.items()}
        _expect(turn(features), rotate(features), f"turn, for features {shape},", mistakes)


def _turned(features, angles, sign=-1):
    first, second = features.double().chunk(2, dim=-1)
    return torch.cat(
        [first * angles.cos() + sign * second * angles.sin(), first * angles.sin() + second * angles.cos()], dim=-1
    )


def _overwritten(features, angles):
    """Turn the first half, and then the second half with the turned first."""
    first, second = features.double().chunk(2, dim=-1)
    first = first * angles.cos() - second * angles.sin()
    return torch.cat([first, first * angles.sin() + second * angles.cos()], dim=-1)


def _exchanged(features, angles):
    first, second = features.double().chunk(2, dim=-1)
    return _turned(torch.cat([second, first], dim=-1), angles)


@exercise
def check_penalties(penalties):
    """no token is penalised for itself, and each head sees further than the one before."""
    for num_heads, num_tokens in ((8, 5), (8, 8), (4, 6), (16, 3), (1, 4)):
        right = alibi(num_heads, num_tokens)
        distances = (torch.arange(num_tokens)[:, None] - torch.arange(num_tokens)).abs().double()
        steps = torch.arange(1, num_heads + 1, dtype=torch.float64)
        slopes = 2 ** (-8 / num_heads * steps)
        mistakes = {
            "the sign is turned: what is far away loses, so the numbers are negative": -right.double(),
            "the slopes are those of eight heads: the exponent is -8 · head / num_heads": _cones(2**-steps, distances),
            "the heads count from 1, so that the first of eight has the slope 1/2": _cones(
                slopes * 2 ** (8 / num_heads), distances
            ),
            "all heads have one slope: each has its own": _cones(slopes[:1].expand(num_heads), distances),
            "the slopes are in the opposite order: the steepest comes first": _cones(slopes.flip(0), distances),
            "the distance has a sign, and what comes later gains: take .abs()": -slopes[:, None, None]
            * (torch.arange(num_tokens)[:, None] - torch.arange(num_tokens)),
            "what comes later is hidden: leave that to the causal mask": right.masked_fill(
                ~causal_mask(num_tokens), -torch.inf
            ),
            "the distance is squared: it is taken as it is": _cones(slopes, distances**2),
            "the slopes are missing: these are the distances": _cones(torch.ones(num_heads), distances),
            "the axes are (heads, query, key)": right.double().permute(1, 2, 0),
        }
        _expect(penalties(num_heads, num_tokens), right, f"penalties({num_heads}, {num_tokens})", mistakes)


def _cones(slopes, distances):
    return -slopes.double()[:, None, None] * distances
