"""Checks of the assignment a3_many_heads_two_sequences: the proof that two modules agree."""

import torch
from torch import nn

from classroom.checks.a3_many_heads_two_sequences.known_module import LAYERS
from classroom.checks.graded import graded
from companion.checks.feedback import Mistake, close, expect
from utils.attention import MultiHeadAttention

APART = "compare outputs and each head's own weights: ask theirs for average_attn_weights=False, take the larger number"
SIGN = "the sign is left in: take .abs() before .max()"
SUM = "this is the sum of two differences; take the larger"
WEIGHTS = "only the weights are compared; the outputs belong to it"
AVERAGE = "this is the average difference; take the largest"
SMALLER = "this is the smaller one of two differences; take the larger"
RELATIVE = "this is relative: it stays as it is where all differences grow tenfold; divide by nothing"
SQUARES = "these are squares: where all differences grow tenfold, it grows a hundredfold; take .abs() in place of them"
ALONE = "key_value_input is not used: hand it to ours, and twice to theirs"
COMPARISONS = APART, SIGN, SUM, WEIGHTS, AVERAGE, SMALLER
SAME = object()


class Ours(nn.Module):
    """A right module, called as the assignment's."""

    def __init__(self, d_model, num_heads):
        super().__init__()
        self.inner = MultiHeadAttention(d_model, num_heads)

    def forward(self, query_input, key_value_input=None, mask=None):
        return self.inner(query_input, key_value_input, mask=mask, need_weights=True)


class Louder(nn.Module):
    """Another module, whose results are ten times as large."""

    def __init__(self, module):
        super().__init__()
        self.module = module

    def forward(self, *args, **kwargs):
        return tuple(10 * part for part in self.module(*args, **kwargs))


@graded
def check_difference(student, draw):
    """what differs in the outputs shows, and so does what differs in one head's weights."""
    spoils = [None, None, "out_proj.bias", "out_proj.weight", "in_proj_bias", "one head", "exchanged", "exchanged"]
    trials = []
    for spoil in draw.sample(spoils, len(spoils)):
        ours, theirs, inputs, _ = _pair(draw, spoil)
        right, faults = _differences(ours, theirs, inputs)
        trials.append(((ours, theirs, inputs, None, None), right, faults))
    _expect_differences(student, trials)


@graded
def check_difference_cross(student, draw):
    """two sequences go the same way into both modules."""
    trials = []
    for spoil in draw.sample([None, None, "one head", "out_proj.weight"], 4):
        ours, theirs, inputs, others = _pair(draw, spoil)
        right, faults = _differences(ours, theirs, inputs, others)
        faults |= {ALONE: [_differences(ours, theirs, inputs)[0]]}
        trials.append(((ours, theirs, inputs, others, None), right, faults))
    _expect_differences(student, trials, elsewhere=COMPARISONS)


@graded
def check_difference_mask(student, draw):
    """one mask, and each module gets it in its own meaning of True."""
    _expect_masked_differences(student, draw, "")
    _expect_masked_differences(student, draw, "with two sequences, ")


def _expect_masked_differences(student, draw, across):
    trials = []
    for spoil in draw.sample([None, None, "one head", "exchanged"], 4):
        ours, theirs, inputs, _ = _pair(draw, spoil)
        tokens = inputs.shape[1]
        others = draw.normal(*inputs.shape) if across else None  # of one length: who forgets them meets no error here
        mask = torch.eye(tokens, dtype=torch.bool) | (draw.normal(tokens, tokens) > 0)
        mask &= ~torch.eye(tokens, dtype=torch.bool).roll(1, 0)  # so that the opposite mask has no empty row, either
        right, faults = _differences(ours, theirs, inputs, others, mask)
        calls = {
            "theirs got the mask as it is; there True means 'may not attend': hand over ~mask": (mask, ~mask),
            "only ours got the mask": (mask, None),
            "only theirs got the mask": (None, mask),
            "neither got the mask": (None, None),
        }
        for fault, (mine, other) in calls.items():
            faults[across + fault] = [_differences(ours, theirs, inputs, others, mine, other)[0]]
        faults[ALONE] = [_differences(ours, theirs, inputs, mask=mask)[0]]
        trials.append(((ours, theirs, inputs, others, mask), right, faults))
    _expect_differences(student, trials, elsewhere=(*COMPARISONS, ALONE))


def _pair(draw, spoil):
    """Return a right module of ours, PyTorch's with the same weights but what is spoilt, and two sequences."""
    num_heads, head_dim, batch = draw.sizes(3, low=2, high=4)
    tokens, others = draw.sizes(2, low=5, high=8)  # under a mask, fewer would leave a query nothing to choose from
    size = num_heads * head_dim
    with torch.random.fork_rng(devices=[]):  # the student's own random numbers must not change
        ours, theirs = Ours(size, num_heads), nn.MultiheadAttention(size, num_heads, batch_first=True)
    fresh = {name: draw.normal(*value.shape) for name, value in theirs.state_dict().items()}
    fresh = {name: value / size**0.5 if name.endswith("weight") else value for name, value in fresh.items()}
    weights, biases = fresh["in_proj_weight"].chunk(3), fresh["in_proj_bias"].chunk(3)
    state = {f"{name}.weight": weight for name, weight in zip(LAYERS, (*weights, fresh["out_proj.weight"]))}
    state |= {f"{name}.bias": bias for name, bias in zip(LAYERS, (*biases, fresh["out_proj.bias"]))}
    ours.inner.load_state_dict(state)
    theirs.load_state_dict(_spoilt(fresh, spoil, draw, num_heads, head_dim))
    return ours, theirs, draw.normal(batch, tokens, size), draw.normal(batch, others, size)


def _spoilt(state, spoil, draw, num_heads, head_dim):
    """Return PyTorch's state, spoilt in one place. "exchanged" changes the order of the heads, but no output."""
    state = {name: value.clone() for name, value in state.items()}
    size = num_heads * head_dim
    if spoil == "one head":
        start = draw.randrange(num_heads) * head_dim  # a row of W_query
        state["in_proj_weight"][start : start + head_dim] += draw.normal(head_dim, size) / size**0.5
    elif spoil == "exchanged":
        order = torch.arange(size).view(num_heads, head_dim).roll(1, 0).flatten()
        rows = torch.cat([order, order + size, order + 2 * size])
        state["in_proj_weight"], state["in_proj_bias"] = state["in_proj_weight"][rows], state["in_proj_bias"][rows]
        state["out_proj.weight"] = state["out_proj.weight"][:, order]
    elif spoil == "in_proj_bias":
        state[spoil][2 * size :] += draw.normal(size)  # of the values: a bias of the keys changes nothing
    elif spoil is not None:
        state[spoil] += draw.normal(*state[spoil].shape).abs() / 2
    return state


def _differences(ours, theirs, inputs, others=None, mask=None, their_mask=SAME):
    """Return the right answer, and {fault: what its forms give}. their_mask: if theirs gets another."""
    their_mask = mask if their_mask is SAME else their_mask
    memory = inputs if others is None else others
    with torch.no_grad():
        output, weights = ours(inputs, others, mask=mask)
        hidden = None if their_mask is None else ~their_mask
        their_output, maps = theirs(inputs, memory, memory, attn_mask=hidden, average_attn_weights=False)
    gaps = output - their_output, weights - maps
    outputs, per_head = (gap.abs().max() for gap in gaps)
    return max(outputs, per_head), {
        APART: [outputs, max(outputs, gaps[1].mean(1).abs().max())],
        SIGN: [max(gap.max() for gap in gaps), max((-gap).max() for gap in gaps)],
        WEIGHTS: [per_head],
        SUM: [outputs + per_head],
        AVERAGE: [max(gap.abs().mean() for gap in gaps)],
        SMALLER: [min(outputs, per_head)],
    }


def _expect_differences(student, trials, elsewhere=()):
    """Judge a number for each trial: (arguments, right, {fault: what its forms give}).

    A cause must explain all numbers, as one alone may have several. Those in `elsewhere` are charged by another check.
    """
    given = [_number(student.call("largest_difference", *arguments)) for arguments, _, _ in trials]
    wrong = [(number, right) for number, (_, right, _) in zip(given, trials) if not close(number, right)]
    if not wrong:
        return
    forms = [(fault, form) for fault, numbers in trials[0][2].items() for form in range(len(numbers))]
    known = [
        fault
        for fault, form in forms
        if all(close(number, faults[fault][form]) for number, (_, _, faults) in zip(given, trials))
    ]
    if not any(fault in elsewhere for fault in known):
        if not known:
            _expect_growth(student, trials, given)
        number, right = wrong[0]
        pair = "agree" if right < 1e-5 else "differ"
        values = f"gives {number:.3g} for two modules that {pair}, but {right:.3g} was expected"
        raise Mistake(known[0] if known else f"largest_difference {values}")


def _expect_growth(student, trials, given):
    """Name a number that does not grow as the differences do."""
    number, (ours, theirs, *others) = next(
        (number, arguments) for number, (arguments, right, _) in zip(given, trials) if right > 1e-3
    )
    louder = _number(student.call("largest_difference", Louder(ours), Louder(theirs), *others))
    for factor, fault in ((1, RELATIVE), (100, SQUARES)):
        expect(number == 0 or not torch.isclose(louder.double(), factor * number.double(), rtol=1e-2), fault)


def _number(given):
    """Return what largest_difference gives, as a tensor without axes."""
    expect(given is not None, "largest_difference gives None; did you forget `return`?")
    expect(type(given) is not bool, "largest_difference gives True or False; return the number")
    number = torch.tensor(given, dtype=torch.float64) if type(given) in (int, float) else given
    one = isinstance(number, torch.Tensor) and number.ndim == 0
    expect(one, "largest_difference does not give one number; return the largest of all differences")
    return number
