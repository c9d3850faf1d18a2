"""Right and wrong answers to the exercises in notebook 13 (heads that learn)."""

import copy

import torch

from companion.checks.notebook_13 import check_induction_score, check_knock_out, looks_one_past


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
    check_induction_score: [score_by_loop],
    check_knock_out: [through_the_output],
}
WRONG = {
    check_induction_score: [
        (lambda *given: looks_one_past(*given).mean().item(), "induction_score with weights (10, 10) and period 4 giv")
    ],
    check_knock_out: [
        (in_place, "the layer that was given has changed"),
        (in_the_weight, "instead goes into the bias of W_value"),
        (with_gradients, "change the numbers of a layer inside `with torch.no_grad():`"),
    ],
}
