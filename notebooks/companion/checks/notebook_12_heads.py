"""Checks of the other exercises in notebook 12 (heads that learn): to find a head, and to silence it."""

import copy

import torch
from torch import nn

from companion.checks.exercise import exercise
from companion.checks.feedback import expect, expect_tensor, explained
from utils.attention import MultiHeadAttention


def looks_one_past(weights, period):
    """Return how much the queries of the repetition look one past their letter: the course's own `induction_score`.

    weights: (..., queries, keys), of letters that repeat after `period` places. Returns (...).
    """
    return weights.diagonal(1 - period, -2, -1)[..., 1:].mean(dim=-1)


@exercise
def check_induction_score(induction_score):
    """each letter of the repetition asks, and what followed it the last time answers."""
    for shape, period in (((10, 10), 4), ((2, 3, 9, 9), 6)):
        weights = torch.rand(shape).tril()
        weights = weights / weights.sum(dim=-1, keepdim=True)
        right = looks_one_past(weights, period)
        mistakes = {
            "this is the weight on the same letter; take the one that followed it": weights.diagonal(-period, -2, -1),
            "this is the weight on the letter before the same one": weights.diagonal(-period - 1, -2, -1),
            "this is the score of a previous-token head": weights.diagonal(-1, -2, -1),
            "one too many asks: the repetition begins at place `period`": weights.diagonal(1 - period, -2, -1),
            "the second round alone asks here; go on to the last letter": weights.diagonal(1 - period, -2, -1)[
                ..., 1 : period + 1
            ],
            "rows and columns are exchanged: rows are queries": weights.mT.diagonal(1 - period, -2, -1)[..., 1:],
        }
        found = {message: each.mean(dim=-1) for message, each in mistakes.items()}
        asking = shape[-1] - period
        found["these are sums; take the mean over the letters that ask"] = right * asking
        found["divided by the number of all letters; only those of the repetition ask"] = right * asking / shape[-1]
        if len(shape) > 2:
            found["all heads are averaged together; keep one score for each"] = right.mean()
        given = induction_score(weights, period)
        expect_tensor(given, right, f"induction_score with weights {shape} and period {period}", found)


def without_head(layer, head):
    """Return a copy of a `MultiHeadAttention` to whose output one head adds nothing: the course's own `knock_out`."""
    layer = copy.deepcopy(layer)
    with torch.no_grad():
        layer.W_output.weight[:, head * layer.head_dim : (head + 1) * layer.head_dim] = 0
    return layer


@exercise
def check_knock_out(knock_out):
    """this head adds nothing any more, and the layer that was given is as it was."""
    layer, inputs = MultiHeadAttention(6, 3), torch.randn(2, 5, 6)
    before = nn.utils.parameters_to_vector(layer.parameters()).detach().clone()
    for head in (1, 0, 2):
        doing = f"knock_out(layer, {head})"
        with explained({"leaf Variable": "change the numbers of a layer inside `with torch.no_grad():`"}):
            given = knock_out(layer, head)
        expect(given is not None, f"{doing} gives None; did you forget `return`?")
        kind = type(given).__name__
        expect(isinstance(given, nn.Module), f"{doing} gives a {kind}, but a module was expected, a changed copy")
        same = torch.equal(nn.utils.parameters_to_vector(layer.parameters()), before)
        expect(same, "the layer that was given has changed: change a copy of it, copy.deepcopy(layer)")
        right = without_head(layer, head)(inputs)
        expect_tensor(given(inputs), right, f"the output of {doing}", _knocked_wrong(layer, head, inputs))


def _knocked_wrong(layer, head, inputs):
    """Return {message: the output of a layer that is knocked out in this wrong way}."""
    place, size = slice(head * layer.head_dim, (head + 1) * layer.head_dim), layer.head_dim
    others = [each for each in range(6) if not place.start <= each < place.stop]
    changes = {
        "nothing has changed": [],
        "rows of W_output.weight are the output's features; a head's are its columns": [("W_output.weight", place)],
        "the whole layer is silent; only the columns of one head may be": [("W_output.weight", slice(None))],
        "the other heads are knocked out": [("W_output.weight", (slice(None), others))],
        "one column alone is 0; a head has head_dim of them": [("W_output.weight", (slice(None), head))],
        f"these are not its columns; head {head} begins at head * head_dim": [
            ("W_output.weight", (slice(None), slice(head, head + size)))
        ],
        "the bias of W_output is no head's; leave it": [
            ("W_output.weight", (slice(None), place)),
            ("W_output.bias", slice(None)),
        ],
        "without queries its weights are even, and it still adds what it reads": [
            ("W_query.weight", place),
            ("W_query.bias", place),
        ],
        "W_query decides only where the head looks; what it adds goes through W_output": [("W_query.weight", place)],
        "W_value has a bias, too, which the head still adds": [("W_value.weight", place)],
    }
    found = {}
    for message, zeros in changes.items():
        wrong = copy.deepcopy(layer)
        with torch.no_grad():
            for name, where in zeros:
                wrong.get_parameter(name)[where] = 0
        found[message] = wrong(inputs)
    return found
