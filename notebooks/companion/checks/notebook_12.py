"""Check of the first exercise in notebook 12 (heads that learn): a step of training."""

import torch
from torch import nn
from torch.nn import functional as F

from companion.checks.exercise import exercise
from companion.checks.feedback import close, expect, expect_tensor, explained

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
