"""Checks of the exercise in notebook 10 that asks whether a module sees order; those of the positions are beside it."""

import torch

from companion.checks.exercise import exercise
from companion.checks.feedback import expect, explained
from utils.positions import alibi, sinusoidal

ROUNDING = 1e-5  # outputs whose numbers stay within it have moved along
AXIS = "the tokens are axis 1, so a new order stands behind a colon: [:, order] ({error})"
MOVED = "the outputs move along with the words: give them the same new order before you compare"
PAIRS = "only some of the pairs of neighbours change places: let each pair do so, one at a time"


def order_seen(read, inputs):
    """Say whether read(inputs) does more than move along, for (batch, tokens, features): the course's `sees_order`."""
    before, places = read(inputs), list(range(inputs.shape[1]))
    for place in places[:-1]:
        order = [*places[:place], place + 1, place, *places[place + 2 :]]
        if (read(inputs[:, order]) - before[:, order]).abs().max() > ROUNDING:
            return True
    return False


@exercise
def check_sees_order(sees_order):
    """neighbours changed places, the outputs were asked to do the same, and every pair had its turn."""
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
            "the distances stay as they are when all words are reversed or shifted; let neighbours change places",
        ),
        "a circle, in which each token takes something of its left neighbour": (
            lambda inputs: inputs + inputs.roll(1, dims=1) / 2,
            "a shift of all words moves such outputs along; let only two neighbours change places",
        ),
        "numbers that only sink": (
            lambda changed: changed - (changed - inputs).abs(),
            "a gap below zero is a gap, too: take .abs()",
        ),
        "positions of a thousandth": (
            lambda inputs: inputs + sinusoidal(6, 8) / 1000,
            "small gaps are missed: ask for more than 1e-5",
        ),
        "the first place alone": (
            lambda inputs: inputs + (torch.arange(6) == 0)[:, None],
            PAIRS,
        ),
        "the last place alone": (
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
    with explained({"out of bounds": AXIS}):
        given = sees_order(read, inputs)
    expect(given is not None, "sees_order gives None; did you forget `return`?")
    kind = type(given).__name__
    expect(isinstance(given, bool), f"sees_order gives a {kind}, but a bool was expected; .item() makes one")
    return given
