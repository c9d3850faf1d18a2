"""Checks of the exercises in notebook 20 (the clinic), and the course's own answers to them."""

from functools import partial
from itertools import product
from numbers import Real

import torch
from torch.nn import functional as F

from companion.checks.compared import compared_with
from companion.checks.exercise import exercise
from companion.checks.feedback import expect, expect_kind

STEP_NAMES = ("split", "score", "mask", "weigh", "merge")
WRONG = {"A": "score", "B": "mask", "C": "weigh"}  # what is wrong with each patient


@torch.no_grad()
def largest_change(layer, inputs):
    """Return by how much a beginning of a sentence changes at most with what follows: the course's own measure."""
    outputs, changes = layer(inputs, torch.tensor([inputs.shape[1]])), []
    for length in range(1, inputs.shape[1]):
        gaps = layer(inputs[:, :length], torch.tensor([length])) - outputs[:, :length]
        changes.append(gaps.abs().max())
    return torch.stack(changes).max().item()


def _layer(read, inputs, lengths):
    """A layer whose output for each token is read off all tokens; it refuses lengths that are not the tokens'."""
    right = isinstance(lengths, torch.Tensor) and lengths.tolist() == [inputs.shape[1]]
    got = f"the layer got {inputs.shape[1]} tokens and lengths {lengths}"
    expect(right, f"{got}; inputs[:, :length] go with torch.tensor([length])")
    return read(inputs)


def _add(reader, read, inputs):
    """Let one token alone read another, where both are there."""
    changed = inputs.clone()
    if max(reader, read) < inputs.shape[1]:
        changed[:, reader] += inputs[:, read]
    return changed


LAYERS = {  # {name: how the outputs are read off the inputs}
    "a layer that adds up the past": lambda inputs: inputs.cumsum(dim=1),
    "a layer that looks one token ahead": lambda inputs: inputs - F.pad(inputs, (0, 0, 0, 1))[:, 1:],
    "a layer that averages all tokens": lambda inputs: inputs.mean(dim=1, keepdim=True) + inputs,
    "a layer whose third token alone reads the last": partial(_add, 2, -1),
    "a layer whose eighth token alone reads the ninth": partial(_add, 7, 8),
}


def _measure(a_beginning_stays, layer, inputs):
    change = a_beginning_stays(layer, inputs)
    expect_kind(change, Real | torch.Tensor, "a_beginning_stays", "a number")
    return torch.as_tensor(change, dtype=torch.float32).squeeze()


CHANGES = {  # {message: what a wrong a_beginning_stays has instead}
    "a change may be negative, too: take abs() before max()": {".abs()": ""},
    "an average hides a change of a single number: take the largest": {"abs().max()": "abs().mean()"},
    "the shorter beginnings are not tried; try those of 1, 2, 3 ... tokens": {"range(1,": "range(inputs.shape[1] - 1,"},
    "the longer beginnings are not tried; try all, up to all but the last token": {"range(1, inputs.shape[1])": "[1]"},
    "only the last token of each beginning is compared; take all": {"gaps.abs": "gaps[:, -1].abs"},
}


@compared_with(largest_change, CHANGES, measure=_measure)
def check_a_beginning_stays(a_beginning_stays):
    """each beginning is compared with the same tokens of the whole sentence."""
    for (name, read), size in product(LAYERS.items(), ((7, 4), (9, 16))):
        yield f"a_beginning_stays of {name}", (partial(_layer, read), torch.randn(1, *size))


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
