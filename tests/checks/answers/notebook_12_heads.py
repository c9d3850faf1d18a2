"""Right and wrong answers to the other exercises in notebook 12 (heads that learn)."""

import copy

import torch

from companion.checks.notebook_12_heads import check_induction_score, check_knock_out, looks_one_past, without_head
from utils.attention import merge_heads


def score_by_loop(weights, period):
    places = range(period, weights.shape[-1])
    return sum(weights[..., place, place - period + 1] for place in places) / len(places)


def score_by_slices(weights, period):
    return weights[..., period:, 1 : weights.shape[-1] - period + 1].diagonal(dim1=-2, dim2=-1).mean(-1)


def score_by_indices(weights, period):
    places = torch.arange(period, weights.shape[-1])
    return weights[..., places, places + 1 - period].mean(-1)


def diagonal(offset, start=0):
    return lambda weights, period: weights.diagonal(offset(period), -2, -1)[..., start:].mean(-1)


def zeros(*names, where=None, of=copy.deepcopy):
    """Make a knock-out that sets to 0 these parameters at another place, or in another layer than a copy."""

    def knock_out(layer, head):
        changed, size = of(layer), layer.head_dim
        own = slice(head * size, (head + 1) * size)
        with torch.no_grad():
            for name in names:
                changed.get_parameter(name)[where(own, head, size) if where else own] = 0
        return changed

    return knock_out


def columns(choose):
    return lambda own, head, size: (slice(None), choose(own, head, size))


def its_context(layer, head):
    """Set the head's part of what W_output reads to 0, in place of its columns."""
    changed, size = copy.deepcopy(layer), layer.head_dim

    def silence(module, given):
        context = given[0].clone()
        context[..., head * size : (head + 1) * size] = 0
        return context

    changed.W_output.register_forward_pre_hook(silence)
    return changed


def by_factors(layer, head):
    kept = torch.ones(layer.num_heads, 1, layer.head_dim)
    kept[head] = 0
    changed = copy.deepcopy(layer)
    changed.W_output.weight.data *= merge_heads(kept)
    return changed


def with_gradients(layer, head):
    layer = copy.deepcopy(layer)
    layer.W_output.weight[:, :2] = 0
    return layer


def without_bias(layer, head):
    changed = without_head(layer, head)
    changed.W_output.bias.data.zero_()
    return changed


OWN = "W_output.weight"
RIGHT = {
    check_induction_score: [looks_one_past, score_by_loop, score_by_slices, score_by_indices],
    check_knock_out: [without_head, its_context, by_factors, zeros("W_value.weight", "W_value.bias")],
}
WRONG = {
    check_induction_score: [
        (diagonal(lambda period: -period), "this is the weight on the same letter"),
        (diagonal(lambda period: -period - 1), "this is the weight on the letter before the same one"),
        (diagonal(lambda period: -1), "this is the score of a previous-token head"),
        (diagonal(lambda period: 1 - period), "one too many asks"),
        (
            lambda weights, period: looks_one_past(weights[..., : 2 * period, : 2 * period], period),
            "the second round alone asks here",
        ),
        (lambda weights, period: looks_one_past(weights.mT, period), "rows and columns are exchanged"),
        (lambda *given: looks_one_past(*given) * (given[0].shape[-1] - given[1]), "these are sums"),
        (
            lambda weights, period: score_by_loop(weights, period) * (1 - period / weights.shape[-1]),
            "divided by the number of all letters",
        ),
        (lambda *given: looks_one_past(*given).mean(), "all heads are averaged together"),
        (lambda *given: looks_one_past(*given).mean().item(), "induction_score with weights (10, 10) and period 4 giv"),
        (lambda *given: None, "induction_score with weights (10, 10) and period 4 gives None; did you forget"),
    ],
    check_knock_out: [
        (zeros(), "nothing has changed"),
        (zeros(OWN), "rows of W_output.weight are the output's features"),
        (zeros(OWN, where=lambda *given: slice(None)), "the whole layer is silent"),
        (
            zeros(OWN, where=columns(lambda own, head, size: [i for i in range(6) if i // size != head])),
            "the other hea",
        ),
        (zeros(OWN, where=columns(lambda own, head, size: head)), "one column alone is 0"),
        (zeros(OWN, where=columns(lambda own, head, size: slice(head, head + size))), "these are not its columns"),
        (zeros("W_query.weight", "W_query.bias"), "without queries its weights are even"),
        (zeros("W_query.weight"), "W_query decides only where the head looks"),
        (without_bias, "the bias of W_output is no head's"),
        (zeros("W_value.weight"), "W_value has a bias, too"),
        (zeros(OWN, where=columns(lambda own, *_: own), of=lambda layer: layer), "the layer that was given has chan"),
        (with_gradients, "change the numbers of a layer inside `with torch.no_grad():`"),
        (lambda layer, head: without_head(layer, head)(torch.ones(1, 2, 6)), "knock_out(layer, 1) gives a Tensor, but"),
        (lambda layer, head: without_head(layer, 0), "the output of knock_out(layer, 1) has the right shape"),
        (lambda layer, head: None, "knock_out(layer, 1) gives None; did you forget `return`?"),
    ],
}
