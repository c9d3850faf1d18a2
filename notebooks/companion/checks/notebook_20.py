"""Checks of the exercises in notebook 20 (the clinic), and the course's own answers to them."""

from functools import partial
from itertools import product
from numbers import Real

import torch
from torch.nn import functional as F

from companion.checks.compared import compared_with
from companion.checks.exercise import exercise
from companion.checks.feedback import expect, expect_kind
from companion.steps import of_steps

STEP_NAMES = ("split", "score", "mask", "weigh", "merge")
WRONG = {"A": "score", "B": "mask", "C": "weigh"}  # what is wrong with each patient


@of_steps
@torch.no_grad()
def _change_with(layer, inputs, *, of=lambda gaps: gaps.abs().max(), beginnings=lambda number: range(1, number)):
    """Measure how a beginning changes: of which gaps, over which lengths."""
    outputs, changes = layer(inputs, torch.tensor([inputs.shape[1]])), []
    for length in beginnings(inputs.shape[1]):
        part = layer(inputs[:, :length], torch.tensor([length]))
        changes.append(of(part - outputs[:, :length]))
    return torch.stack(changes).max()


def largest_change(layer, inputs):
    """Return by how much a beginning of a sentence changes at most with what follows: the course's own measure."""
    return _change_with()(layer, inputs).item()


@of_steps
def _layer_with(inputs, lengths, *, read):
    """A layer whose output for each token is read off all tokens; it refuses lengths that are not the tokens'."""
    right = isinstance(lengths, torch.Tensor) and lengths.tolist() == [inputs.shape[1]]
    got = f"the layer got {inputs.shape[1]} tokens and lengths {lengths}"
    expect(right, f"{got}; inputs[:, :length] go with torch.tensor([length])")
    return read(inputs)


@of_steps
def _addition_with(inputs, *, reader, read):
    """Let one token alone read another, where both are there."""
    changed = inputs.clone()
    if max(reader, read) < inputs.shape[1]:
        changed[:, reader] += inputs[:, read]
    return changed


LAYERS = {
    "a layer that adds up the past": _layer_with(lambda inputs: inputs.cumsum(dim=1)),
    "a layer that looks one token ahead": _layer_with(lambda inputs: inputs - F.pad(inputs, (0, 0, 0, 1))[:, 1:]),
    "a layer that averages all tokens": _layer_with(lambda inputs: inputs.mean(dim=1, keepdim=True) + inputs),
    "a layer whose third token alone reads the last": _layer_with(_addition_with(2, -1)),
    "a layer whose eighth token alone reads the ninth": _layer_with(_addition_with(7, 8)),
}


def _measure(a_beginning_stays, layer, inputs):
    change = a_beginning_stays(layer, inputs)
    expect_kind(change, Real | torch.Tensor, "a_beginning_stays", "a number")
    return torch.as_tensor(change, dtype=torch.float32).squeeze()


CHANGES = {  # {message: wrong a_beginning_stays}
    "a change may be negative, too: take abs() before max()": _change_with(of=lambda gaps: gaps.max()),
    "an average hides a change of a single number: take the largest": _change_with(of=lambda gaps: gaps.abs().mean()),
    "the shorter beginnings are not tried; try those of 1, 2, 3 ... tokens": _change_with(beginnings=lambda n: [n - 1]),
    "the longer beginnings are not tried; try all, up to all but the last token": _change_with(
        beginnings=lambda n: [1]
    ),
    "only the last token of each beginning is compared; take all": _change_with(lambda gaps: gaps[:, -1].abs().max()),
}


@compared_with(partial(_measure, largest_change), CHANGES, measure=_measure)
def check_a_beginning_stays(a_beginning_stays):
    """each beginning is compared with the same tokens of the whole sentence."""
    for (name, layer), size in product(LAYERS.items(), ((7, 4), (9, 16))):
        yield f"a_beginning_stays of {name}", (layer, torch.randn(1, *size))


def patients(Layer):
    """Return three layers made from a right one, {name: class}, each with one wrong step."""

    def weigh(self, scores, mask):
        shares = scores.exp() * mask
        return shares / shares.sum(dim=-1, keepdim=True)

    steps = {
        "A": {"score": lambda self, query, key: Layer.score(self, query, query)},
        "B": {"mask": lambda self, lengths, num_tokens: Layer.mask(self, lengths, num_tokens).triu(-2)},
        "C": {"weigh": weigh},
    }
    return {name: type(name, (Layer,), step) for name, step in steps.items()}


@exercise
def check_diagnosis(diagnosis):
    """`score` never met the keys of A, `mask` hides too much in B, and `weigh` takes exp of large scores in C."""
    steps = diagnosis()
    expect_kind(steps, dict, "diagnosis()", "a dict")
    expect(steps.keys() == WRONG.keys(), "return a step for each of three patients: {'A': ..., 'B': ..., 'C': ...}")
    for name, step in steps.items():
        expect(step in STEP_NAMES, f"{step!r} is not a step; choose among {', '.join(STEP_NAMES)}")
        expect(step == WRONG[name], f"{name} has a right `{step}`; ask which step would do its own work wrongly then")
