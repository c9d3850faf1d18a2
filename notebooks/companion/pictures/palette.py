"""The colors of every picture: one a role, those of weights and scores, and the ink that is readable on each."""

import functools
import math
from dataclasses import dataclass

from matplotlib.colors import LinearSegmentedColormap, to_rgb

from companion.verdict_words import CORRECT, NOT_ATTEMPTED, NOT_YET


@dataclass(frozen=True)
class Role:
    """One quantity of the course: the color of its shapes and the darker ink of its words."""

    fill: str
    ink: str


class _Roles(dict):
    def __missing__(self, name):
        raise ValueError(f"there is no role {name!r}; choose one of {', '.join(self)}")


# Okabe and Ito's palette, which stays distinct for the common color vision deficiencies.
# Every ink has a contrast of at least 4.5:1 on white.
ROLES = _Roles(
    input=Role("#B8BDC7", "#4A5160"),
    query=Role("#D55E00", "#B33A00"),
    key=Role("#E69F00", "#7A5C00"),
    value=Role("#CC79A7", "#9A3F73"),
    score=Role("#0072B2", "#005B8F"),
    weight=Role("#0072B2", "#005B8F"),
    context=Role("#009E73", "#00694C"),
)
INK, MUTED, PAPER, MASKED = "#1F2430", "#5F6673", "#FFFFFF", "#F3F4F6"
EDGE, GRID, TRACK, HATCH, FAINT = "#C9CED6", "#E3E6EB", "#EEF0F3", "#B4BAC4", "#9AA1AD"  # grays beside the data
# Each color stands out on white and on black, and white on it.
VERDICT_SIGNS = {CORRECT: ("✓", "#1B7F3B"), NOT_YET: ("✗", "#C23B22"), NOT_ATTEMPTED: ("○", "#6B7280")}
WEIGHT_STOPS = ["#F5F9FC", "#A9CFE6", "#0072B2", "#03304D"]  # of weights 0, 1/3, 2/3 and 1
WEIGHT_COLORS = LinearSegmentedColormap.from_list("weights", WEIGHT_STOPS)
# Violet: far from every role, and never as deep as the blue, so that it is the calmer one on dark paper, too.
# Of scores as far below zero as above, in even steps.
SCORE_STOPS = ["#7F62C4", "#AE9AEE", "#FAFAFA", "#5AA3CF", "#004B77"]
SCORE_COLORS = LinearSegmentedColormap.from_list("scores", SCORE_STOPS)


def fills(rows, signed=False):
    """Return the color of each number: of weights, or of scores in proportion to the largest of them.

    Where no score is below zero, the scale begins at zero, as that of weights does.
    """
    finite = [number for row in rows for number in row if signed and math.isfinite(number)]
    top, both = max(map(abs, finite), default=0) or 1, signed and min(finite, default=-1) < 0
    shares = [[0.5 + number / top / 2 if both else number / top for number in row] for row in rows]
    return [[_shade(both, min(int(256 * max(0, min(share, 1))), 255)) for share in row] for row in shares]


@functools.cache  # a table has thousands of cells, in one of 256 shades
def _shade(signed, step):
    return (SCORE_COLORS if signed else WEIGHT_COLORS)(step)[:3]


def tint(color, amount):
    """Mix a color with white: amount 1 keeps it, 0 gives white."""
    return tuple(1 - amount * (1 - channel) for channel in to_rgb(color))


def contrast(one, other):
    """Return the contrast of two colors, 1 to 21, as in the Web Content Accessibility Guidelines 2.2."""
    dark, light = sorted(map(_luminance, (one, other)))
    return (light + 0.05) / (dark + 0.05)


def _luminance(color):
    linear = [c / 12.92 if c <= 0.04045 else ((c + 0.055) / 1.055) ** 2.4 for c in to_rgb(color)]
    return sum(share * c for share, c in zip((0.2126, 0.7152, 0.0722), linear))


@functools.cache
def ink_on(color):
    """Return black or white, whichever stands out more on the color (never under 4.5:1)."""
    return max(("#000", "#FFF"), key=lambda ink: contrast(ink, color))


def black_ink(colors):
    """Return the first and the last share, 0 to 1, of a scale of colors on which black stands out more than white."""
    shares = [step / 255 for step in range(256) if ink_on(colors(step)[:3]) == "#000"]
    return [shares[0], shares[-1]]
