"""Checks of the assignment a3_many_heads_two_sequences: copies into PyTorch's module, and the proof."""

import torch
from torch import nn

from utils.attention import MultiHeadAttention
from utils.checks.a3_heads import LAYERS, make_module, same
from utils.checks.feedback import expect, expect_tensor
from utils.checks.graded import graded, load_projections

ORDERS = {"query, value, key": (0, 2, 1), "key, query, value": (1, 0, 2), "value, key, query": (2, 1, 0)}
APART = "compare outputs and each head's own weights: ask theirs for average_attn_weights=False, take the larger number"
SIGN = "the sign is left in: take .abs() before .max()"
SUM = "this is the sum of two differences; take the larger"
SAME = object()


@graded
def check_copy_in(student, draw):
    """query, key and value stand in in_proj_weight and in_proj_bias, in this order."""
    before, after, layers, shared = _copied(student, draw)
    matrices, biases = zip(*(layers[name] for name in LAYERS[:3]))
    parts = [matrix.T for matrix in matrices]  # PyTorch's layers keep (out, in)
    transposed = "the weights are transposed; in_proj_weight stacks what the layers keep, (out, in)"
    mistakes = {
        "in_proj_weight is unchanged: copy the numbers of ours into theirs": before["in_proj_weight"],
        transposed: torch.cat(matrices),
    }
    mistakes |= {_wrong_order(name): torch.cat([parts[i] for i in order]) for name, order in ORDERS.items()}
    expect_tensor(after.get("in_proj_weight"), torch.cat(parts), "in_proj_weight after the copy", mistakes)
    mistakes = {"in_proj_bias is unchanged: the biases of query, key and value go there": before["in_proj_bias"]}
    mistakes |= {_wrong_order(name): torch.cat([biases[i] for i in order]) for name, order in ORDERS.items()}
    expect_tensor(after.get("in_proj_bias"), torch.cat(biases), "in_proj_bias after the copy", mistakes)
    _expect_apart(shared, "in_proj")


@graded
def check_copy_out(student, draw):
    """W_output is out_proj."""
    before, after, layers, shared = _copied(student, draw)
    matrix, bias = layers["W_output"]
    mistakes = {
        "out_proj.weight is unchanged: W_output goes there": before["out_proj.weight"],
        "out_proj.weight is transposed; both keep (out, in)": matrix,
    }
    expect_tensor(after.get("out_proj.weight"), matrix.T, "out_proj.weight after the copy", mistakes)
    mistakes = {"out_proj.bias is unchanged: the bias of W_output goes there": before["out_proj.bias"]}
    expect_tensor(after.get("out_proj.bias"), bias, "out_proj.bias after the copy", mistakes)
    _expect_apart(shared, "out_proj")


def _copied(student, draw):
    """Return the values of PyTorch's module before and after the copy, ours as (in, out) and bias, and what is shared.

    Shared are the names in PyTorch's module whose numbers change when ours get others after the copy.
    """
    num_heads, head_dim = draw.sizes(2, low=2, high=5)
    size = num_heads * head_dim
    ours = make_module(student, size, num_heads)
    layers = load_projections(ours, draw, dict.fromkeys(LAYERS, (size, size)))
    theirs = student.make("torch.nn.MultiheadAttention", size, num_heads, batch_first=True)
    theirs.load({name: draw.normal(*value.shape) for name, value in theirs.values().items()})
    kept, before = ours.values(), theirs.values()
    student.call("copy_weights_to_torch", ours, theirs)
    changed = [name for name, value in ours.values().items() if not torch.equal(value, kept[name])]
    expect(not changed, f"{', '.join(changed)} of ours changed: copy from ours into theirs")
    after = theirs.values()
    load_projections(ours, draw, dict.fromkeys(LAYERS, (size, size)))
    shared = [name for name, value in theirs.values().items() if name in after and not same(value, after[name])]
    return before, after, layers, shared


def _expect_apart(shared, layer):
    shared = [name for name in shared if name.startswith(layer)]
    expect(not shared, f"theirs shares numbers with ours: copy them ({', '.join(shared)})")


def _wrong_order(name):
    return f"the order is {name}; PyTorch's is query, key, value"


class Ours(nn.Module):
    """A right module, called as the assignment's."""

    def __init__(self, d_model, num_heads):
        super().__init__()
        self.inner = MultiHeadAttention(d_model, num_heads)

    def forward(self, query_input, key_value_input=None, mask=None):
        return self.inner(query_input, key_value_input, mask=mask, need_weights=True)


@graded
def check_difference(student, draw):
    """what differs in the outputs shows, and so does what differs in one head's weights."""
    spoils = [None, None, "out_proj.bias", "out_proj.weight", "in_proj_bias", "one head", "exchanged", "exchanged"]
    for spoil in draw.sample(spoils, len(spoils)):
        ours, theirs, inputs, _ = _pair(draw, spoil)
        _expect_difference(student, ours, theirs, inputs)


@graded
def check_difference_cross(student, draw):
    """two sequences go the same way into both modules."""
    for spoil in draw.sample([None, None, "one head", "out_proj.weight"], 4):
        ours, theirs, inputs, others = _pair(draw, spoil)
        alone = _differences(ours, theirs, inputs)[0]
        mistakes = {"key_value_input is not used: hand it to ours, and twice to theirs": alone}
        _expect_difference(student, ours, theirs, inputs, others, mistakes=mistakes)


@graded
def check_difference_mask(student, draw):
    """one mask, and each module gets it in its own meaning of True."""
    for spoil in draw.sample([None, None, "one head", "exchanged"], 4):
        ours, theirs, inputs, _ = _pair(draw, spoil)
        tokens = inputs.shape[1]
        mask = torch.eye(tokens, dtype=torch.bool) | (draw.normal(tokens, tokens) > 0)
        mask &= ~torch.eye(tokens, dtype=torch.bool).roll(1, 0)  # so that the opposite mask has no empty row, either
        mistakes = {
            "theirs got the mask as it is; there True means 'may not attend': hand over ~mask": _differences(
                ours, theirs, inputs, mask=mask, their_mask=~mask
            )[0],
            "only ours got the mask": _differences(ours, theirs, inputs, mask=mask, their_mask=None)[0],
            "only theirs got the mask": _differences(ours, theirs, inputs, mask=None, their_mask=mask)[0],
            "neither got the mask": _differences(ours, theirs, inputs)[0],
        }
        _expect_difference(student, ours, theirs, inputs, mask=mask, mistakes=mistakes)


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
    """Return the right answer, and [(fault, what it gives)]. their_mask: if theirs gets another; True = may attend."""
    their_mask = mask if their_mask is SAME else their_mask
    memory = inputs if others is None else others
    with torch.no_grad():
        output, weights = ours(inputs, others, mask=mask)
        hidden = None if their_mask is None else ~their_mask
        their_output, maps = theirs(inputs, memory, memory, attn_mask=hidden, average_attn_weights=False)
    gaps = output - their_output, weights - maps
    outputs, per_head = (gap.abs().max() for gap in gaps)
    return max(outputs, per_head), [
        (APART, outputs),
        (APART, max(outputs, gaps[1].mean(1).abs().max())),
        (SIGN, max(gap.max() for gap in gaps)),
        (SIGN, max((-gap).max() for gap in gaps)),
        ("only the weights are compared; the outputs belong to it", per_head),
        (SUM, outputs + per_head),
        ("this is the average difference; take the largest", max(gap.abs().mean() for gap in gaps)),
        ("this is the smaller one of two differences; take the larger", min(outputs, per_head)),
    ]


def _expect_difference(student, ours, theirs, inputs, others=None, mask=None, mistakes=None):
    """Judge one number. With mistakes, it is about the call: what is compared is charged by check_difference alone."""
    given = student.call("largest_difference", ours, theirs, inputs, others, mask)
    expect(type(given) is not bool, "largest_difference gives True or False; return the number")
    pair = isinstance(given, (tuple, list)) or isinstance(given, torch.Tensor) and given.numel() == 2
    expect(not pair, "largest_difference gives several numbers; return one number, the larger of the two")
    if type(given) in (int, float):
        given = torch.tensor(given, dtype=torch.float64)
    right, faults = _differences(ours, theirs, inputs, others, mask)
    if mistakes is not None:
        if any(same(given, number) for fault, number in faults if fault in (APART, SIGN, SUM)):
            return
        faults = [*mistakes.items(), *faults]
    found = dict.fromkeys(fault for fault, number in faults if same(given, number))  # a number may have two causes
    doing = "largest_difference of modules that agree" if right < 1e-5 else "largest_difference of modules that differ"
    expect_tensor(given, right, doing, {" - or: ".join(found): given} if found else {})
