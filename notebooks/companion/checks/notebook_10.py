"""Checks of the exercises in notebook 10 (order): a test of modules, sinusoidal encodings and rotary embeddings."""

import torch

from companion.checks.exercise import exercise
from companion.checks.feedback import IN_PLACE, Mistake, expect, expect_like, explained
from utils.positions import BASE, alibi, rotate, sinusoidal

ROUNDING = 1e-5  # outputs whose numbers stay within it have moved along
AXIS = "the tokens are axis 1, so a new order stands behind a colon: [:, order] ({error})"
MOVED = "the outputs move along with the words: give them the same new order before you compare"
SAME_TENSOR = "you exchange tokens in inputs itself: exchange them in a copy, inputs.clone(), or read inputs[:, order]"
FITTING = "angles are (tokens, pairs): a column of positions, [:, None], by a row of pairs ({error})"
DOUBLED = "one token stands twice, and its neighbor is lost: a slice shows what is written over it, so take [:, order]"
HALVES = "sines and cosines take turns in the columns of waves, and do not fill its halves"
PAIRS = "only some of the pairs of neighbors are exchanged: exchange each pair, one at a time"


def order_seen(read, inputs):
    """Say whether read(inputs) does more than move along, for (batch, tokens, features): the course's `sees_order`."""
    before, positions = read(inputs), list(range(inputs.shape[1]))
    for i in positions[:-1]:
        order = [*positions[:i], i + 1, i, *positions[i + 2 :]]
        if (read(inputs[:, order]) - before[:, order]).abs().max() > ROUNDING:
            return True
    return False


@exercise
def check_sees_order(sees_order):
    """neighbors were exchanged, the outputs were asked to do the same, and every pair had its turn."""
    inputs, sentences = torch.randn(4, 6, 8), torch.arange(4.0)[:, None, None]
    table = torch.randn(6, 8)

    def mixed(inputs, scores=0.0):
        return torch.softmax(inputs @ inputs.mT / 8**0.5 + scores, dim=-1) @ inputs

    blind = {  # what sees no order: (read, why a test may say that it does)
        "a module that doubles each token": (lambda inputs: 2 * inputs, MOVED),
        "attention without positions": (mixed, "the last digit is rounding: ask for more than 1e-5"),
        "the number of the sentence in place of the token's": (
            lambda inputs: mixed(inputs + sentences),
            "you move sentences: the batch is axis 0, the tokens are axis 1",
        ),
    }
    seeing = {  # what sees order: (read, why a test may not notice)
        "positions added to the tokens": (
            lambda inputs: mixed(inputs + table),
            "compare read(inputs[:, order]) with read(inputs)[:, order], and return True if there is a gap",
        ),
        "a penalty for distance": (
            lambda inputs: mixed(inputs, alibi(8, inputs.shape[1])[0]),
            "the distances stay as they are when all words are reversed or shifted; exchange only two neighbors",
        ),
        "a circle, in which each token takes something of its left neighbor": (
            lambda inputs: inputs + inputs.roll(1, dims=1) / 2,
            "a shift of all words moves such outputs along; exchange only two neighbors",
        ),
        "numbers that only sink": (
            lambda changed: changed - (changed - inputs).abs(),
            "a gap below zero is a gap, too: take .abs()",
        ),
        "positions of a thousandth": (
            lambda inputs: inputs + sinusoidal(6, 8) / 1000,
            "small gaps are missed: ask for more than 1e-5",
        ),
        "the first position alone": (
            lambda inputs: inputs + (torch.arange(6) == 0)[:, None],
            PAIRS,
        ),
        "the last position alone": (
            lambda inputs: inputs + (torch.arange(6) == 5)[:, None],
            PAIRS,
        ),
        "a last sentence with positions": (
            lambda inputs: inputs + (sentences == 3) * table,
            "only some sentences of the batch are looked at: compare all of them",
        ),
    }
    given = {about: _judged(sees_order, read, inputs) for about, (read, _) in (blind | seeing).items()}
    exchanged = all(given[about] is (about in blind) for about in given)
    expect(not exchanged, "True and False are exchanged: True means that order is seen")
    for about, (_, cause) in (blind | seeing).items():
        expect(given[about] is (about in seeing), f"for {about}, sees_order gives {given[about]}: {cause}")


def _judged(sees_order, read, inputs):
    def watched(tokens):
        first = tokens[0]
        expect(first.dim() < 2 or len(first.unique(dim=0)) == len(first), DOUBLED)
        return read(tokens)

    try:
        with explained({"out of bounds": AXIS}):
            given = sees_order(watched, inputs)
    except Mistake as mistake:
        raise Mistake(SAME_TENSOR if str(mistake) == IN_PLACE else str(mistake)) from None
    expect(given is not None, "sees_order gives None; did you forget `return`?")
    kind = type(given).__name__
    expect(isinstance(given, bool), f"sees_order gives a {kind}, but a bool was expected; .item() makes one")
    return given


def _angled(first=0, exponent=2, unit=1.0):
    """Make the angles of positions and pairs, (tokens, size / 2); by default the right ones."""

    def angles(num_tokens, size):
        positions = torch.arange(first, first + num_tokens, dtype=torch.float64)
        return unit * positions[:, None] * BASE ** (-exponent * torch.arange(size // 2, dtype=torch.float64) / size)

    return angles


ANGLES = _angled()
WRONG_ANGLES = {
    "positions count from 0, so the first one has the angle 0": _angled(first=1),
    "pair i is slower by 10000 ** (2 * i / size): the 2 is missing": _angled(exponent=1),
    "all pairs turn alike: pair i is slower by 10000 ** (2 * i / size)": _angled(exponent=0),
    "the exponent of pair i is 2 * i / size, where size counts all features, not the pairs": _angled(exponent=4),
    "the next pair is slower, not faster: divide the position by 10000 ** (2 * i / size)": _angled(exponent=-2),
    "sin and cos take radians: leave the angle as it is": _angled(unit=torch.pi / 180),
}


def _side_by_side(one, other):
    return torch.stack([one, other], dim=-1).flatten(-2)


def _waved(angles=ANGLES, one=torch.sin, other=torch.cos):
    return lambda num_tokens, size: _side_by_side(one(angles(num_tokens, size)), other(angles(num_tokens, size)))


def _unpaired(num_tokens, size):
    angles = _angled()(num_tokens, 2 * size)  # each feature d has the angle position / 10000 ** (d / size)
    return torch.where(torch.arange(size) % 2 == 0, angles.sin(), angles.cos())


@exercise(
    mistakes={
        "sine and cosine are exchanged: the sine comes first": _waved(one=torch.cos, other=torch.sin),
        "all sines stand before all cosines: those of one angle stand side by side": (
            lambda *sizes: torch.cat([ANGLES(*sizes).sin(), ANGLES(*sizes).cos()], dim=-1)
        ),
        "each feature has an angle of its own: the two of a pair share one": _unpaired,
        "the sine stands twice: a pair is sine and cosine": _waved(other=torch.sin),
        "these are the angles: take their sine and cosine": _waved(one=torch.clone, other=torch.clone),
        "rows are positions, columns are features": lambda *sizes: sinusoidal(*sizes).T,
    }
    | {cause: _waved(angles) for cause, angles in WRONG_ANGLES.items()}
)
def check_waves(waves):
    """position 0 is 0, 1, 0, 1, and each pair is slower than the one before."""
    for sizes in ((7, 4), (8, 8), (5, 2), (40, 6)):  # with room for large angles in single precision
        with explained({"must match": FITTING}):
            expect_like(waves, sinusoidal, sizes, "waves({}, {})".format(*sizes), check_waves.mistakes, atol=1e-4)


def _turned(angles=ANGLES, formula=lambda x, y, c, s: (x * c - y * s, x * s + y * c), join=torch.cat):
    """Make a turn that goes wrong in its angles, its formula, or how it joins the halves."""

    def turn(features):
        first, second = features.double().chunk(2, dim=-1)
        angle = angles(*features.shape[-2:])
        return join(formula(first, second, angle.cos(), angle.sin()), dim=-1)

    return turn


def _overwritten(x, y, c, s):
    x = x * c - y * s
    return x, x * s + y * c


def _picked(pick):
    """Turn by the sines and cosines that are picked from the table of `waves`."""

    def turn(features):
        sine, cosine = pick(sinusoidal(*features.shape[-2:]))
        first, second = features.chunk(2, dim=-1)
        return torch.cat([first * cosine - second * sine, first * sine + second * cosine], dim=-1)

    return turn


def _along(axis):
    return lambda features: rotate(features.transpose(axis, -2)).transpose(axis, -2)


@exercise(
    mistakes={
        "neighbors are paired, the other convention: pair feature i with feature i + head_dim / 2": (
            lambda features: rotate(features, pairing="neighbours")
        ),
        "the turn goes backwards: it is first · cos − second · sin, and first · sin + second · cos": _turned(
            formula=lambda x, y, c, s: (x * c + y * s, y * c - x * s)
        ),
        "a reflection, which has one sign too few: first · cos − second · sin": _turned(
            formula=lambda x, y, c, s: (x * c + y * s, x * s + y * c)
        ),
        "these are the features as they were: turn them": torch.clone,
        "the second line needs first as it was: keep it, and give the turned one another name": _turned(
            formula=_overwritten
        ),
        "second · cos − first · sin: first and second are exchanged": _turned(
            formula=lambda x, y, c, s: (y * c - x * s, y * s + x * c)
        ),
        "the halves are put back side by side, pair by pair: lay the first half before the second": _turned(
            join=lambda halves, dim: _side_by_side(*halves)
        ),
        "sine and cosine are exchanged: waves has the sines in columns 0, 2, and so on": _turned(
            formula=lambda x, y, c, s: (x * s - y * c, x * c + y * s)
        ),
        f"{HALVES}: the sines are 0, 2, and so on": _picked(lambda table: table.chunk(2, dim=-1)),
        f"{HALVES}, and its sines come first": _picked(lambda table: table.chunk(2, dim=-1)[::-1]),
        "the waves are added to the features: turn the features by their angles": (
            lambda features: features + sinusoidal(*features.shape[-2:])
        ),
        "the angle is taken from another axis: the tokens are the last axis but one": _along(-3),
        "the angle is taken from the batch: the tokens are the last axis but one": _along(0),
    }
    | {cause: _turned(angles) for cause, angles in WRONG_ANGLES.items()}
)
def check_turn(turn):
    """each pair turns with the position, a slower one for each pair, and no vector gets longer."""
    for shape in ((2, 3, 5, 6), (7, 4), (8, 8), (3, 2), (4, 4, 4, 4)):
        doing = f"turn, for features {shape},"
        with explained({"must match": f"the tokens are features.shape[-2]; {FITTING}"}):
            expect_like(turn, rotate, (torch.randn(shape),), doing, check_turn.mistakes, atol=1e-4)
