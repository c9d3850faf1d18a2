"""Checks of the exercises in notebook 11 (order): a test of modules, sinusoidal encodings, and a rotary head."""

import torch

from companion import mistakes as known
from companion.checks.angles import FITTING, TURNS, WAVES
from companion.checks.compared import compared_with
from companion.checks.exercise import exercise
from companion.checks.feedback import IN_PLACE, Mistake, expect, expect_kind, expect_like, explained
from companion.checks.modules import built, twins
from companion.steps import forward_of_steps
from companion.worlds.which_minute.two_clues import RotaryHead as Rotary
from utils.attention import SelfAttention, attention, padding_mask
from utils.positions import alibi, rotate, sinusoidal

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


@compared_with(sinusoidal, WAVES, {"must match": FITTING}, atol=1e-4)
def check_waves(waves):
    """position 0 is 0, 1, 0, 1, and each pair is slower than the one before."""
    for sizes in ((7, 4), (40, 6)):  # with room for large angles in single precision
        yield "waves({}, {})".format(*sizes), sizes


@compared_with(rotate, TURNS, {"must match": f"the tokens are features.shape[-2]; {FITTING}"}, atol=1e-4)
def check_turn(turn):
    """each pair turns with the position, a slower one for each pair, and no vector gets longer."""
    for shape in ((2, 3, 5, 6), (7, 4)):
        yield f"turn, for features {shape},", (torch.randn(shape),)


def _keep(features):
    return features


@forward_of_steps(SelfAttention)
def _head_with(self, inputs, mask=None, *, turns=(rotate, rotate, _keep), before=(_keep,) * 3, mask_of=_keep):
    layers = self.W_query, self.W_key, self.W_value
    projections = (turn(layer(first(inputs))) for turn, layer, first in zip(turns, layers, before))
    return attention(*projections, mask_of(mask))


EARLY = "the inputs are turned, and then the matrix mixes what belongs to a pair: turn what it gives"
ALSO = "the inputs are turned, too: turn only what the matrices give, query and key"


HEADS = {  # {message: wrong RotaryHead}
    "nothing is turned: turn query and key": _head_with((_keep,) * 3),
    "the keys are not turned: only if both are turned does a score show their distance": _head_with(
        (rotate, _keep, _keep)
    ),
    "the queries are not turned: only if both are turned does a score show their distance": _head_with(
        (_keep, rotate, _keep)
    ),
    "the values are turned, too: only query and key meet in a score": _head_with((rotate, rotate, rotate)),
    f"{EARLY}, turned(self.W_query(inputs)), and the value not at all": _head_with((_keep,) * 3, (rotate,) * 3),
    f"{EARLY}, turned(self.W_query(inputs)), and the key likewise": _head_with((_keep,) * 3, (rotate, rotate, _keep)),
    ALSO: _head_with(before=(rotate,) * 3),
    known.IGNORED: _head_with(mask_of=lambda mask: None),
}


@exercise(mistakes=HEADS)
def check_rotary_head(RotaryHead):
    """query and key are turned by their positions, and the values are not."""
    head, right = built(RotaryHead, "RotaryHead", 6, 4), Rotary(6, 4)
    right.load_state_dict(head.state_dict())
    inputs = torch.randn(3, 7, 6)
    for doing, case in {"with a mask": (inputs, padding_mask([7, 4, 5], 7)), "without one": (inputs,)}.items():
        wrong = twins(HEADS, right, 6, 4)
        expect_like(head, right, case, f"the head {doing}", wrong, ("context", "weights"), atol=1e-4)
