"""Right and wrong answers to the exercises in notebook 04 (attention scores)."""

import math

import torch

from companion.checks.notebook_04 import check_merge_matrices, check_mislead, check_my_scores


def by_loop(query, key):
    if query.ndim > 2:
        return torch.stack([by_loop(*pair) for pair in zip(query, key)])
    return torch.tensor([[float(q @ k) / math.sqrt(len(q)) for k in key] for q in query])


RIGHT = {
    check_my_scores: [
        by_loop,
        lambda query, key: torch.einsum("...qd,...kd->...qk", query, key) * key.shape[-1] ** -0.5,
        lambda query, key: (key.double() @ query.double().mT).mT / math.sqrt(query.shape[-1]),
        lambda query, key: (query.unsqueeze(-2) * key.unsqueeze(-3)).sum(-1) / key.shape[-1] ** 0.5,
    ],
    check_mislead: [
        lambda: ["there", "was", "one", "minute", "insect", "after", "the", "wait"],
        lambda: ["wait", "one", "minute", "stain"],
        lambda: ["wait", "wait", "wait", "wait", "one", "minute", "crumb"],
    ],
    check_merge_matrices: [
        lambda W_query, W_key: W_query @ W_key.T / W_query.shape[-1] ** 0.5,
        by_loop,
        lambda W_query, W_key: sum(map(torch.outer, W_query.T, W_key.T)) / len(W_key[0]) ** 0.5,
        lambda W_query, W_key: (W_key @ W_query.div(len(W_query[0]) ** 0.5).T).T,
    ],
}
WRONG = {
    check_my_scores: [
        (lambda query, key: None, "my_scores with 6 tokens gives None"),
        (lambda query, key: torch.nn.functional.linear(query, key), "the scale is missing"),
        (lambda query, key: query @ key.transpose(0, -1) / query.shape[-1] ** 0.5, ".T turns all axes of a batch"),
        (lambda query, key: query @ key.mT / query.shape[1] ** 0.5, "d_k is the last axis, query.shape[-1]"),
        (lambda query, key: (query * key).sum(-1) / 3, "my_scores with 6 tokens gives shape (6,)"),
        (lambda query, key: query @ key.mT / len(key) ** 0.5, "divided by the root of the number of keys"),
    ],
    check_mislead: [
        (lambda: None, "mislead() gives None"),
        (lambda: ["there", "was", "one", "minute", "mouse"], "the head does not know “mouse”"),
        (lambda: ["there", "was", "an", "insect", "after", "the", "wait"], "the head does not know “an”"),
        (lambda: ["there", "was", "one", "insect", "after", "the", "wait"], "“minute” stands in your sentence 0 times"),
        (
            lambda: ["one", "minute", "insect", "after", "one", "minute", "wait"],
            "“minute” stands in your sentence 2 times",
        ),
        (lambda: ["the", "insect", "talked", "about", "one", "minute", "wait"], "behind “minute” stands “wait”"),
        (lambda: ["the", "wait", "after", "one", "minute"], "behind “minute” stands “nothing”"),
        (lambda: ["there", "was", "one", "minute", "insect"], "no word for a time is in your sentence"),
        (
            lambda: ["one", "minute", "seed", "after", "the", "pause"],
            "the head answers “tiny”. What “minute” scores with the clues: “seed” 8.22",
        ),
        (
            lambda: ["wait", "one", "minute", "crumb", "wait"],
            "the head answers “tiny”. What “minute” scores with the clues: “wait” 4.20",
        ),
    ],
    check_merge_matrices: [
        (lambda W_query, W_key: W_query @ W_key / W_query.shape[-1], "W_query @ W_key lets d_k meet d_model"),
        (lambda W_query, W_key: W_query.T @ W_key.T, "your function stopped with RuntimeError"),
        (lambda W_query, W_key: torch.cat([W_query, W_key], 1), "merge_matrices with two matrices (7, 3) gives shape"),
        (lambda W_query, W_key: by_loop(W_key, W_query), "the matrix is turned round"),
    ],
}
