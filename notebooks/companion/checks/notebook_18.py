"""Checks of the exercises in notebook 18 (the clinic), and the course's own answers to them."""

from itertools import product
from numbers import Real

import torch
from torch.nn import functional as F

from companion.checks.exercise import exercise
from companion.checks.feedback import expect, expect_like

STEPS = ("split", "score", "mask", "weigh", "merge")
WRONG = {"A": "score", "B": "mask", "C": "weigh"}  # what is wrong with each patient


def _change(of=lambda gaps: gaps.abs().max(), beginnings=lambda number: range(1, number), side="start"):
    """Make a measure of how a beginning changes: of which gaps, over which lengths, beside which tokens."""

    def measure(layer, inputs):
        with torch.no_grad():
            whole, changes = layer(inputs, torch.tensor([inputs.shape[1]])), []
            for length in beginnings(inputs.shape[1]):
                part = layer(inputs[:, :length], torch.tensor([length]))
                beside = whole[:, -length:] if side == "end" else whole[:, :length]
                changes.append(of(part - beside))
        return torch.stack(changes).max()

    return measure


def largest_change(layer, inputs):
    """Return by how much a beginning of a sentence changes at most with what follows: the course's own measure."""
    return _change()(layer, inputs).item()


def _layer(read):
    """Make a layer whose output for each token is read off all tokens; it refuses lengths that are not the tokens'."""

    def layer(inputs, lengths):
        number = inputs.shape[1]
        right = isinstance(lengths, torch.Tensor) and lengths.tolist() == [number]
        expect(
            right,
            f"the layer got {number} tokens and lengths {lengths}; inputs[:, :length] go with torch.tensor([length])",
        )
        return read(inputs)

    return layer


def _one_ahead(inputs):
    return inputs - F.pad(inputs, (0, 0, 0, 1))[:, 1:]


LAYERS = {
    "a layer that adds up the past": _layer(lambda inputs: inputs.cumsum(dim=1)),
    "a layer that looks one token ahead": _layer(_one_ahead),
    "a layer that averages all tokens": _layer(lambda inputs: inputs.mean(dim=1, keepdim=True) + inputs),
    "a layer whose third token alone reads the last": _layer(
        lambda inputs: inputs + F.pad(inputs[:, -1:], (0, 0, 2, inputs.shape[1] - 1))[:, : inputs.shape[1]]
    ),
    "a layer whose sixth token alone reads the seventh": _layer(
        lambda inputs: inputs + F.pad(inputs[:, 6:], (0, 0, 5, 1))[:, : inputs.shape[1]]
    ),
}


def _number(measure):
    def run(layer, inputs):
        given = measure(layer, inputs)
        number = isinstance(given, Real | torch.Tensor | None) and not isinstance(given, bool)
        expect(number, f"a_beginning_stays gives a {type(given).__name__}, but a number was expected")
        return given if given is None else torch.as_tensor(given, dtype=torch.float32).squeeze()

    return run


@exercise(
    mistakes={
        "a change may be negative, too: take abs() before max()": _change(of=lambda gaps: gaps.max()),
        "an average hides a change of a single number: take the largest": _change(of=lambda gaps: gaps.abs().mean()),
        "the shorter beginnings are not tried; try those of 1, 2, 3 ... tokens": _change(
            beginnings=lambda number: [number - 1]
        ),
        "the longer beginnings are not tried; try those of 2, 3 ... tokens, up to all but the last": _change(
            beginnings=lambda _: [1]
        ),
        "only the last token of each beginning is compared; take all of them": _change(
            of=lambda gaps: gaps[:, -1].abs().max()
        ),
        "a beginning is compared with the end of the sentence: take whole[:, :length]": _change(side="end"),
    }
)
def check_a_beginning_stays(a_beginning_stays):
    """each beginning is compared with the same tokens of the whole sentence."""
    for (name, layer), size in product(LAYERS.items(), ((7, 4), (9, 16))):
        given = layer, torch.randn(1, *size)
        expect_like(
            _number(a_beginning_stays),
            _number(largest_change),
            given,
            f"a_beginning_stays of {name}",
            check_a_beginning_stays.mistakes,
        )


def patients(Layer):
    """Return three layers made from a right one, {name: class}, each with one wrong step."""

    class A(Layer):
        def score(self, query, key):
            return super().score(query, query)

    class B(Layer):
        def mask(self, lengths, num_tokens):
            return super().mask(lengths, num_tokens).triu(-2)

    class C(Layer):
        def weigh(self, scores, mask):
            shares = scores.exp() * mask
            return shares / shares.sum(dim=-1, keepdim=True)

    return {"A": A, "B": B, "C": C}


@exercise
def check_diagnosis(diagnosis):
    """`score` never met the keys of A, `mask` hides too much in B, and `weigh` takes exp of large scores in C."""
    given = diagnosis()
    expect(given is not None, "diagnosis() gives None; did you forget `return`?")
    expect(isinstance(given, dict), f"diagnosis() gives a {type(given).__name__}, but a dict was expected")
    wanted = "return a step for each of three patients: {'A': ..., 'B': ..., 'C': ...}"
    expect(given.keys() == WRONG.keys(), wanted)
    for name, step in given.items():
        expect(step in STEPS, f"{step!r} is no step; choose among {', '.join(STEPS)}")
        expect(step == WRONG[name], f"{name} has a right `{step}`; ask which step would do its own work wrongly then")
