"""Right and wrong answers to the exercises in notebook 04 (attention scores)."""

import math

import torch

from companion.checks.mistakes import EXCHANGED
from companion.checks.notebook_04 import check_merge, check_scores_from_inputs


def scores_by_loop(query, key):
    if query.ndim > 2:
        return torch.stack([scores_by_loop(*pair) for pair in zip(query, key)])
    return torch.tensor([[float(q @ k) / math.sqrt(len(q)) for k in key] for q in query])


def merge_by_loop(W_query, W_key):
    size = len(W_query)
    entries = [[float(W_query[a] @ W_key[b]) / math.sqrt(W_key.shape[1]) for b in range(size)] for a in range(size)]
    return torch.tensor(entries)


def merge_by_trying(W_query, W_key):
    """Ask for the scores of inputs that have one feature each: that is M itself."""
    return from_inputs(scores_by_loop)(torch.eye(len(W_query)), W_query, W_key)


def from_inputs(score):
    return lambda inputs, W_query, W_key: score(inputs @ W_query, inputs @ W_key)


TURNED = "the matrix is turned round: its left side meets the one who asks, so W_query comes first"
RIGHT = {
    check_scores_from_inputs: [
        from_inputs(scores_by_loop),
        from_inputs(lambda query, key: query.div_(query.shape[-1] ** 0.5) @ key.transpose(-2, -1)),
        from_inputs(lambda query, key: torch.einsum("...qd,...kd->...qk", query, key) * key.shape[-1] ** -0.5),
        from_inputs(lambda query, key: (key.double() @ query.double().mT).mT / math.sqrt(query.shape[-1])),
        from_inputs(lambda query, key: (query.unsqueeze(-2) * key.unsqueeze(-3)).sum(-1) / key.shape[-1] ** 0.5),
        lambda inputs, W_query, W_key: inputs @ (W_query @ W_key.T / W_key.shape[1] ** 0.5) @ inputs.mT,
    ],
    check_merge: [
        lambda W_query, W_key: W_query @ W_key.T / W_query.shape[-1] ** 0.5,
        merge_by_loop,
        merge_by_trying,
        lambda W_query, W_key: torch.einsum("ak,bk->ab", W_query.double(), W_key.double()) * W_key.shape[1] ** -0.5,
        lambda W_query, W_key: torch.nn.functional.linear(W_query, W_key) / math.sqrt(W_key.shape[1]),
        lambda W_query, W_key: sum(map(torch.outer, W_query.T, W_key.T)) / len(W_key[0]) ** 0.5,
        lambda W_query, W_key: (W_key @ W_query.div(len(W_query[0]) ** 0.5).T).T,
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
    (lambda query, key: query @ key.mT / 24**0.5, "divided by √24 whatever the matrices are"),
    (lambda query, key: query @ key.mT / 18**0.5, "scores_from_inputs with 6 tokens has the right shape"),
    (lambda query, key: torch.softmax(query @ key.mT / 3, -1), "these are weights already: no softmax yet"),
    (lambda query, key: query @ key.T / query.shape[-1] ** 0.5, ".T turns all axes of a batch round"),
    (lambda query, key: query @ key.transpose(0, 1) / query.shape[-1] ** 0.5, "transpose(0, 1) exchanges the batch"),
    (lambda query, key: query @ key.transpose(0, -1) / query.shape[-1] ** 0.5, ".T turns all axes of a batch round"),
    (lambda query, key: query @ key.mT / query.shape[1] ** 0.5, "divided by the root of the number of keys; take"),
    (lambda query, key: (query @ key.mT / 3).round(decimals=2), "scores_from_inputs with 6 tokens is rounded"),
    (lambda query, key: (query * key).sum(-1) / 3, "scores_from_inputs with 6 tokens gives shape (6,)"),
]
WRONG = {
    check_scores_from_inputs: [
        (lambda X, q, k: (X @ q) @ (X @ k).mT / X.shape[-1] ** 0.5, "divided by the root of d_model, the inputs' size"),
        (lambda X, q, k: X @ X.mT / X.shape[-1] ** 0.5, "the inputs meet themselves: first make queries and keys"),
        (lambda X, q, k: (X @ q.T) @ (X @ k.T).mT / 3, "the matrices are transposed, which square ones hide"),
        (lambda X, q, k: (X @ q) @ (X @ q).mT / 3, "the same matrix makes query and key; each has its own"),
        (lambda X, q, k: (X @ k) @ (X @ k).mT / 3, "the same matrix makes query and key; each has its own"),
        *((from_inputs(score), message) for score, message in WRONG_SCORES),
    ],
    check_merge: [
        (lambda q, k: k @ q.T / k.shape[1] ** 0.5, "the matrix is turned round: its left side meets the one who asks"),
        (lambda q, k: k @ q.T, f"{TURNED}; and the scale is missing"),
        (lambda q, k: q @ k.T, "the scale is missing: divide by the square root of d_k"),
        (lambda q, k: q @ k.T * q.shape[1] ** 0.5, "multiplied by the root of d_k where it should be divided"),
        (lambda q, k: q @ k.T / q.shape[1], "divided by d_k: it is scaled twice, or without the root"),
        (lambda q, k: (q / q.shape[1] ** 0.5) @ (k / k.shape[1] ** 0.5).T, "divided by d_k: it is scaled twice"),
        (lambda q, k: q @ k.T / q.shape[0] ** 0.5, "divided by the root of d_model, the inputs' size"),
        (lambda q, k: q @ k.T / len(q), "divided by d_model, the inputs' size"),
        (lambda q, k: q @ k.T / 24**0.5, "divided by √24 whatever the matrices are"),
        (
            lambda q, k: k.T @ q / q.shape[1] ** 0.5,
            "merge with two matrices (7, 3) gives shape (3, 3): your product sums",
        ),
        (
            lambda q, k: q.T @ k,
            "merge with two matrices (7, 3) gives shape (3, 3): your product sums over the features",
        ),
        (lambda q, k: q * k / q.shape[1] ** 0.5, "merge with two matrices (7, 3) gives shape (7, 3): * multiplies"),
        (lambda q, k: torch.softmax(q @ k.T / q.shape[1] ** 0.5, -1), "softmax needs the scores of inputs: M comes"),
        (lambda q, k: torch.softmax(q @ k.T, -1), "softmax needs the scores of inputs, and the scale is missing"),
        (lambda q, k: q @ k, "W_query @ W_key lets d_k meet d_model: transpose W_key, so that d_k meets d_k"),
        (lambda q, k: q @ k / q.shape[-1] ** 0.5, "W_query @ W_key lets d_k meet d_model"),
        (lambda q, k: q @ k / q.shape[-1], "W_query @ W_key lets d_k meet d_model"),
        (lambda q, k: q.T @ k.T, "your function stopped with RuntimeError"),
        (lambda q, k: q @ k.T / 3**0.5, "merge with two matrices (4, 9) has the right shape, but is off"),
        (
            lambda q, k: torch.cat([q, k], 1),
            "merge with two matrices (7, 3) gives shape (7, 6), but (7, 7) was expected",
        ),
    ],
}
