"""Right and wrong answers to the exercises in notebook 06 (context vectors)."""

import math

import torch
import torch.nn.functional as F

from companion.checks.notebook_06 import check_read_weights, check_self_attention
from utils.attention import attention, masked_softmax, project


def scaled(query, key):
    return query @ key.mT / math.sqrt(query.shape[-1])


def steps(score=scaled, soften=masked_softmax, mix=lambda weights, query, key, value: weights @ value):
    """Compose attention from its three steps, any of which may be a wrong one."""

    def answer(query, key, value, mask=None):
        weights = soften(score(query, key), mask)
        return mix(weights, query, key, value), weights

    return answer


def walk(answer):
    """Let an answer for query, key and value start from the inputs."""
    return lambda inputs, W_query, W_key, W_value, *mask: answer(*project(inputs, W_query, W_key, W_value), *mask)


def identity(size, query):
    return torch.eye(size, dtype=query.dtype).expand(*query.shape[:-2], size, size)


def read(query, key):
    return F.scaled_dot_product_attention(query, key, identity(key.shape[-2], query))


def by_pytorch(query, key, value, mask=None):
    each_alone = torch.eye(key.shape[-2]).expand(*key.shape[:-1], -1)
    context, weights = (F.scaled_dot_product_attention(query, key, part, mask) for part in (value, each_alone))
    return context, weights


def by_loop(query, key, value, mask=None):
    if query.ndim > 2:
        return tuple(map(torch.stack, zip(*map(by_loop, query, key, value))))
    rows = torch.zeros(len(query), len(key))
    for i, one_query in enumerate(query):
        allowed = [j for j in range(len(key)) if mask is None or mask[i, j]]
        if allowed:
            rows[i, allowed] = torch.softmax(key[allowed] @ one_query / math.sqrt(len(one_query)), 0)
    return torch.stack([sum(weight * v for weight, v in zip(row, value)) for row in rows]), rows


def in_place(query, key, value, mask=None):
    scores = (query @ key.mT).div_(query.shape[-1] ** 0.5)
    if mask is not None:
        scores[~mask] = -math.inf
    weights = scores.softmax(-1).nan_to_num_()
    return [weights @ value, weights]


def masked_afterwards(scores, mask=None):
    return torch.softmax(scores, -1) * (1 if mask is None else mask)


def renormalised(scores, mask=None):
    weights = masked_afterwards(scores, mask)
    return weights / weights.sum(-1, keepdim=True).clamp(min=1e-30)


def without_maximum(scores, mask=None):
    exps = scores.exp() * (1 if mask is None else mask)
    return exps / exps.sum(-1, keepdim=True).clamp(min=1e-30)


def over(axis):
    return lambda scores, mask: torch.softmax(scores, axis)


def filled(number, place=torch.logical_not):
    """Soften scores after writing this number wherever the function of the mask is True."""
    return lambda scores, mask: (scores if mask is None else scores.masked_fill(place(mask), number)).softmax(-1)


def filled_then_emptied(number):
    def soften(scores, mask=None):
        weights = filled(number)(scores, mask)
        return weights if mask is None else weights.masked_fill(~mask, 0.0)

    return soften


def rounded(decimals):
    return lambda scores, mask: masked_softmax(scores, mask).round(decimals=decimals)


def scaled_by_value(query, key, value, mask=None):
    return attention(query * (query.shape[-1] / value.shape[-1]) ** 0.5, key, value, mask)


def context_from(other):
    """The right weights, beside a context that other weights made."""
    return lambda *given: (other(*given)[0], attention(*given)[1])


RIGHT_ATTENTIONS = [
    attention,
    by_pytorch,
    by_loop,
    in_place,
    steps(soften=filled_then_emptied(torch.finfo(torch.float32).min)),
    steps(score=lambda query, key: torch.einsum("...qd,...kd->...qk", query, key) * key.shape[-1] ** -0.5),
    lambda query, key, value, mask=None: attention(query.double(), key.double(), value.double(), mask),
]
RIGHT = {
    check_read_weights: [
        read,
        lambda query, key: read(query.double(), key.double()),
        lambda query, key: F.scaled_dot_product_attention(query, key, torch.ones(key.shape[:-1]).diag_embed()),
        lambda query, key: F.scaled_dot_product_attention(query, key, torch.eye(key.shape[-2])),
        lambda query, key: F.scaled_dot_product_attention(query[None], key[None], torch.eye(key.shape[-2])[None])[0],
        lambda query, key: F.scaled_dot_product_attention(query, key, 2 * torch.eye(key.shape[-2])) / 2,
    ],
    check_self_attention: [walk(answer) for answer in RIGHT_ATTENTIONS],
}
WRONG_ATTENTIONS = [
    (lambda query, key, value: attention(query, key, value), "your function stopped with TypeError"),
    (lambda *given: attention(*given)[0], "self_attention returns two things: (context, weights)"),
    (lambda *given: attention(*given)[::-1], "context and weights are swapped"),
    (lambda *given: (attention(*given)[0].tolist(), attention(*given)[1]), "the context of 5 queries and 5 keys"),
    (steps(score=lambda query, key: scaled(key, query)), "query and key are exchanged"),
    (steps(score=lambda query, key: query @ key.mT), "the scale is missing"),
    (
        steps(score=lambda query, key: scaled(query, key) * query.shape[-1]),
        "multiplied by the root of the size of query and key",
    ),
    (steps(score=lambda query, key: query @ key.mT / query.shape[-1]), "divided by the size of query and key itself"),
    (steps(score=lambda query, key: query @ key.mT / len(key) ** 0.5), "divided by the root of the number of"),
    (steps(score=lambda query, key: query @ key.mT / 16**0.5), "divided by the root of 16, whatever the matrices"),
    (steps(score=lambda query, key: query @ key.mT / 24**0.5), "divided by the root of 24, whatever the matrices"),
    (steps(score=lambda query, key: query @ key.mT / 3), "the weight matrix of 5 queries and 5 keys has"),
    (steps(score=lambda query, key: query @ key.T / len(key.T) ** 0.5), ".T turns all axes of a batch round"),
    (scaled_by_value, "divided by the root of the values' size"),
    (steps(soften=over(0)), "the columns sum to 1, over the queries"),
    (steps(soften=over(-2)), "the columns sum to 1, over the queries"),
    (steps(soften=over(1)), "softmax runs over axis 1, the queries of a batch"),
    (steps(soften=lambda scores, mask: scores), "these are the scores; the weights come after softmax"),
    (steps(soften=without_maximum), "large scores give nan: exp overflows"),
    (steps(soften=rounded(1)), "the weight matrix of 5 queries and 5 keys is rounded (decimals=1)"),
    (steps(soften=rounded(4)), "the weight matrix of 5 queries and 5 keys is rounded (decimals=4)"),
    (steps(mix=lambda weights, *given: weights.round(decimals=2) @ given[2]), "the weights are rounded"),
    (steps(mix=lambda weights, query, key, value: weights @ query), "the context comes from the queries"),
    (steps(mix=lambda weights, query, key, value: weights @ key), "key and value are swapped: the weights must"),
    (steps(mix=lambda weights, query, key, value: weights.mT @ value), "the weights are turned round"),
    (lambda query, key, value, mask=None: attention(query, value, key, mask), "key and value are exchanged: scores"),
    (steps(mix=lambda weights, *given: (weights @ given[2]).flatten(0, -2)), "the context of a batch (4, 4, 4) gives"),
    (steps(soften=over(-1)), "the mask has no effect"),
    (context_from(steps(soften=over(-1))), "the context with a mask has the right shape"),
    (context_from(steps(soften=filled(-1e9))), "the context when one query may attend to nothing has the right shape"),
    (steps(soften=masked_afterwards), "the mask comes after softmax"),
    (steps(soften=filled(-math.inf, torch.Tensor.bool)), "the mask is turned round: True means 'may attend'"),
    (steps(soften=filled(0.0)), "masked scores are 0, and exp(0) is 1"),
    (steps(soften=filled(-math.inf)), "a query that may attend to nothing gives nan (0/0)"),
    (steps(soften=filled(-1e9)), "a query that may attend to nothing gets equal weights"),
    (steps(soften=renormalised), "a forbidden score may be much larger than the others"),
    (steps(soften=filled_then_emptied(-1e9)), "scores may lie below the number that hides a key"),
]
WRONG = {
    check_read_weights: [
        (lambda query, key: F.scaled_dot_product_attention(query, key, torch.ones(5, 5)), "with ones as value"),
        (lambda query, key: F.scaled_dot_product_attention(query, key, key), "this is the context of the keys"),
        (lambda query, key: F.scaled_dot_product_attention(query, key, query), "this is the context of the queries"),
        (lambda query, key: F.scaled_dot_product_attention(query, key, torch.eye(8)), "read_weights stopped with a q"),
        (
            lambda query, key: F.scaled_dot_product_attention(query, key, torch.eye(len(query))),
            "read_weights stopped with a query (3, 8) and a key (6, 8); the identity needs",
        ),
        (lambda query, key: scaled(query, key), "these are the scores; the weights come after softmax"),
        (lambda query, key: read(key, query), "query and key are exchanged"),
        (lambda query, key: read(query, key).round(decimals=2), "read_weights with 5 queries and 5 keys is rounded"),
        (
            lambda query, key: read(query, key)[..., : len(query)],
            "read_weights with 3 queries and 6 keys (how many rows",
        ),
        (lambda query, key: read(query, key).flatten(0, -2), "read_weights on a batch of 2 gives shape (8, 7)"),
        (lambda query, key: masked_softmax(scaled(query, key)), "the weights are right, but F.scaled_dot_product"),
    ],
    check_self_attention: [(walk(answer), message) for answer, message in WRONG_ATTENTIONS]
    + [
        (lambda X, q, k, v, *mask: walk(attention)(X, q.T, k.T, v.T, *mask), "the matrices are transposed, which"),
        (
            lambda X, q, k, v, *mask: walk(attention)(X, q * (len(q.T) / len(q)) ** 0.5, k, v, *mask),
            "divided by the root of d_model, the inputs' size",
        ),
    ],
}
