"""Checks of the exercises in notebook 13 (heads that learn): find a head, and take it out."""

import copy

import torch
from torch import nn

from companion.checks.feedback import expect, expect_kind
from companion.checks.tables import compared_with, of_steps
from utils.attention import MultiHeadAttention

STOPPED = {
    "expanded size": "instead goes into the bias of W_value; its weight becomes 0 in the head's rows",
    "leaf Variable": "change the numbers of a layer inside `with torch.no_grad():`",
}


@of_steps
def _looking(weights, period, *, offset=1, skip=1):
    """Return how much the queries of the repetition look at the key `offset` past their letter, all but `skip` of them.

    weights: (..., queries, keys), of letters that repeat after `period` positions. Returns (...).
    """
    return weights.diagonal(offset - period, -2, -1)[..., skip:].mean(dim=-1)


def _of_a_block(weights, period):
    return weights[..., period:, 1 : 1 - period].mean(dim=(-1, -2))


looks_one_past = _looking()  # the course's own `induction_score`
SCORES = {  # {message: wrong induction_score}
    "this is the weight on the same letter; take the one that followed it": _looking(offset=0, skip=0),
    "one too many asks: the repetition begins at position `period`": _looking(skip=0),
    "rows and columns are exchanged: rows are queries": lambda weights, period: looks_one_past(weights.mT, period),
    "this is the mean of a block; each query has one key of its own: take a diagonal": _of_a_block,
    "these are sums; take the mean over the letters that ask": lambda w, p: looks_one_past(w, p) * (w.shape[-1] - p),
    "all heads are averaged together; keep one score for each": lambda *given: looks_one_past(*given).mean(),
}


@compared_with(looks_one_past, SCORES)
def check_induction_score(induction_score):
    """each letter of the repetition asks, and what followed it the last time answers."""
    for shape, period in (((10, 10), 4), ((2, 3, 9, 9), 6)):
        weights = torch.rand(shape).tril()
        given = weights / weights.sum(dim=-1, keepdim=True), period
        yield f"induction_score with weights {shape} and period {period}", given


@of_steps
def _changed(layer, head, instead=0.0, *, zeros="W_value.weight", columns=False, bias=lambda instead: instead):
    """Return a copy of a `MultiHeadAttention` in which a head hands on the same at each token.

    instead: the head's context everywhere, a number or (head_dim,). Its values become that, so its weights are idle.
    """
    layer, own = copy.deepcopy(layer), slice(head * layer.head_dim, (head + 1) * layer.head_dim)
    matrix = layer.get_parameter(zeros)
    with torch.no_grad():
        (matrix.T if columns else matrix)[own] = 0
        if bias:
            layer.W_value.bias[own] = bias(instead)
    return layer


without_head = _changed()  # the course's own `knock_out`
KNOCKED_OUT = {  # {message: wrong knock_out}
    "nothing has changed": lambda layer, *given: layer,
    "instead is not used: the head hands on zeros, whatever is asked": _changed(bias=lambda instead: 0.0),
    "W_value has a bias, too, which the head still adds": _changed(bias=None),
    "a head's features are rows of W_value, or columns of W_output": _changed("W_output.weight", bias=None),
    "weight is (out, in): the head's features are rows of W_value.weight, not columns": _changed(columns=True),
    "W_query decides only where the head looks, not what it hands on": _changed("W_query.weight", bias=None),
}


@of_steps
def _output(layer, head, instead, inputs, *, knock_out):
    return knock_out(layer, head, *instead)(inputs)


@compared_with(_output(without_head), KNOCKED_OUT, STOPPED, ask=_output)
def check_knock_out(knock_out):
    """this head hands on the same everywhere, the others as before, and the layer that was given is as it was."""
    layer, inputs = MultiHeadAttention(6, 3), torch.randn(2, 5, 6)
    before = nn.utils.parameters_to_vector(layer.parameters()).detach().clone()
    for head, instead in ((1, ()), (2, (torch.randn(2),))):
        doing = f"knock_out(layer, {head}{', instead' * len(instead)})"
        expect_kind(knock_out(layer, head, *instead), nn.Module, doing, "a module, a changed copy,")
        same = torch.equal(nn.utils.parameters_to_vector(layer.parameters()), before)
        expect(same, "the layer that was given has changed: change a copy of it, copy.deepcopy(layer)")
        yield f"the output of {doing}", (layer, head, instead, inputs)
