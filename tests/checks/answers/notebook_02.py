"""Right and wrong answers to the exercises in notebook 02 (embeddings)."""

import torch
import torch.nn.functional as F
from torch.nn.utils.rnn import pad_sequence

from utils.checks.notebook_02 import check_look_up, check_pad


def padded(sentences, pad_id, width=None):
    width = width or max(map(len, sentences))
    return torch.tensor([(ids + [pad_id] * (width - len(ids)))[:width] for ids in sentences])


def padded_before(sentences, pad_id):
    return padded([ids[::-1] for ids in sentences], pad_id).flip(1)


def padded_by_filling(sentences, pad_id, dtype=torch.long):
    result = torch.full((len(sentences), max(map(len, sentences))), pad_id, dtype=dtype)
    for row, ids in zip(result, sentences):
        row[: len(ids)] = torch.tensor(ids)
    return result


def padded_by_pytorch(sentences, pad_id, **options):
    return pad_sequence([torch.tensor(ids) for ids in sentences], padding_value=pad_id, **options)


def padded_in_place(sentences, pad_id):
    for ids in sentences:
        ids.extend([pad_id] * (max(map(len, sentences)) - len(ids)))
    return torch.tensor(sentences)


RIGHT = {
    check_look_up: [
        lambda weight, ids: F.one_hot(ids, len(weight)).float() @ weight,
        lambda weight, ids: (ids[..., None] == torch.arange(len(weight))).double() @ weight.double(),
        lambda weight, ids: torch.einsum("...v,vd->...d", torch.eye(len(weight))[ids], weight),
    ],
    check_pad: [
        padded,
        padded_by_filling,
        lambda sentences, pad_id: padded_by_pytorch(sentences, pad_id, batch_first=True),
    ],
}
WRONG = {
    check_look_up: [
        (lambda weight, ids: (F.one_hot(ids, len(weight)).float() @ weight).sum(0), "these are the rows added up"),
        (lambda weight, ids: weight[ids.sort().values], "the rows come in the"),
        (lambda weight, ids: weight[ids].round(decimals=2), "look_up(weight, [4, 0, 4, 2]) is rounded (decimals=2)"),
        (lambda weight, ids: weight[ids.unique()], "look_up(weight, [4, 0, 4, 2]) gives shape (3, 3), but (4, 3)"),
        (lambda weight, ids: F.one_hot(ids, len(weight)), "look_up(weight, [4, 0, 4, 2]) gives shape (4, 5)"),
        (lambda weight, ids: weight[ids].tolist(), "look_up(weight, [4, 0, 4, 2]) gives a list, but a tensor"),
        (lambda weight, ids: F.one_hot(ids) @ weight, "your function stopped with RuntimeError: expected m1 and m2"),
        (lambda weight, ids: F.one_hot(ids).float() @ weight, "your function stopped with RuntimeError: mat1 and mat2"),
        (lambda weight, ids: weight[:, ids], "your function stopped with IndexError: index 4 is out of bounds"),
        (lambda weight, ids: weight[ids], "the vectors are right, but no product made them"),
        (lambda weight, ids: F.embedding(ids, weight), "the vectors are right, but no product made them"),
    ],
    check_pad: [
        (padded_before, "the padding stands before the words; put it after them"),
        (padded_by_pytorch, "one column a sentence; each sentence is a row"),
        (padded_in_place, "your function changed the lists it was given"),
        (lambda sentences, pad_id: padded(sentences, pad_id, width=1), "the sentences were cut to the shortest"),
        (lambda sentences, pad_id: padded(sentences, 0), "the padding is always 0; use the padding id"),
        (lambda sentences, pad_id: padded(sentences, pad_id, 3), "pad([[1], [2, 3, 4, 5]], 9) gives shape (2, 3)"),
        (lambda sentences, pad_id: padded(sentences, pad_id, len(sentences)), "pad([[1], [2, 3, 4, 5]], 9) gives"),
        (lambda sentences, pad_id: padded(sentences, pad_id, len(sentences[0])), "pad([[1], [2, 3, 4, 5]], 9) gives"),
        (lambda sentences, pad_id: padded_by_filling(sentences, pad_id, torch.float), "the ids are decimals"),
        (lambda sentences, pad_id: padded(sentences, pad_id).tolist(), "pad([[5, 6, 7], [8], [9, 4]], 0) gives a list"),
        (lambda sentences, pad_id: torch.tensor(sentences), "your function stopped with ValueError: expected sequence"),
    ],
}
