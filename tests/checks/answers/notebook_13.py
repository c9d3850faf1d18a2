"""Right and wrong answers to the exercises in notebook 13 (heads that learn)."""

import copy

import torch
from torch.nn import functional as F

from companion.checks.notebook_13 import check_induction_score, check_knock_out, check_training_step, looks_one_past


def rows(logits, wanted):
    return F.cross_entropy(logits.reshape(-1, logits.shape[-1]), wanted.reshape(-1))


def mean_of_all(logits, wanted):
    return F.cross_entropy(logits.flatten(0, -2), wanted.flatten(), reduction="sum") / wanted.numel()


def step(order="zbs", result=lambda loss: loss.item(), loss_of=rows, run=lambda model, inputs: model(*inputs)[0]):
    """Compose a step of its decisions, any of which may be a wrong one."""

    def training_step(model, optimizer, inputs, wanted):
        loss = loss_of(run(model, inputs), wanted)
        for letter in order:
            {"z": optimizer.zero_grad, "b": lambda: loss.backward(), "s": optimizer.step}[letter]()
        return result(loss)

    return training_step


def moved_by_hand(model, optimizer, inputs, wanted):
    loss = rows(model(*inputs)[0], wanted)
    loss.backward()
    with torch.no_grad():
        for parameter in model.parameters():
            parameter -= 0.5 * parameter.grad
    return loss.item()


def score_by_loop(weights, period):
    asking = range(period, weights.shape[-1])
    return sum(weights[..., query, query - period + 1] for query in asking) / len(asking)


def through_the_output(layer, head, instead=0.0):
    """Zero the head's columns of W_output, and add what they make of `instead` to the bias."""
    changed, context = copy.deepcopy(layer), torch.zeros(layer.num_heads, layer.head_dim)
    context[head] = instead
    changed.W_output.bias.data += layer.W_output.weight.data @ context.flatten()
    changed.W_output.weight.data.unflatten(1, (layer.num_heads, -1))[:, head] = 0
    return changed


def in_place(layer, head, instead=0.0):
    layer.W_output.weight.data[:, :2] = 0
    return layer


def with_gradients(layer, head, instead=0.0):
    layer = copy.deepcopy(layer)
    layer.W_output.weight[:, :2] = 0
    return layer


def in_the_weight(layer, head, instead=0.0):
    layer, own = copy.deepcopy(layer), slice(2 * head, 2 * head + 2)
    with torch.no_grad():
        layer.W_value.weight[own] = instead
        layer.W_value.bias[own] = 0
    return layer


RIGHT = {
    check_training_step: [step("bsz", lambda loss: float(loss.detach()))],
    check_induction_score: [score_by_loop],
    check_knock_out: [through_the_output],
}
WRONG = {
    check_training_step: [
        (step(loss_of=F.cross_entropy), "cross_entropy reads one row an"),
        (step(loss_of=mean_of_all), "the loss that training_step returns of three rounds has the right shape"),
        (step("bbs"), "the gradients were asked for twice"),
        (step(run=lambda model, inputs: model(inputs)), "inputs is a tuple: model(*inputs)"),
        (step(run=lambda model, inputs: model(*inputs)), "the model returns two things"),
        (step(loss_of=lambda logits, wanted: rows(logits.detach(), wanted)), "no way leads back from the loss"),
        (step(loss_of=lambda *given: rows(*given).item()), "ask for the gradients, loss.backward(), before"),
        (moved_by_hand, "a parameter that the loss does not use has no gradient"),
    ],
    check_induction_score: [
        (lambda *given: looks_one_past(*given).mean().item(), "induction_score with weights (10, 10) and period 4 giv")
    ],
    check_knock_out: [
        (in_place, "the layer that was given has changed"),
        (in_the_weight, "instead goes into the bias of W_value"),
        (with_gradients, "change the numbers of a layer inside `with torch.no_grad():`"),
    ],
}
