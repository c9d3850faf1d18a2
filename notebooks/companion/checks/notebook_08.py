"""Checks of the exercises in notebook 08 (a head that writes), and the course's own test of who looks ahead."""

import torch
from torch import nn

from companion import mistakes as known
from companion.checks.compared import compared_with
from companion.checks.feedback import expect, expect_kind
from utils.attention import causal_mask

ROUNDING = 1e-6  # an output has moved unless all its numbers stay within it, which nan does not


@compared_with(causal_mask, known.CAUSAL)
def check_causal_mask(causal_mask):
    """each token sees itself and what comes before it, and nothing after it."""
    yield "causal_mask(5)", (5,)
    yield "causal_mask(1)", (1,), {}


def moved_outputs(read, inputs):
    """Return which outputs of read(inputs) move with which input, (outputs, inputs): the course's own `who_moves`."""
    before, size = read(inputs), len(inputs)
    moved = torch.zeros(size, size, dtype=torch.bool)
    for position in range(size):
        changed = inputs.clone()
        changed[position] += torch.linspace(1, 2, inputs.shape[-1])  # which draws nothing at random
        gap = read(changed) - before
        moved[:, position] = ~(gap.abs() <= ROUNDING).all(-1)
    return moved


MOVED = "~(gap.abs() <= ROUNDING).all(-1)"
ADDED = "+= torch.linspace(1, 2, inputs.shape[-1])"
MOVES = {  # {message: what a wrong who_moves has instead}; what shows in the fewest cases comes first
    "nan > 1e-6 is False: ask which outputs stay, (... <= 1e-6).all(dim=-1), and turn that round with ~": {
        MOVED: "(gap.abs() > ROUNDING).any(-1)"
    },
    "the last digit is rounding: ask for more than 1e-6": {MOVED: "(gap != 0).any(-1)"},
    "what is added to all features is lost with the mean: add torch.randn": {ADDED: "+= 1"},
    "small moves are missed: compare with 1e-6": {MOVED: "(gap.abs() > 1e-2).any(-1)"},
    "one moving feature is lost in a mean: look at each": {MOVED: "gap.abs().mean(-1) > ROUNDING"},
    "differences cancel in a sum or a mean: look at each": {MOVED: "gap.sum(-1).abs() > ROUNDING"},
    "only what grows counts as moved: take .abs() of the gap": {MOVED: "(gap > ROUNDING).any(-1)"},
    "a row of zeros stays as it is when it is multiplied: add to it": {ADDED: "*= 2"},
    "each change stays: change a new inputs.clone()": {
        "changed = inputs.clone()": "changed = inputs",
        "len(inputs)": "len(inputs := inputs.clone())",
    },
    "rows and columns are exchanged: entry (i, j) says if output i moves with input j": {"[:, position]": "[position]"},
    "True and False are exchanged: True means that the output moves": {"return moved": "return ~moved"},
    "only the changed token's output is compared": {"return moved": "return moved & torch.eye(size).bool()"},
    "only one input is changed: change each in turn": {"range(size)": "[0]"},
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


def drawn_letters(logits, temperature):
    """Draw what comes next by logits (words, letters, 27), as ids (words, 1): the course's own `next_letter`."""
    shares = (logits[:, -1] / temperature).softmax(dim=-1)
    return torch.multinomial(shares, 1)


DRAWN = "torch.multinomial(shares, 1)"
SHARES_GIVEN = "these are shares: draw a letter by them, with torch.multinomial"
LAST_WORD = "these are the logits of the last word: take those of the last position, logits[:, -1]"
ONE_EACH = "multinomial(shares, 1) gives (words, 1), which can be appended: leave it as it is"
SAMPLES = {  # {message: what a wrong next_letter has instead}
    "the likeliest letter is taken each time: draw, with torch.multinomial": {DRAWN: "shares.argmax(-1, keepdim=True)"},
    "the temperature changes nothing: divide the logits by it, before softmax": {"/ temperature": "/ 1"},
    "the temperature is a fixed number: divide by the one that is given": {"/ temperature": "/ 0.5"},
    "the logits are multiplied by the temperature: divide them": {"/ temperature": "* temperature"},
    "these are the logits of the first position: take those of the last, logits[:, -1]": {"[:, -1]": "[:, 0]"},
    LAST_WORD: {"[:, -1]": "[-1]"},
    ONE_EACH: {DRAWN: f"{DRAWN}[:, 0]"},
    SHARES_GIVEN: {DRAWN: "shares"},
}
STOPS = {
    "element < 0": "a share cannot be negative: softmax comes before the draw. {error}",
    "prob_dist must be": "multinomial reads one row for each word: first take the last position, logits[:, -1]",
}
NUM_KINDS = 2  # of words, which take turns: each has its own logits


def _count(answer, logits, temperature):
    """Return how often an answer draws each id for each kind of word, as shares (kinds, ids)."""
    ids = answer(logits, temperature)
    expect_kind(ids, torch.Tensor, "next_letter", "a tensor")
    expect(not ids.is_floating_point(), SHARES_GIVEN)
    expect(ids.shape != logits.shape[:1], ONE_EACH)
    expect(ids.shape != (logits.shape[1], 1), LAST_WORD)
    shape, wanted = tuple(ids.shape), (len(logits), 1)
    expect(shape == wanted, f"next_letter gives shape {shape}, but {wanted} was expected, one id for each word")
    counts = (ids == torch.arange(logits.shape[-1])).double()  # an id that is none of them counts nowhere
    return counts.unflatten(0, (-1, NUM_KINDS)).mean(dim=0)


def _shares(logits, temperature):
    return (logits[:NUM_KINDS, -1] / temperature).softmax(dim=-1).double()


@compared_with(drawn_letters, SAMPLES, STOPS, atol=0.06, measure=_count, truth=_shares)
def check_next_letter(next_letter):
    """it draws by the shares of the last position, in each word by its own."""
    logits = torch.tensor([[[4.0, 0, 1], [0, 1, -1]], [[0.0, 3, 0], [1, -1, 0]]])  # (kinds, letters, ids)
    for temperature in (0.5, 1.5):
        doing = f"what next_letter draws for 4,000 words at a temperature of {temperature}"
        yield doing, (logits.repeat(2_000, 1, 1), temperature)
