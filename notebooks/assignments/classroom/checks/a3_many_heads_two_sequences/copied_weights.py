"""Checks of the assignment a3_many_heads_two_sequences: copies into PyTorch's module."""

import itertools

import torch

from classroom.checks.a3_many_heads_two_sequences.known_module import LAYERS, MODULE
from classroom.checks.graded import graded, load_projections, make_module, uses
from companion.checks.feedback import close, expect, expect_tensor


@graded
def check_copy_in(student, draw):
    """query, key and value stand in in_proj_weight and in_proj_bias, in this order."""
    layers, *copied = _copied(student, draw)
    matrices, biases = zip(*(layers[name] for name in LAYERS[:3]))
    weights = [matrix.T for matrix in matrices]  # PyTorch's layers keep (out, in)
    turned = {"the weights are transposed; both modules keep (out, in)": torch.cat(matrices)}
    _expect_copied(*copied, "in_proj_weight", torch.cat(weights), turned | _reordered(weights))
    _expect_copied(*copied, "in_proj_bias", torch.cat(biases), _reordered(biases))


def _reordered(parts):
    named = dict(zip(("query", "key", "value"), parts))
    return {
        f"the order is {', '.join(order)}; PyTorch's is query, key, value": torch.cat([named[name] for name in order])
        for order in itertools.permutations(named)
    }


@graded
def check_copy_out(student, draw):
    """W_output is out_proj."""
    layers, *copied = _copied(student, draw)
    matrix, bias = layers["W_output"]
    turned = {"out_proj.weight is transposed; both modules keep (out, in)": matrix}
    _expect_copied(*copied, "out_proj.weight", matrix.T, turned)
    _expect_copied(*copied, "out_proj.bias", bias, {})


def remarks(sources):
    """Note a module that is PyTorch's own: the proof compares with that one."""
    return uses(sources, MODULE, r"\b(?:nn\.)?MultiheadAttention\b|\bmulti_head_attention_forward\b")


def _copied(student, draw):
    """Return ours as {layer: (matrix (in, out), bias)}, the values of PyTorch's before and after, and what is shared.

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
    return layers, before, after, shared


def _expect_copied(before, after, shared, name, right, mistakes):
    mistakes = {f"{name} is unchanged: copy the numbers of ours into theirs": before[name]} | mistakes
    expect_tensor(after.get(name), right, f"{name} after the copy", mistakes)
    expect(name not in shared, f"theirs shares numbers with ours: copy them ({name})")
