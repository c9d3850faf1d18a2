"""Sinusoidal encodings and rotary embeddings that go wrong, for the checks of notebook 11."""

from functools import partial

import torch

from companion.steps import of_steps
from utils.positions import BASE, rotate


@of_steps
def _angles_with(num_tokens, size, *, first=0, exponent=2, unit=1.0):
    """Return the angles of positions and pairs, (tokens, size / 2)."""
    positions = torch.arange(first, first + num_tokens, dtype=torch.float64)
    return unit * positions[:, None] * BASE ** (-exponent * torch.arange(size // 2, dtype=torch.float64) / size)


right_angles = _angles_with()
WRONG_ANGLES = {
    "positions count from 0, so the first one has the angle 0": _angles_with(first=1),
    "pair i is slower by 10000 ** (2 * i / size): the 2 is missing": _angles_with(exponent=1),
    "the exponent of pair i is 2 * i / size, where size counts all features, not the pairs": _angles_with(exponent=4),
    "sin and cos take radians: leave the angle as it is": _angles_with(unit=torch.pi / 180),
}
FITTING = "angles are (tokens, pairs): a column of positions, [:, None], by a row of pairs ({error})"


def _interleave(first, second):
    return torch.stack([first, second], dim=-1).flatten(-2)


def _waves_with(angles=right_angles, even=torch.sin, odd=torch.cos, join=_interleave):
    return lambda *sizes: join(even(angles(*sizes)), odd(angles(*sizes)))


WAVES = {  # {message: wrong waves}
    "sine and cosine are exchanged: the sine comes first": _waves_with(even=torch.cos, odd=torch.sin),
    "all sines come before all cosines: those of one angle are neighbors": _waves_with(
        join=lambda *two: torch.cat(two, -1)
    ),
    **{message: _waves_with(angles) for message, angles in WRONG_ANGLES.items()},
}


@of_steps
def _rotation_with(
    features,
    *,
    angles=right_angles,
    formula=lambda x, y, cosine, sine: (x * cosine - y * sine, x * sine + y * cosine),
    join=lambda *halves: torch.cat(halves, dim=-1),
):
    angle = angles(*features.shape[-2:])
    return join(*formula(*features.double().chunk(2, dim=-1), angle.cos(), angle.sin()))


def _overwrite_first(x, y, cosine, sine):
    x = x * cosine - y * sine
    return x, x * sine + y * cosine


MINUS = "the new first half is first · cos − second · sin, the new second half first · sin + second · cos"
TURNS = {  # {message: wrong turn}
    "pair feature i with i + head_dim / 2, not with its neighbor": partial(rotate, pairing="neighbors"),
    f"the turn goes backwards: {MINUS}": _rotation_with(formula=lambda x, y, c, s: (x * c + y * s, y * c - x * s)),
    "the second line needs first as it was: give the turned one another name": _rotation_with(formula=_overwrite_first),
    "the halves are put back pair by pair: lay the first half before the second": _rotation_with(join=_interleave),
    **{message: _rotation_with(angles) for message, angles in WRONG_ANGLES.items()},
}
