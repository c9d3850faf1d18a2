"""Checks of the assignment a3_many_heads_two_sequences: the proof that two modules agree."""

import torch
from torch import nn

from classroom.checks.a3_many_heads_two_sequences.known_module import LAYERS, Right
from classroom.checks.graded import graded, table_of
from companion.checks.feedback import Mistake, close, expect

APART = "compare outputs and each head's own weights: ask theirs for average_attn_weights=False, take the larger number"


def _largest(*gaps):
    return max(gap.abs().max() for gap in gaps)


def _proof(compare=_largest, alone=False, masks=lambda mask: (mask, mask)):
    """Return a largest_difference that gives compare(gaps of the outputs, gaps of the weights).

    alone: whether it forgets the second sequence; masks: what ours and theirs get of the mask, in our meaning of True.
    """

    def largest_difference(ours, theirs, query_input, key_value_input=None, mask=None):
        memory = query_input if alone or key_value_input is None else key_value_input
        mine, other = masks(mask)
        hidden = None if other is None else ~other
        with torch.no_grad():
            output, weights = ours(query_input, memory, mask=mine)
            theirs = theirs(query_input, memory, memory, attn_mask=hidden, average_attn_weights=False)
        return compare(output - theirs[0], weights - theirs[1])

    return largest_difference


def _wrong_numbers(outputs, weights):
    """Return {fault: what it makes of the gaps between the outputs, and between the weights}."""
    return {
        APART: _largest(outputs),
        "the sign is left in: take .abs() before .max()": max(outputs.max(), weights.max()),
        "the sign is left in, of theirs less ours: take .abs() before .max()": -min(outputs.min(), weights.min()),
        "this is the average difference; take the largest": max(outputs.abs().mean(), weights.abs().mean()),
    }


right_difference = _proof()
numbers = table_of(_wrong_numbers, *torch.zeros(2, 1, 2))
COMPARISONS = {fault: _proof(compare) for fault, compare in numbers.items()}
FORGOTTEN = {"key_value_input is not used: hand it to ours, and twice to theirs": _proof(alone=True)}
CALLS = {
    "theirs got the mask as it is; there True means 'may not attend': hand over ~mask": (
        _proof(masks=lambda mask: (mask, mask if mask is None else ~mask))
    ),
    "only ours got the mask": _proof(masks=lambda mask: (mask, None)),
    "neither got the mask": _proof(masks=lambda mask: (None, None)),
}


@graded(of="largest_difference", mistakes=COMPARISONS)
def check_difference(student, draw):
    """what differs in the outputs shows, and so does what differs in one head's weights."""
    trials = [(*_pair(draw, spoil)[:3], None, None) for spoil in _spoils(draw)]
    _expect_differences(student, trials, COMPARISONS)


@graded(of="largest_difference", mistakes=FORGOTTEN)
def check_difference_cross(student, draw):
    """two sequences go the same way into both modules."""
    trials = [(*_pair(draw, spoil), None) for spoil in _spoils(draw)]
    _expect_differences(student, trials, FORGOTTEN, charged=COMPARISONS)


@graded(of="largest_difference", mistakes=CALLS)
def check_difference_mask(student, draw):
    """one mask, and each module gets it in its own meaning of True."""
    trials = []
    for spoil in _spoils(draw):
        ours, theirs, inputs, _ = _pair(draw, spoil)
        tokens = inputs.shape[1]
        # Of one length: who forgets the other sequence sees no error.
        others = draw.normal(*inputs.shape) if len(trials) % 2 else None
        mask = torch.eye(tokens, dtype=torch.bool) | (draw.normal(tokens, tokens) > 0)
        mask &= ~torch.eye(tokens, dtype=torch.bool).roll(1, 0)  # the opposite mask has no empty row, either
        trials.append((ours, theirs, inputs, others, mask))
    _expect_differences(student, trials, CALLS, COMPARISONS | FORGOTTEN)


def _spoils(draw):
    return draw.sample([None, None, "outputs", "outputs", "heads", "heads"], 6)


def _pair(draw, spoil):
    """Return a right module of ours, PyTorch's with the same weights but what is spoilt, and two sequences.

    spoil: "outputs" changes these alone; "heads" changes the order of the heads, and so their weights, but no output.
    """
    num_heads, head_dim, batch = draw.sizes(3, low=2, high=4)
    tokens, others = draw.sizes(2, low=5, high=8)  # under a mask, fewer would leave a query nothing to choose from
    size = num_heads * head_dim
    with torch.random.fork_rng(devices=[]):  # the student's own random numbers must not change
        ours, theirs = Right(size, num_heads), nn.MultiheadAttention(size, num_heads, batch_first=True)
    fresh = {name: draw.normal(*value.shape) for name, value in theirs.state_dict().items()}
    fresh = {name: value / size**0.5 if name.endswith("weight") else value for name, value in fresh.items()}
    for kind in ("weight", "bias"):
        parts = *fresh[f"in_proj_{kind}"].chunk(3), fresh[f"out_proj.{kind}"]
        ours.load_state_dict({f"{name}.{kind}": part for name, part in zip(LAYERS, parts)}, strict=False)
    if spoil == "outputs":
        fresh["out_proj.weight"] = fresh["out_proj.weight"] + draw.normal(size, size).abs() / 2
    elif spoil == "heads":
        order = torch.arange(size).view(num_heads, head_dim).roll(1, 0).flatten()
        rows = torch.cat([order, order + size, order + 2 * size])
        fresh["in_proj_weight"], fresh["in_proj_bias"] = fresh["in_proj_weight"][rows], fresh["in_proj_bias"][rows]
        fresh["out_proj.weight"] = fresh["out_proj.weight"][:, order]
    theirs.load_state_dict(fresh)
    return ours, theirs, draw.normal(batch, tokens, size), draw.normal(batch, others, size)


def _expect_differences(student, trials, wrong, charged=None):
    """Judge a number for each trial, the arguments of largest_difference.

    wrong: {fault: function}; a fault must explain all numbers, as one alone may have several causes. charged: those
    that another check charges.
    """
    given = [_number(student.call("largest_difference", *trial)) for trial in trials]
    right = [right_difference(*trial) for trial in trials]
    off = [pair for pair in zip(given, right) if not close(*pair)]
    if not off:
        return

    def explains(function):
        return all(close(number, function(*trial)) for number, trial in zip(given, trials))

    if any(map(explains, (charged or {}).values())):
        return
    for fault, function in wrong.items():
        expect(not explains(function), fault)
    number, wanted = off[0]
    pair = "agree" if wanted < 1e-5 else "differ"
    raise Mistake(f"largest_difference gives {number:.3g} for two modules that {pair}, but {wanted:.3g} was expected")


def _number(given):
    """Return what largest_difference gives, as a tensor without axes."""
    expect(given is not None, "largest_difference gives None; did you forget `return`?")
    number = torch.tensor(given, dtype=torch.float64) if type(given) in (int, float) else given
    one = isinstance(number, torch.Tensor) and number.ndim == 0
    kind = type(given).__name__
    expect(one, f"largest_difference gives a {kind}, not one number; return the number: the largest of all differences")
    return number
