"""Checks of the exercises in notebook 11 (order): a test of modules, sinusoidal encodings, and a rotary head."""

from functools import partial

import torch

from companion import mistakes as known
from companion.checks.compared import compared_with
from companion.checks.exercise import exercise
from companion.checks.feedback import IN_PLACE, Mistake, expect, expect_kind, explained
from companion.checks.modules import expect_module, made_module
from companion.slips import slips
from companion.worlds.which_minute.two_clues import RotaryHead as Rotary
from utils.attention import padding_mask
from utils.positions import BASE, alibi, rotate, sinusoidal

ROUNDING = 1e-5  # outputs whose numbers stay within it have moved along
AXIS = "the tokens are axis 1, so a new order comes after a colon: [:, order] ({error})"
SAME_TENSOR = "you exchange tokens in inputs itself: exchange them in a copy, inputs.clone(), or read inputs[:, order]"
DOUBLED = "one token occurs twice, and its neighbor is lost: a slice shows what is written over it, so take [:, order]"
MOVED = "the outputs move along with the words: give them the same new order before you compare"
SENTENCES = "you move sentences: the batch is axis 0, the tokens are axis 1"
COMPARED = "compare read(inputs[:, order]) with read(inputs)[:, order], and return True if there is a gap"
EXCHANGE = "when all words are reversed or shifted, such outputs only move along; exchange only two neighbors"
SMALL = "small gaps are missed: ask for more than 1e-5"
EACH_PAIR = "only some of the pairs of neighbors are exchanged: exchange each pair, one at a time"
WHOLE_BATCH = "only some sentences of the batch are looked at: compare all of them"


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
        "attention without positions": (mixed, "the last digit is rounding: ask for more than 1e-5"),
        "the number of the sentence in place of the token's": (lambda x: mixed(x + sentence), SENTENCES),
    }
    seeing = {  # modules that see order: (read, why a test may not notice)
        "positions added to the tokens": (lambda x: mixed(x + table), COMPARED),
        "a penalty for distance": (lambda x: mixed(x, penalties), EXCHANGE),
        "a circle, where each token takes of its left neighbor": (lambda x: x + x.roll(1, dims=1) / 2, EXCHANGE),
        "numbers that only sink": (lambda x: x - (x - inputs).abs(), "a gap below zero is a gap, too: take .abs()"),
        "positions of a thousandth": (lambda x: x + sinusoidal(6, 8) / 1000, SMALL),
        "the first position alone": (lambda x: x + (position == 0), EACH_PAIR),
        "the last position alone": (lambda x: x + (position == 5), EACH_PAIR),
        "a last sentence with positions": (lambda x: x + (sentence == 3) * table, WHOLE_BATCH),
    }
    answers = {about: _answer_on(sees_order, read, inputs) for about, (read, _) in (blind | seeing).items()}
    exchanged = all(answers[about] is (about in blind) for about in answers)
    expect(not exchanged, "True and False are exchanged: True means that order is seen")
    for about, (_, cause) in (blind | seeing).items():
        expect(answers[about] is (about in seeing), f"for {about}, sees_order gives {answers[about]}: {cause}")


def _answer_on(sees_order, read, inputs):
    def watched(tokens):
        first = tokens[0]
        expect(first.dim() < 2 or len(first.unique(dim=0)) == len(first), DOUBLED)
        return read(tokens)

    try:
        with explained({"out of bounds": AXIS}):
            answer = sees_order(watched, inputs)
    except Mistake as mistake:
        raise Mistake(SAME_TENSOR if str(mistake) == IN_PLACE else str(mistake)) from None
    expect_kind(answer, bool, "sees_order", "a bool (.item() turns a tensor into one)")
    return answer


ANGLES = {  # {message: what wrong angles have instead}
    "positions count from 0, so the first one has the angle 0": {"arange(num_tokens)": "arange(1, num_tokens + 1)"},
    "pair i is slower by 10000 ** (2 * i / size): the 2 is missing": {"-2 *": "-1 *"},
    "the exponent of pair i is 2 * i / size, where size counts all features, not the pairs": {"-2 *": "-4 *"},
    "sin and cos take radians: leave the angle as it is": {"angles =": "angles = torch.pi / 180 *"},
}
FITTING = "angles are (tokens, pairs): a column of positions, [:, None], by a row of pairs ({error})"


def _waves(num_tokens, size):
    angles = torch.arange(num_tokens).double()[:, None] * BASE ** (-2 * torch.arange(size // 2).double() / size)
    return torch.stack([angles.sin(), angles.cos()], dim=-1).flatten(-2)


WAVE_SLIPS = {  # {message: what a wrong waves has instead}
    "sine and cosine are exchanged: the sine comes first": {"angles.sin(), angles.cos()": "angles.cos(), angles.sin()"},
    "all sines come before all cosines: those of one angle are neighbors": {"stack": "cat", ".flatten(-2)": ""},
    **ANGLES,
}


@compared_with(sinusoidal, slips(_waves, WAVE_SLIPS), {"must match": FITTING}, atol=1e-4)
def check_waves(waves):
    """position 0 is 0, 1, 0, 1, and each pair is slower than the one before."""
    for sizes in ((7, 4), (40, 6)):  # with room for large angles in single precision
        yield "waves({}, {})".format(*sizes), sizes


def _turned(features):
    (num_tokens, size), (first, second) = features.shape[-2:], features.double().chunk(2, dim=-1)
    angles = torch.arange(num_tokens).double()[:, None] * BASE ** (-2 * torch.arange(size // 2).double() / size)
    cosine, sine = angles.cos(), angles.sin()
    return torch.cat([first * cosine - second * sine, first * sine + second * cosine], -1)


TURN_STOPS = {"must match": f"the tokens are features.shape[-2]; {FITTING}"}
MINUS = "the new first half is first · cos − second · sin, the new second half first · sin + second · cos"
TURN_SLIPS = {  # {message: what a wrong turn has instead}
    "pair feature i with i + head_dim / 2, not with its neighbor": partial(rotate, pairing="neighbors"),
    f"the turn goes backwards: {MINUS}": {"angles.sin()": "-angles.sin()"},
    "the second line needs first as it was: give the turned one another name": {
        "[first * cosine - second * sine": "[first := first * cosine - second * sine"
    },
    "the halves are put back pair by pair: lay the first half before the second": {
        "cat": "stack",
        "], -1)": "], -1).flatten(-2)",
    },
    **ANGLES,
}


@compared_with(rotate, slips(_turned, TURN_SLIPS), TURN_STOPS, atol=1e-4)
def check_turn(turn):
    """each pair turns with the position, a slower one for each pair, and no vector gets longer."""
    for shape in ((2, 3, 5, 6), (7, 4)):
        yield f"turn, for features {shape},", (torch.randn(shape),)


EARLY = "the inputs are turned, and then the matrix mixes what belongs to a pair: turn what it gives"
HEAD_SLIPS = {  # {message: what a wrong RotaryHead has instead}
    "nothing is turned: turn query and key": {"rotate": ""},
    "the keys are not turned: only if both are turned does a score show their distance": {
        "rotate(self.W_k": "(self.W_k"
    },
    "the queries are not turned: only if both are turned does a score show their distance": {
        "rotate(self.W_q": "(self.W_q"
    },
    "the values are turned, too: only query and key meet in a score": {
        "self.W_value(inputs)": "rotate(self.W_value(inputs))"
    },
    f"{EARLY}, turned(self.W_query(inputs)), and the value not at all": {"rotate": "", "(inputs)": "(rotate(inputs))"},
    f"{EARLY}, turned(self.W_query(inputs)), and the key likewise": {
        f"rotate(self.W_{role}(inputs))": f"self.W_{role}(rotate(inputs))" for role in ("query", "key")
    },
    "the inputs are turned, too: turn only what the matrices give, query and key": {"(inputs)": "(rotate(inputs))"},
    known.IGNORED: {", mask)": ")"},
}
HEADS = slips(Rotary, HEAD_SLIPS)


@exercise(mistakes=HEADS)
def check_rotary_head(RotaryHead):
    """query and key are turned by their positions, and the values are not."""
    head, inputs = made_module(RotaryHead, "RotaryHead", 6, 4), torch.randn(3, 7, 6)
    cases = {"the head with a mask": (inputs, padding_mask([7, 4, 5], 7)), "the head without one": (inputs,)}
    expect_module(head, Rotary, (6, 4), cases, HEADS, ("context", "weights"), atol=1e-4)
