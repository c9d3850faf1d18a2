"""Right and wrong answers to the exercises in notebook 08 (multi-head attention)."""

from itertools import combinations, product

import torch

from utils.checks.notebook_08 import check_head_contributions, check_twins


def contributions(rows=lambda W_output, head, heads, head_dim: W_output[head * head_dim : (head + 1) * head_dim]):
    """Let each head meet its part of W_output, which may be a wrong one."""
    return lambda context, W_output: torch.stack(
        [part @ rows(W_output, h, len(context), part.shape[-1]) for h, part in enumerate(context)]
    )


def contributions_amid_zeros(context, W_output):
    alone = torch.eye(len(context))[:, None, :, None] * context.transpose(0, 1)
    return alone.flatten(-2) @ W_output


def joined(context, W_output):
    return context.transpose(0, 1).flatten(1) @ W_output


def gap(one, other):
    return float((one - other).abs().max())


def pairs(agree=lambda one, other: gap(one, other) < 1e-6, among=combinations):
    """List the pairs of heads that agree, by a rule that may be a wrong one."""
    return lambda weights: [(i, j) for i, j in among(range(len(weights)), 2) if agree(weights[i], weights[j])]


def pairs_by_distance(weights):
    near = torch.cdist(weights.flatten(1), weights.flatten(1), p=torch.inf) < 1e-6
    return list(map(tuple, near.triu(1).nonzero().tolist()))


def pairs_from_the_later(weights):
    return [(i, j) for j in range(len(weights)) for i in range(j) if torch.allclose(weights[i], weights[j])]


def first_partners(weights):
    found = {}
    for i, j in pairs()(weights):
        found.setdefault(i, j)
    return list(found.items())


def every_pair(heads, _):
    return product(heads, heads)


def either_order(heads, _):
    return ((i, j) for i in heads for j in heads if i != j)


def neighbours(heads, _):
    return zip(heads, heads[1:])


RIGHT = {
    check_head_contributions: [
        contributions(),
        contributions_amid_zeros,
        lambda context, W_output: context.double() @ W_output.double().unflatten(0, (len(context), -1)),
        lambda context, W_output: torch.einsum(
            "htd,hdm->htm", context, W_output.view(len(context), -1, len(W_output.T))
        ),
    ],
    check_twins: [
        pairs(),
        pairs_by_distance,
        pairs_from_the_later,
        pairs(lambda one, other: torch.isclose(one, other, rtol=0, atol=1e-6).all()),
    ],
}
WRONG = {
    check_head_contributions: [
        (joined, "this is the whole output already; keep the heads apart"),
        (lambda *given: contributions()(*given).sum(0), "this is the whole output already; keep the heads apart"),
        (lambda context, W_output: contributions()(context, W_output.T), "the columns of W_output are cut"),
        (contributions(lambda W, head, heads, head_dim: W[:head_dim]), "every head meets the first rows of W_output"),
        (contributions(lambda W, head, heads, head_dim: W[head::heads]), "every fourth row is taken"),
        (lambda *given: contributions()(*given).flip(0), "the heads come in reverse order"),
        (lambda *given: contributions()(*given) / 4, "head_contributions with 4 heads of size 4 has the right shape"),
        (lambda *given: contributions()(*given).round(decimals=2), "head_contributions with 4 heads of size 4 is"),
        (lambda *given: contributions()(*given).transpose(0, 1), "head_contributions with 4 heads of size 4"),
        (lambda *given: list(contributions()(*given)), "head_contributions with 4 heads of size 4 gives a list"),
        (lambda *given: None, "head_contributions with 4 heads of size 4 gives None; did you forget"),
        (
            contributions(lambda W, head, heads, head_dim: W[head * (len(W) // 4) :][:head_dim]),
            "head_contributions with 3 heads of size 2 has the right shape",
        ),
        (lambda context, W_output: context @ W_output.view(4, 4, -1), "your function stopped with RuntimeError"),
    ],
    check_twins: [
        (pairs(among=every_pair), "three different heads: twins(weights) gives [(0, 0), (1, 1), (2, 2)], but []"),
        (pairs(lambda one, other: abs(one.sum() - other.sum()) < 1e-5), "three different heads: twins(weights) gives"),
        (lambda weights: torch.tensor(pairs()(weights)), "three different heads: twins(weights) gives a Tensor"),
        (lambda weights: set(pairs()(weights)), "three different heads: twins(weights) gives a set, but a list"),
        (lambda weights: None, "three different heads: twins(weights) gives None; did you forget `return`?"),
        (pairs(among=either_order), "heads 0 and 2 are equal, and 1 and 4: twins(weights) gives [(0, 2), (1, 4), (2"),
        (pairs(among=neighbours), "heads 0 and 2 are equal, and 1 and 4: twins(weights) gives []"),
        (lambda weights: [*map(list, pairs()(weights))], "heads 0 and 2 are equal, and 1 and 4: twins(weights)"),
        (lambda weights: [(i + 1, j + 1) for i, j in pairs()(weights)], "heads 0 and 2 are equal, and 1 and 4"),
        (first_partners, "three equal heads are three pairs: twins(weights) gives [(0, 1), (1, 2)]"),
        (pairs(lambda one, other: gap(one, other) < 0.1), "two heads that differ in one weight, the last"),
        (pairs(lambda one, other: (one - other).max() < 1e-6), "two heads that differ in one weight, the last"),
        (pairs(lambda one, other: gap(one[0], other[0]) < 1e-6), "two heads that differ in one weight, the last"),
        (pairs(lambda one, other: one.argmax(-1).equal(other.argmax(-1))), "two heads that differ in one weight"),
        (pairs(lambda one, other: torch.isclose(one, other).any()), "two heads that differ in one weight, the last"),
        (pairs(torch.equal), "two heads that differ by a rounding error: twins(weights) gives [], but [(0, 1)]"),
        (pairs(lambda one, other: one == other), "your function stopped with RuntimeError: Boolean value of Tensor"),
    ],
}
