"""Checks of the exercises in notebook 11 (order): a test of modules, sinusoidal encodings and rotary embeddings."""

from functools import partial

import torch

from companion.checks.exercise import exercise
from companion.checks.feedback import IN_PLACE, Mistake, expect, expect_kind, explained
from companion.checks.tables import compared_with, of_steps
from utils.positions import BASE, alibi, rotate, sinusoidal

ROUNDING = 1e-5  # outputs whose numbers stay within it have moved along
AXIS = "the tokens are axis 1, so a new order comes after a colon: [:, order] ({error})"
SAME_TENSOR = "you exchange tokens in inputs itself: exchange them in a copy, inputs.clone(), or read inputs[:, order]"
DOUBLED = "one token occurs twice, and its neighbor is lost: a slice shows what is written over it, so take [:, order]"
MOVED = "the outputs move along with the words: give them the same new order before you compare"
DIGIT = "the last digit is rounding: ask for more than 1e-5"
SENTENCES = "you move sentences: the batch is axis 0, the tokens are axis 1"
COMPARED = "compare read(inputs[:, order]) with read(inputs)[:, order], and return True if there is a gap"
NEIGHBORS = "when all words are reversed or shifted, such outputs only move along; exchange only two neighbors"
SIGN = "a gap below zero is a gap, too: take .abs()"
SMALL = "small gaps are missed: ask for more than 1e-5"
PAIRS = "only some of the pairs of neighbors are exchanged: exchange each pair, one at a time"
BATCH = "only some sentences of the batch are looked at: compare all of them"


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
    inputs, table, penalties = torch.randn(4, 6, 8), torch.randn(6, 8), alibi(8, 6)[0]
    sentence, position = torch.arange(4.0)[:, None, None], torch.arange(6)[:, None]

    def mixed(inputs, scores=0.0):
        return torch.softmax(inputs @ inputs.mT / 8**0.5 + scores, dim=-1) @ inputs

    blind = {  # modules that see no order: (read, why a test may say that they do)
        "a module that doubles each token": (lambda x: 2 * x, MOVED),
        "attention without positions": (mixed, DIGIT),
        "the number of the sentence in place of the token's": (lambda x: mixed(x + sentence), SENTENCES),
    }
    seeing = {  # modules that see order: (read, why a test may not notice)
        "positions added to the tokens": (lambda x: mixed(x + table), COMPARED),
        "a penalty for distance": (lambda x: mixed(x, penalties), NEIGHBORS),
        "a circle, where each token takes of its left neighbor": (lambda x: x + x.roll(1, dims=1) / 2, NEIGHBORS),
        "numbers that only sink": (lambda x: x - (x - inputs).abs(), SIGN),
        "positions of a thousandth": (lambda x: x + sinusoidal(6, 8) / 1000, SMALL),
        "the first position alone": (lambda x: x + (position == 0), PAIRS),
        "the last position alone": (lambda x: x + (position == 5), PAIRS),
        "a last sentence with positions": (lambda x: x + (sentence == 3) * table, BATCH),
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
    expect_kind(given, bool, "sees_order", "a bool (.item() turns a tensor into one)")
    return given


@of_steps
def _angles(num_tokens, size, *, first=0, exponent=2, unit=1.0):
    """Return the angles of positions and pairs, (tokens, size / 2)."""
    positions = torch.arange(first, first + num_tokens, dtype=torch.float64)
    return unit * positions[:, None] * BASE ** (-exponent * torch.arange(size // 2, dtype=torch.float64) / size)


RIGHT = _angles()
WRONG_ANGLES = {
    "positions count from 0, so the first one has the angle 0": _angles(first=1),
    "pair i is slower by 10000 ** (2 * i / size): the 2 is missing": _angles(exponent=1),
    "the exponent of pair i is 2 * i / size, where size counts all features, not the pairs": _angles(exponent=4),
    "sin and cos take radians: leave the angle as it is": _angles(unit=torch.pi / 180),
}
FITTING = "angles are (tokens, pairs): a column of positions, [:, None], by a row of pairs ({error})"


def _side_by_side(one, other):
    return torch.stack([one, other], dim=-1).flatten(-2)


def _waved(angles=RIGHT, one=torch.sin, other=torch.cos, join=_side_by_side):
    return lambda *sizes: join(one(angles(*sizes)), other(angles(*sizes)))


def _unpaired(num_tokens, size):
    angles = RIGHT(num_tokens, 2 * size)  # each feature d has the angle position / 10000 ** (d / size)
    return torch.where(torch.arange(size) % 2 == 0, angles.sin(), angles.cos())


WAVES = {  # {message: wrong waves}
    "sine and cosine are exchanged: the sine comes first": _waved(one=torch.cos, other=torch.sin),
    "all sines come before all cosines: those of one angle are neighbors": _waved(join=lambda *two: torch.cat(two, -1)),
    "each feature has an angle of its own: the two of a pair share one": _unpaired,
    "rows are positions, columns are features": lambda *sizes: sinusoidal(*sizes).T,
    **{message: _waved(angles) for message, angles in WRONG_ANGLES.items()},
}


@compared_with(sinusoidal, WAVES, {"must match": FITTING}, atol=1e-4)
def check_waves(waves):
    """position 0 is 0, 1, 0, 1, and each pair is slower than the one before."""
    for sizes in ((7, 4), (40, 6)):  # with room for large angles in single precision
        yield "waves({}, {})".format(*sizes), sizes


@of_steps
def _turned(
    features,
    *,
    angles=RIGHT,
    formula=lambda x, y, cosine, sine: (x * cosine - y * sine, x * sine + y * cosine),
    join=lambda *halves: torch.cat(halves, dim=-1),
):
    angle = angles(*features.shape[-2:])
    return join(*formula(*features.double().chunk(2, dim=-1), angle.cos(), angle.sin()))


def _overwritten(x, y, cosine, sine):
    x = x * cosine - y * sine
    return x, x * sine + y * cosine


def _by_halves_of_waves(features):
    sine, cosine = sinusoidal(*features.shape[-2:]).chunk(2, dim=-1)
    first, second = features.chunk(2, dim=-1)
    return torch.cat([first * cosine - second * sine, first * sine + second * cosine], dim=-1)


MINUS = "the new first half is first · cos − second · sin, the new second half first · sin + second · cos"
TURNS = {  # {message: wrong turn}
    "pair feature i with i + head_dim / 2, not with its neighbor": partial(rotate, pairing="neighbours"),
    f"the turn goes backwards: {MINUS}": _turned(formula=lambda x, y, c, s: (x * c + y * s, y * c - x * s)),
    f"this is a reflection: {MINUS}": _turned(formula=lambda x, y, c, s: (x * c + y * s, x * s + y * c)),
    "the second line needs first as it was: give the turned one another name": _turned(formula=_overwritten),
    "the halves are put back pair by pair: lay the first half before the second": _turned(join=_side_by_side),
    "sines and cosines take turns in the columns of waves: the sines are 0, 2, and so on": _by_halves_of_waves,
    "the waves are added: turn the features": lambda features: features + sinusoidal(*features.shape[-2:]),
    "the angle is taken from the batch: the tokens are the last axis but one": lambda features: rotate(
        features.transpose(0, -2)
    ).transpose(0, -2),
    **{message: _turned(angles) for message, angles in WRONG_ANGLES.items()},
}


@compared_with(rotate, TURNS, {"must match": f"the tokens are features.shape[-2]; {FITTING}"}, atol=1e-4)
def check_turn(turn):
    """each pair turns with the position, a slower one for each pair, and no vector gets longer."""
    for shape in ((2, 3, 5, 6), (7, 4)):
        yield f"turn, for features {shape},", (torch.randn(shape),)
