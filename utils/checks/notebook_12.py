"""Checks of the exercises in notebook 12 (heads that learn)."""

import copy

import torch
from torch import nn
from torch.nn import functional as F

from utils.attention import MultiHeadAttention
from utils.checks.exercise import exercise
from utils.checks.feedback import close, expect, expect_tensor, explained

STOPPED = {
    "positional argument": "inputs is a tuple: model(*inputs) hands its parts over one by one",
    "'tuple' object": "the model returns two things, so write: logits, _ = model(*inputs)",
    "target size": "cross_entropy reads one row an answer: logits.flatten(0, -2) and wanted.flatten()",
    "second time": "the gradients were asked for twice: one loss.backward() a step",
    "not require grad": "no way leads back from the loss to the parameters: no argmax, detach or no_grad before it",
    "'float' and 'NoneType'": "a parameter that the loss does not use has no gradient; optimizer.step() skips it",
    "no attribute 'backward'": "ask for the gradients, loss.backward(), before .item() makes a bare number of the loss",
}


def one_step(model, optimizer, inputs, wanted):
    """Take one step of learning and return the loss before it: the course's own `training_step`.

    model(*inputs): logits (..., answers) and weights; wanted: ids (...), -100 where nothing is asked.
    """
    logits, _ = model(*inputs)
    loss = F.cross_entropy(logits.flatten(0, -2), wanted.flatten())
    optimizer.zero_grad()
    loss.backward()
    optimizer.step()
    return loss.item()


class _Toy(nn.Module):
    """A model of two inputs whose logits and weights have one shape, so that one can be taken for the other."""

    def __init__(self, start):
        super().__init__()
        self.logits, self.weights = nn.Linear(3, 6), nn.Linear(3, 6)
        nn.utils.vector_to_parameters(start, self.parameters())

    def forward(self, one, other):
        return self.logits(one * other), self.weights(one * other)


def _loss(logits, wanted, reduction="mean"):
    return F.cross_entropy(logits.flatten(0, -2), wanted.flatten(), reduction=reduction)


def _learned(optimizer, loss, order):
    """Do what the letters of `order` name: zero the gradients, backward, step."""
    acts = {"z": optimizer.zero_grad, "b": loss.backward, "s": optimizer.step}
    for letter in order:
        acts[letter]()
    return loss.item()


def _ordered(order):
    return lambda model, optimizer, inputs, wanted: _learned(optimizer, _loss(model(*inputs)[0], wanted), order)


def _measured(loss_of):
    return lambda model, optimizer, inputs, wanted: _learned(optimizer, loss_of(model(*inputs), wanted), "zbs")


def _measured_late(model, optimizer, inputs, wanted):
    one_step(model, optimizer, inputs, wanted)
    return _loss(model(*inputs)[0], wanted).item()


STEPS = {
    "the gradients of all rounds add up: forget the old ones, optimizer.zero_grad()": _ordered("bs"),
    "the parameters stay where they are: forget the old gradients, then backward, then step": _ordered("bzs"),
    "step comes before backward, so it moves by the gradients of the round before": _ordered("sb"),
    "cross_entropy takes the softmax itself: hand it the logits": _measured(
        lambda both, wanted: _loss(both[0].softmax(-1), wanted)
    ),
    "the second thing that the model returns is the weights; the loss is one of the logits": _measured(
        lambda both, wanted: _loss(both[1], wanted)
    ),
    "the losses of all answers are added; take their mean, as cross_entropy does by itself": _measured(
        lambda both, wanted: _loss(both[0], wanted, "sum")
    ),
    "this is the loss of one answer a page; measure that of all": _measured(
        lambda both, wanted: _loss(both[0][:, -1], wanted[:, -1])
    ),
    "the loss is measured once more after the step; return the one before it": _measured_late,
}


@exercise
def check_training_step(training_step):
    """the loss is measured, and every parameter moves by this round's gradient alone."""
    start, rounds = torch.randn(48) / 3, []
    for _ in range(3):
        wanted = torch.randint(6, (5, 4))
        wanted[0, :2] = -100
        rounds.append(((torch.randn(5, 4, 3), torch.randn(5, 4, 3)), wanted))
    given, right = _after(training_step, start, rounds), _after(one_step, start, rounds)
    for message, step in STEPS.items():
        expect(not all(map(close, given, _after(step, start, rounds))), message)
    expect_tensor(given[1], right[1], "what the parameters are after three rounds")
    expect_tensor(given[0], right[0], "the loss that training_step returns, in three rounds,")


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
