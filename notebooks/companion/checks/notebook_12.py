"""Checks of the exercises in notebook 12 (heads that learn): train, find a head, and take it out."""

import copy
from functools import partial

import torch
from torch import nn
from torch.nn import functional as F

from companion.checks.exercise import exercise
from companion.checks.feedback import expect, expect_like, explained
from utils.attention import MultiHeadAttention

STOPPED = {
    "positional argument": "inputs is a tuple: model(*inputs) hands its parts over one by one",
    "'tuple' object": "the model returns two things, so write: logits, _ = model(*inputs)",
    "target size": "cross_entropy reads one row an answer: logits.flatten(0, -2) and wanted.flatten()",
    "second time": "the gradients were asked for twice: one loss.backward() a step",
    "not require grad": "no way leads back from the loss to the parameters: no argmax, detach or no_grad before it",
    "'float' and 'NoneType'": "a parameter that the loss does not use has no gradient; optimizer.step() skips it",
    "no attribute 'backward'": "ask for the gradients, loss.backward(), before .item() makes a bare number of the loss",
    "expanded size": "instead goes into the bias of W_value; its weight becomes 0 in the head's rows",
    "leaf Variable": "change the numbers of a layer inside `with torch.no_grad():`",
}


def _loss(logits, weights, wanted, reduction="mean"):
    return F.cross_entropy(logits.flatten(0, -2), wanted.flatten(), reduction=reduction)


def _step(order="zbs", loss_of=_loss):
    """Compose a step that goes wrong in its order (zero the gradients, backward, step) or in its loss."""

    def training_step(model, optimizer, inputs, wanted):
        loss = loss_of(*model(*inputs), wanted)
        acts = {"z": optimizer.zero_grad, "b": loss.backward, "s": optimizer.step}
        for letter in order:
            acts[letter]()
        return loss.item()

    return training_step


def one_step(model, optimizer, inputs, wanted):
    """Take one step of training and return the loss before it: the course's own `training_step`.

    model(*inputs): logits (..., answers) and weights; wanted: ids (...), -100 where nothing is asked.
    """
    return _step()(model, optimizer, inputs, wanted)


def _measured_late(model, optimizer, inputs, wanted):
    one_step(model, optimizer, inputs, wanted)
    return _loss(*model(*inputs), wanted).item()


class _Toy(nn.Module):
    """A model of two inputs whose logits and weights have one shape, so that one can be taken for the other."""

    def __init__(self, start):
        super().__init__()
        self.logits, self.weights = nn.Linear(3, 6), nn.Linear(3, 6)
        nn.utils.vector_to_parameters(start, self.parameters())

    def forward(self, one, other):
        return self.logits(one * other), self.weights(one * other)


@exercise(
    mistakes={
        "the gradients of all rounds add up: forget the old ones, optimizer.zero_grad()": _step("bs"),
        "the parameters stay where they are: forget the old gradients, then backward, then step": _step("bzs"),
        "step comes before backward, so it moves by the gradients of the round before": _step("sb"),
        "cross_entropy takes the softmax itself: hand it the logits": _step(
            loss_of=lambda logits, weights, wanted: _loss(logits.softmax(-1), weights, wanted)
        ),
        "the second thing that the model returns is the weights; the loss is one of the logits": _step(
            loss_of=lambda logits, weights, wanted: _loss(weights, logits, wanted)
        ),
        "the losses of all answers are added; take their mean, as cross_entropy does by itself": _step(
            loss_of=partial(_loss, reduction="sum")
        ),
        "this is the loss of one answer a row; measure that of all": _step(
            loss_of=lambda logits, weights, wanted: _loss(logits[:, -1], weights, wanted[:, -1])
        ),
        "the loss is measured once more after the step; return the one before it": _measured_late,
    }
)
def check_training_step(training_step):
    """the loss is measured, and every parameter moves by this round's gradient alone."""
    start, rounds = torch.randn(48) / 3, []
    for _ in range(3):
        wanted = torch.randint(6, (5, 4))
        wanted[0, :2] = -100
        rounds.append(((torch.randn(5, 4, 3), torch.randn(5, 4, 3)), wanted))
    wrong = {message: partial(_after, step) for message, step in check_training_step.mistakes.items()}
    parts = ("loss that training_step returns", "value of the parameters")
    answer, right = partial(_after, training_step), partial(_after, one_step)
    expect_like(answer, right, (start, rounds), "three rounds", wrong, parts)


def _after(step, start, rounds):
    """Return the losses of some rounds, and the parameters after them."""
    model = _Toy(start.clone())
    optimizer, losses = torch.optim.SGD(model.parameters(), lr=0.5), []
    for inputs, wanted in rounds:
        with explained(STOPPED):
            loss = step(model, optimizer, inputs, wanted)
        expect(loss is not None, "training_step gives None; did you forget `return`?")
        kind = type(loss).__name__
        expect(isinstance(loss, float), f"training_step gives a {kind}, but a float was expected: loss.item()")
        losses.append(loss)
    return torch.tensor(losses), nn.utils.parameters_to_vector(model.parameters()).detach()


def _seen(weights, period, offset=1, skip=1, stop=None):
    """Return the weights of the queries of the repetition on the key that stands `offset` past their letter's first."""
    return weights.diagonal(offset - period, -2, -1)[..., skip:stop]


def looks_one_past(weights, period):
    """Return how much the queries of the repetition look one past their letter: the course's own `induction_score`.

    weights: (..., queries, keys), of letters that repeat after `period` positions. Returns (...).
    """
    return _seen(weights, period).mean(dim=-1)


@exercise(
    mistakes={
        "this is the weight on the same letter; take the one that followed it": (
            lambda weights, period: _seen(weights, period, 0, 0).mean(dim=-1)
        ),
        "this is the weight on the letter before the same one": (
            lambda weights, period: _seen(weights, period, -1, 0).mean(dim=-1)
        ),
        "this is the score of a previous-token head": lambda weights, period: _seen(weights, 1, 0, 0).mean(dim=-1),
        "one too many asks: the repetition begins at position `period`": (
            lambda weights, period: _seen(weights, period, skip=0).mean(dim=-1)
        ),
        "the second round alone asks here; go on to the last letter": (
            lambda weights, period: _seen(weights, period, stop=period + 1).mean(dim=-1)
        ),
        "rows and columns are exchanged: rows are queries": lambda weights, period: looks_one_past(weights.mT, period),
        "this is the mean of a whole block; each query has one key of its own, so these weights lie on a diagonal": (
            lambda weights, period: weights[..., period:, 1 : 1 - period].mean(dim=(-1, -2))
        ),
        "these keys are period + 1 positions back; the one that followed is period - 1 back": (
            lambda weights, period: (
                (weights.diagonal(-period - 1, -2, -1).sum(dim=-1) + weights[..., period, -1])
                / (weights.shape[-1] - period)
            )
        ),
        "these are sums; take the mean over the letters that ask": (
            lambda weights, period: _seen(weights, period).sum(dim=-1)
        ),
        "divided by the number of all letters; only those of the repetition ask": (
            lambda weights, period: _seen(weights, period).sum(dim=-1) / weights.shape[-1]
        ),
        "all heads are averaged together; keep one score for each": (
            lambda weights, period: _seen(weights, period).mean()
        ),
    }
)
def check_induction_score(induction_score):
    """each letter of the repetition asks, and what followed it the last time answers."""
    for shape, period in (((10, 10), 4), ((2, 3, 9, 9), 6)):
        weights = torch.rand(shape).tril()
        given = weights / weights.sum(dim=-1, keepdim=True), period
        doing = f"induction_score with weights {shape} and period {period}"
        expect_like(induction_score, looks_one_past, given, doing, check_induction_score.mistakes)


def _changed(*where, instead=None):
    """Make a knock-out that sets these numbers to 0, [(parameter, where)], and the head's values to `instead`.

    where: a function of the head's own features, a slice, the head and its size.
    """

    def knock_out(layer, head, replacement=0.0):
        layer, size = copy.deepcopy(layer), layer.head_dim
        own = slice(head * size, (head + 1) * size)
        with torch.no_grad():
            if instead:
                layer.W_value.bias[own] = instead(replacement)
            for name, chosen in where:
                layer.get_parameter(name)[chosen(own, head, size)] = 0
        return layer

    return knock_out


def _own(own, head, size):
    return own


def _columns(choose):
    return "W_output.weight", lambda *given: (slice(None), choose(*given))


VALUES = ("W_value.weight", _own)


def without_head(layer, head, instead=0.0):
    """Return a copy of a `MultiHeadAttention` in which a head hands on the same at each token: the own `knock_out`.

    instead: the head's context everywhere, a number or (head_dim,). Its values become that, so its weights are idle.
    """
    return _changed(VALUES, instead=lambda replacement: replacement)(layer, head, instead)


@exercise(
    mistakes={
        "nothing has changed": _changed(),
        "instead is not used: the head hands on zeros, whatever is asked": _changed(VALUES, instead=lambda given: 0.0),
        "instead comes without W_output: the layer turns every context by it, this one too": (
            lambda layer, head, instead=0.0: _output_alone(layer, head, instead)
        ),
        "the features of the next head come after W_output; a head's are rows of W_value, or columns of W_output": (
            _changed(("W_output.weight", _own))
        ),
        "weight is (out, in): the head's features are rows of W_value.weight, and these are columns": _changed(
            ("W_value.weight", lambda own, *given: (slice(None), own)), instead=lambda replacement: replacement
        ),
        "the whole layer is silent; only one head may be": _changed(_columns(lambda *given: slice(None))),
        "the other heads are knocked out": _changed(
            _columns(lambda own, head, size: [each for each in range(6) if each // size != head])
        ),
        "one feature alone is 0; a head has head_dim of them": _changed(_columns(lambda own, head, size: head)),
        "these are not its features; they begin at head * head_dim": _changed(
            _columns(lambda own, head, size: slice(head, head + size))
        ),
        "the bias of W_output is no head's; leave it": _changed(
            _columns(_own), ("W_output.bias", lambda *given: slice(None))
        ),
        "without queries its weights are even, and it still adds what it reads": _changed(
            ("W_query.weight", _own), ("W_query.bias", _own)
        ),
        "W_query decides only where the head looks; what it hands on comes from W_value": _changed(
            ("W_query.weight", _own)
        ),
        "W_value has a bias, too, which the head still adds": _changed(VALUES),
    }
)
def check_knock_out(knock_out):
    """this head hands on the same everywhere, the others as before, and the layer that was given is as it was."""
    layer, inputs = MultiHeadAttention(6, 3), torch.randn(2, 5, 6)
    before = nn.utils.parameters_to_vector(layer.parameters()).detach().clone()
    for head, instead in ((1, ()), (0, ()), (2, (torch.randn(2),)), (0, (torch.randn(2),))):
        doing = f"knock_out(layer, {head}{', instead' * len(instead)})"
        with explained(STOPPED):
            given = knock_out(layer, head, *instead)
        expect(given is not None, f"{doing} gives None; did you forget `return`?")
        kind = type(given).__name__
        expect(isinstance(given, nn.Module), f"{doing} gives a {kind}, but a module was expected, a changed copy")
        same = torch.equal(nn.utils.parameters_to_vector(layer.parameters()), before)
        expect(same, "the layer that was given has changed: change a copy of it, copy.deepcopy(layer)")
        mistakes = check_knock_out.mistakes.items()
        wrong = {message: partial(_output, wrong, layer, head, *instead) for message, wrong in mistakes}
        expect_like(given, without_head(layer, head, *instead), (inputs,), f"the output of {doing}", wrong)


def _output(knock_out, layer, *given):
    *how, inputs = given
    return knock_out(layer, *how)(inputs)


def _output_alone(layer, head, instead):
    """Zero the head's columns of W_output, and add `instead` to the output's own features."""
    changed = without_head(layer, head)
    with torch.no_grad():
        changed.W_output.bias[head * layer.head_dim : (head + 1) * layer.head_dim] += instead
    return changed
