"""Checks of the exercises in notebook 08 (a head that writes), and the course's own test of who looks ahead."""

import torch
from torch import nn

from companion import mistakes as known
from companion.checks.compared import compared_with
from companion.checks.feedback import expect, expect_kind
from companion.steps import of_steps
from utils import attention as course

ROUNDING = 1e-6  # an output has moved unless all its numbers stay within it, which nan does not


@compared_with(course.causal_mask, known.CAUSAL)
def check_causal_mask(causal_mask):
    """each token sees itself and what comes before it, and nothing after it."""
    yield "causal_mask(5)", (5,)
    yield "causal_mask(1)", (1,), {}


@of_steps
def _moves_with(
    read,
    inputs,
    *,
    change=lambda token: token + torch.randn(token.shape),
    moves=lambda gap: ~(gap.abs() <= ROUNDING).all(dim=-1),
    copy=torch.clone,
    positions=range,
):
    """Return which outputs of read(inputs) move with which input, (outputs, inputs)."""
    before, size = read(inputs), len(inputs)
    moved = torch.zeros(size, size, dtype=torch.bool)
    for position in positions(size):
        changed = copy(inputs)
        changed[position] = change(changed[position])
        moved[:, position] = moves(read(changed) - before)
    return moved


# The course's own `who_moves`, which draws nothing at random.
moved_outputs = _moves_with(change=lambda token: token + torch.linspace(1, 2, token.shape[-1]))


def _matrix_with(on):
    """Make a wrong answer from the right matrix."""
    return lambda read, inputs: on(moved_outputs(read, inputs))


MOVES = {  # {message: wrong who_moves}; what shows in the fewest cases comes first
    "nan > 1e-6 is False: ask which outputs stay, (... <= 1e-6).all(dim=-1), and turn that round with ~": _moves_with(
        moves=lambda gap: (gap.abs() > ROUNDING).any(-1)
    ),
    "the last digit is rounding: ask for more than 1e-6": _moves_with(moves=lambda gap: (gap != 0).any(-1)),
    "what is added to all features is lost with the mean: add torch.randn": _moves_with(change=lambda token: token + 1),
    "small moves are missed: compare with 1e-6": _moves_with(moves=lambda gap: (gap.abs() > 1e-2).any(-1)),
    "one moving feature is lost in a mean: look at each": _moves_with(moves=lambda gap: gap.abs().mean(-1) > ROUNDING),
    "differences cancel in a sum or a mean: look at each": _moves_with(moves=lambda gap: gap.sum(-1).abs() > ROUNDING),
    "only what grows counts as moved: take .abs() of the gap": _moves_with(moves=lambda gap: (gap > ROUNDING).any(-1)),
    "a row of zeros stays as it is when it is multiplied: add to it": _moves_with(change=lambda token: token * 2),
    "each change stays: change a new inputs.clone()": lambda read, x: _moves_with(copy=lambda kept: kept)(
        read, x.clone()
    ),
    "rows and columns are exchanged: entry (i, j) says if output i moves with input j": _matrix_with(torch.t),
    "True and False are exchanged: True means that the output moves": _matrix_with(torch.logical_not),
    "only the changed token's output is compared": _matrix_with(lambda moved: moved & torch.eye(len(moved)).bool()),
    "only one input is changed: change each in turn": _moves_with(positions=lambda size: [0]),
}
# Which output reads which input, (outputs, inputs): neither symmetric nor causal
READ_WEIGHTS = torch.tensor([[1, 0, 0, 0, 0], [0, 0, 1, 0, 0], [0, 1, 1, 0, 0], [0, 0, 0, 0, 0], [1, 0, 1, 0, 1]]) * 1.0


@compared_with(moved_outputs, MOVES)
def check_who_moves(who_moves):
    """every input was changed, every output was looked at, and nothing stayed changed."""
    start, rising, steady = torch.randn(5, 4), torch.randn(4, 1), torch.randn(4, 1)
    matrix = torch.cat([rising, -rising, steady], dim=1) / 2  # what moves goes up in one feature, down in another

    def mixed(inputs):
        return READ_WEIGHTS @ (inputs @ matrix)

    def shrinking(inputs):
        return -(READ_WEIGHTS @ (inputs - start).square().sum(dim=-1, keepdim=True))

    cases = {
        "": mixed,
        ", for outputs that only shrink,": shrinking,
        ", for features that move in opposite directions,": lambda x: mixed(x)[:, :1] * torch.tensor([1.0, -1]),
        ", for outputs of a thousandth,": lambda x: mixed(x) / 1000,
        ", for a last of many features that moves,": lambda x: nn.functional.pad(mixed(x)[:, -1:] / 30, (299_999, 0)),
        ", for outputs that become nan,": lambda x: shrinking(x).sqrt(),
        ", for inputs less the mean of their features,": lambda x: mixed(x - x.mean(dim=-1, keepdim=True)),
        ", with rounding errors,": lambda x: mixed(x).tanh() / 50 + 2e-7 * x.sum().sin(),
    }
    for about, read in cases.items():
        yield f"who_moves{about}", (read, start)
    yield "who_moves, with a row of zeros,", (mixed, start.index_fill(0, torch.tensor([2]), 0.0))


@of_steps
def _letters_with(
    logits,
    temperature,
    *,
    last=lambda logits: logits[:, -1],
    divide=torch.div,
    sample=lambda shares: torch.multinomial(shares, 1),
):
    """Draw what comes next by logits (words, letters, 27), as ids (words, 1)."""
    return sample(divide(last(logits), temperature).softmax(dim=-1))


drawn_letters = _letters_with()  # the course's own `next_letter`
SHARES_GIVEN = "these are shares: draw a letter by them, with torch.multinomial"
LAST_WORD = "these are the logits of the last word: take those of the last position, logits[:, -1]"
ONE_EACH = "multinomial(shares, 1) gives (words, 1), which can be appended: leave it as it is"
SAMPLES = {  # {message: wrong next_letter}
    "the likeliest letter is taken each time: draw, with torch.multinomial": _letters_with(
        sample=lambda shares: shares.argmax(dim=-1, keepdim=True)
    ),
    "the temperature changes nothing: divide the logits by it, before softmax": _letters_with(
        divide=lambda logits, _: logits
    ),
    "the temperature is a fixed number: divide by the one that is given": _letters_with(
        divide=lambda logits, _: logits / 0.5
    ),
    "the logits are multiplied by the temperature: divide them": _letters_with(divide=torch.mul),
    "these are the logits of the first position: take those of the last, logits[:, -1]": _letters_with(
        lambda x: x[:, 0]
    ),
    LAST_WORD: _letters_with(lambda x: x[-1]),
    ONE_EACH: _letters_with(sample=lambda shares: torch.multinomial(shares, 1)[:, 0]),
    SHARES_GIVEN: _letters_with(sample=lambda shares: shares),
}
STOPS = {
    "element < 0": "a share cannot be negative: softmax comes before the draw. {error}",
    "prob_dist must be": "multinomial reads one row for each word: first take the last position, logits[:, -1]",
}
NUM_KINDS = 2  # of words, which take turns: each has its own logits


def _shares_with(answer):
    """Return a function that counts how often an answer draws each id for each kind of word, as shares (kinds, ids)."""

    def shares(logits, temperature):
        ids = answer(logits, temperature)
        expect_kind(ids, torch.Tensor, "next_letter", "a tensor")
        expect(not ids.is_floating_point(), SHARES_GIVEN)
        expect(ids.shape != logits.shape[:1], ONE_EACH)
        expect(ids.shape != (logits.shape[1], 1), LAST_WORD)
        shape, wanted = tuple(ids.shape), (len(logits), 1)
        expect(shape == wanted, f"next_letter gives shape {shape}, but {wanted} was expected, one id for each word")
        counts = nn.functional.one_hot(ids[:, 0], logits.shape[-1]).double()
        return counts.unflatten(0, (-1, NUM_KINDS)).mean(dim=0)

    return shares


def _shares(logits, temperature):
    return (logits[:NUM_KINDS, -1] / temperature).softmax(dim=-1).double()


@compared_with(_shares, SAMPLES, STOPS, atol=0.06, wrap=_shares_with)
def check_next_letter(next_letter):
    """it draws by the shares of the last position, in each word by its own."""
    logits = torch.tensor([[[4.0, 0, 1], [0, 1, -1]], [[0.0, 3, 0], [1, -1, 0]]])  # (kinds, letters, ids)
    for temperature in (0.5, 1.5):
        doing = f"what next_letter draws for 4,000 words at a temperature of {temperature}"
        yield doing, (logits.repeat(2_000, 1, 1), temperature)
