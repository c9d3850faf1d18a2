"""Right and wrong answers to the exercises in notebook 02 (embeddings)."""

from itertools import zip_longest

import torch

from companion.checks.notebook_02 import check_nearest, check_pad, check_plain_average


def nearest_by_sorting(table, index):
    return torch.cdist(table[[index]], table)[0].argsort()[1].item()


def padded_by_filling(sentences, pad_id, width=None, dtype=torch.long):
    result = torch.full((len(sentences), width or max(map(len, sentences))), pad_id, dtype=dtype)
    for row, ids in zip(result, sentences):
        row[: len(ids)] = torch.tensor(ids)
    return result


def padded_to_the_first(sentences, pad_id):
    return torch.tensor([ids + [pad_id] * (len(sentences[0]) - len(ids)) for ids in sentences])


RIGHT = {
    check_nearest: [nearest_by_sorting],
    check_plain_average: [
        lambda vectors: torch.full((len(vectors), len(vectors)), 1 / len(vectors)) @ vectors,
        lambda vectors: torch.stack([vectors.mean(0)] * len(vectors)),
    ],
    check_pad: [
        padded_by_filling,
        lambda sentences, pad_id: torch.tensor([*zip_longest(*sentences, fillvalue=pad_id)]).T,
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
        (lambda vectors: torch.ones(2, 2).long() @ vectors, "expected m1 and m2 to have the same dtype"),
    ],
    check_pad: [
        (lambda *given: padded_by_filling(*given, dtype=torch.float), "the ids are decimals; an embedding needs whole"),
        (lambda sentences, pad_id: padded_by_filling(sentences, pad_id, max(sentences)), "full(): argument 'size'"),
        (padded_to_the_first, "expected sequence of length 1 at dim 1 (got 4); is every row as long as the longest"),
        (lambda sentences, pad_id: torch.stack([*map(torch.tensor, sentences)]), "stack expects each tensor to be equ"),
    ],
}
