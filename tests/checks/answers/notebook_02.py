"""Right and wrong answers to the exercises in notebook 02 (embeddings)."""

import torch

from companion.checks.notebook_02 import check_nearest, check_plain_average


def nearest_by_sorting(table, index):
    return torch.cdist(table[[index]], table)[0].argsort()[1].item()


RIGHT = {
    check_nearest: [nearest_by_sorting],
    check_plain_average: [
        lambda vectors: torch.full((len(vectors), len(vectors)), 1 / len(vectors)) @ vectors,
        lambda vectors: torch.einsum("ij,jd->id", torch.ones(len(vectors), len(vectors)) / len(vectors), vectors),
    ],
}
WRONG = {
    check_nearest: [
        (lambda table, index: [torch.dist(row, table[index]) for row in table], "nearest in a table with 10 rows, of"),
        (lambda *given: float(nearest_by_sorting(*given)), "this is the distance; return the index"),
        (lambda table, index: 5, "nearest in a table with 6 rows, of row 0, has the right shape"),
    ],
    check_plain_average: [
        (lambda vectors: torch.full((2, 2), 1 / 2) @ vectors, "mat1 and mat2 shapes cannot be multiplied (2x2 and 5x4"),
        (lambda vectors: torch.full((2, 2), 1 / 2) * vectors, "The size of tensor a (2) must match the size of tensor"),
        (lambda vectors: torch.stack([vectors.mean(0)] * len(vectors)), "the numbers are right, but without shares"),
        (lambda vectors: torch.ones(2, 2).long() @ vectors, "expected m1 and m2 to have the same dtype"),
    ],
}
