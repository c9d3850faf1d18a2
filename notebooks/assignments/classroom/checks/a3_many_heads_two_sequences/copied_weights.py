"""Checks of the assignment a3_many_heads_two_sequences: copies into PyTorch's module."""

import itertools

import torch

from classroom.checks.a3_many_heads_two_sequences.known_module import LAYERS, MODULE
from classroom.checks.graded import graded, load_projections, make_module, uses
from companion.checks.feedback import close, expect, expect_tensor

ORDERS = {"query, value, key": (0, 2, 1), "key, query, value": (1, 0, 2), "value, key, query": (2, 1, 0)}


@graded
def check_copy_in(student, draw):
    """query, key and value stand in in_proj_weight and in_proj_bias, in this order."""
    before, after, layers, shared = _copied(student, draw)
    matrices, biases = zip(*(layers[name] for name in LAYERS[:3]))
    parts = [matrix.T for matrix in matrices]  # PyTorch's layers keep (out, in)
    mistakes = {"in_proj_weight is unchanged: copy the numbers of ours into theirs": before["in_proj_weight"]}
    for turned in itertools.product((True, False), repeat=3):
        names = ", ".join(itertools.compress(LAYERS, turned))
        message = f"the weights are transposed ({names}); in_proj_weight stacks what the layers keep, (out, in)"
        mistakes[message] = torch.cat([part.T if turn else part for part, turn in zip(parts, turned)])
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


def remarks(sources):
    """Note a module that is PyTorch's own: the proof compares with that one."""
    return uses(sources, MODULE, r"\b(?:nn\.)?MultiheadAttention\b|\bmulti_head_attention_forward\b")


def _copied(student, draw):
    """Return the values of PyTorch's module before and after the copy, ours as (in, out) and bias, and what is shared.

    Shared are the names in PyTorch's module whose numbers change when ours get others after the copy.
    """
    num_heads, head_dim = draw.sizes(2, low=2, high=5)
    size = num_heads * head_dim
    ours = make_module(student, MODULE, size, num_heads)
    layers = load_projections(ours, draw, dict.fromkeys(LAYERS, (size, size)))
    theirs = student.make("torch.nn.MultiheadAttention", size, num_heads, batch_first=True)
    theirs.load({name: draw.normal(*value.shape) for name, value in theirs.values().items()})
    kept, before = ours.values(), theirs.values()
    student.call("copy_weights_to_torch", ours, theirs)
    changed = [name for name, value in ours.values().items() if not torch.equal(value, kept[name])]
    expect(not changed, f"{', '.join(changed)} of ours changed: copy from ours into theirs")
    after = theirs.values()
    load_projections(ours, draw, dict.fromkeys(LAYERS, (size, size)))
    shared = [name for name, value in theirs.values().items() if name in after and not close(value, after[name])]
    return before, after, layers, shared


def _expect_apart(shared, layer):
    shared = [name for name in shared if name.startswith(layer)]
    expect(not shared, f"theirs shares numbers with ours: copy them ({', '.join(shared)})")


def _wrong_order(name):
    return f"the order is {name}; PyTorch's is query, key, value"
