"""Right and wrong answers to the exercises in notebook 04 (attention scores)."""

import math

import torch

from utils.checks.mistakes import EXCHANGED
from utils.checks.notebook_04 import check_additive_scores, check_scores_from_inputs


def scores_by_loop(query, key):
    if query.ndim > 2:
        return torch.stack([scores_by_loop(*pair) for pair in zip(query, key)])
    return torch.tensor([[float(q @ k) / math.sqrt(len(q)) for k in key] for q in query])


def additive_by_loop(query, key, vector):
    if query.ndim > 2:
        return torch.stack([additive_by_loop(*pair, vector) for pair in zip(query, key)])
    return torch.tensor([[float(vector @ torch.tanh(q + k)) for k in key] for q in query])


def from_inputs(score):
    return lambda inputs, W_query, W_key: score(inputs @ W_query, inputs @ W_key)


RIGHT = {
    check_scores_from_inputs: [
        from_inputs(scores_by_loop),
        from_inputs(lambda query, key: query.div_(query.shape[-1] ** 0.5) @ key.transpose(-2, -1)),
        from_inputs(lambda query, key: torch.einsum("...qd,...kd->...qk", query, key) * key.shape[-1] ** -0.5),
        from_inputs(lambda query, key: (key.double() @ query.double().mT).mT / math.sqrt(query.shape[-1])),
    ],
    check_additive_scores: [
        lambda query, key, vector: torch.tanh(query[..., None, :] + key[..., None, :, :]) @ vector,
        additive_by_loop,
        lambda query, key, vector: (query.double().unsqueeze(-2) + key.unsqueeze(-3)).tanh_().mul_(vector).sum(-1),
    ],
}
WRONG_SCORES = [
    (lambda query, key: key @ query.mT / 3, "query and key are exchanged: row i belongs to query i"),
    (lambda query, key: key @ query.mT, f"{EXCHANGED}; and the scale is missing"),
    (lambda query, key: query @ key.mT, "the scale is missing"),
    (lambda query, key: query @ key.mT * 3, "multiplied by the root of the size of query and key"),
    (lambda query, key: query @ key.mT / 9**-0.5, "multiplied by the root of the size of query and key"),
    (lambda query, key: query @ key.mT / query.shape[-1], "divided by the size of query and key itself"),
    (lambda query, key: query @ key.mT / len(key) ** 0.5, "divided by the root of the number of keys; take"),
    (lambda query, key: query @ key.mT / 18**0.5, "scores_from_inputs with 6 tokens has the right shape"),
    (lambda query, key: torch.softmax(query @ key.mT / 3, -1), "these are weights already: no softmax yet"),
    (lambda query, key: query @ key.T / query.shape[-1] ** 0.5, ".T turns all axes of a batch round"),
    (lambda query, key: query @ key.mT / query.shape[1] ** 0.5, "divided by the root of the number of keys; take"),
    (lambda query, key: (query @ key.mT / 3).round(decimals=2), "scores_from_inputs with 6 tokens is rounded"),
    (lambda query, key: (query * key).sum(-1) / 3, "scores_from_inputs with 6 tokens gives shape (6,)"),
]
WRONG = {
    check_scores_from_inputs: [
        (lambda X, q, k: (X @ q) @ (X @ k).mT / X.shape[-1] ** 0.5, "divided by the root of d_model, the inputs' size"),
        (lambda X, q, k: (X @ q.T) @ (X @ k.T).mT / 3, "the matrices are transposed, which square ones hide"),
        *((from_inputs(score), message) for score, message in WRONG_SCORES),
    ],
    check_additive_scores: [
        (lambda query, key, vector: (query[:, None] + key) @ vector, "tanh is missing"),
        (lambda query, key, vector: torch.tanh(key[:, None] + query) @ vector, "the matrix is turned round"),
        (lambda query, key, vector: torch.tanh(query[:, None] * key) @ vector, "query and key are multiplied"),
        (lambda query, key, vector: torch.tanh((query[:, None] + key) @ vector), "tanh comes last"),
        (lambda query, key, vector: torch.tanh(query + key) @ vector, "additive_scores with 5 queries and 5 keys"),
        (
            lambda query, key, vector: torch.tanh(query[:, None] + key) @ vector,
            "your function stopped with RuntimeError",
        ),
        (lambda query, key, vector: torch.tanh(query[:, None] + key), "additive_scores with 5 queries and 5 keys"),
    ],
}
