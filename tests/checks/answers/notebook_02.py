"""Right and wrong answers to the exercises in notebook 02 (embeddings)."""

from itertools import zip_longest

import torch
import torch.nn.functional as F

from companion.checks.notebook_02 import averaged, check_one_hot, check_pad, check_plain_average, hot, padded


def compared(ids, num_classes, dtype=torch.float):
    return (ids[..., None] == torch.arange(num_classes)).to(dtype)


def looped(ids, num_classes):
    return torch.tensor([[float(column == place) for column in range(num_classes)] for place in ids])


def asked_one_by_one(ids, num_classes):
    if ids == torch.arange(num_classes):
        return torch.ones(num_classes)


def by_shares(vectors):
    return torch.full((len(vectors), len(vectors)), 1 / len(vectors)) @ vectors


def padded_by_filling(sentences, pad_id, width=None, dtype=torch.long):
    result = torch.full((len(sentences), width or max(map(len, sentences))), pad_id, dtype=dtype)
    for row, ids in zip(result, sentences):
        row[: len(ids)] = torch.tensor(ids)
    return result


def padded_by_zipping(sentences, pad_id):
    return torch.tensor([*zip_longest(*sentences, fillvalue=pad_id)]).T


def padded_to_the_first(sentences, pad_id):
    return torch.tensor([ids + [pad_id] * (len(sentences[0]) - len(ids)) for ids in sentences])


def padded_in_place(sentences, pad_id):
    for ids in sentences:
        ids.extend([pad_id] * (max(map(len, sentences)) - len(ids)))
    return torch.tensor(sentences)


RIGHT = {
    check_one_hot: [
        compared,
        looped,
        hot,
        lambda ids, num_classes: torch.zeros(*ids.shape, num_classes).scatter(-1, ids[..., None], 1.0),
        lambda ids, num_classes: torch.where(ids.unsqueeze(-1) == torch.arange(num_classes), 1.0, 0.0),
    ],
    check_plain_average: [averaged, by_shares, lambda vectors: torch.stack([vectors.mean(0)] * len(vectors))],
    check_pad: [padded, padded_by_filling, padded_by_zipping],
}
WRONG = {
    check_one_hot: [
        (lambda *given: F.one_hot(*given).float(), "F.one_hot is the function that you are to write"),
        (lambda *given: compared(*given, torch.bool), "one_hot([2, 0, 3, 2], 4) gives True and False; a product"),
        (lambda *given: compared(*given, torch.long), "one_hot([2, 0, 3, 2], 4) gives torch.int64, but a product"),
        (
            lambda *given: compared(*given).tolist(),
            "one_hot([2, 0, 3, 2], 4) gives a list, but a tensor was expected: a list cannot",
        ),
        (lambda ids, n: (ids[:, None] + torch.arange(n)).float(), "ids and column numbers are added up; compare them"),
        (asked_one_by_one, "your function stopped with RuntimeError: Boolean value of Tensor with more than one value"),
        (lambda ids, n: (torch.arange(n)[:, None] == ids).float(), "your ids run along the columns; they must be"),
        (lambda ids, n: ids[..., None] == range(n), "'ids == ...' gives one bool; compare with a tensor"),
        (lambda ids, n: (ids[..., None] == range(n)).float(), "'ids == ...' gives one bool; compare with a tensor"),
    ],
    check_plain_average: [
        (lambda vectors: torch.full((6, 6), 1 / 6) @ vectors, "your function stopped with RuntimeError"),
        (
            lambda vectors: vectors.softmax(dim=0) @ vectors.T,
            "plain_average of 2 words with 3 numbers each gives shape",
        ),
    ],
    check_pad: [
        (padded_in_place, "your function changed the lists it was given"),
        (lambda *given: padded_by_filling(*given, dtype=torch.float), "the ids are decimals; an embedding needs whole"),
        (lambda *given: padded_by_filling(*given, width=5), "pad([[5, 6, 7], [8], [9, 4]], 0) gives shape (3, 5)"),
        (lambda *given: padded(*given).tolist(), "pad([[5, 6, 7], [8], [9, 4]], 0) gives a list"),
        (
            lambda sentences, pad_id: padded_by_filling(sentences, pad_id, max(sentences)),
            "pad([[5, 6, 7], [8], [9, 4]], 0) stopped with TypeError",
        ),
        (padded_to_the_first, "pad([[1], [2, 3, 4, 5]], 9) stopped with ValueError: expected sequence of length 1"),
        (lambda sentences, pad_id: torch.stack([*map(torch.tensor, sentences)]), "pad([[5, 6, 7], [8], [9, 4]], 0) st"),
    ],
}
