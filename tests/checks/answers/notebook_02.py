"""Right and wrong answers to the exercises in notebook 02 (embeddings)."""

from itertools import zip_longest

import torch
import torch.nn.functional as F
from torch.nn.utils.rnn import pad_sequence

from companion.checks.notebook_02 import check_one_hot, check_pad


def compared(ids, num_classes, dtype=torch.float):
    return (ids[..., None] == torch.arange(num_classes)).to(dtype)


def compared_in_front(ids, num_classes):
    return (ids == torch.arange(num_classes)[:, None]).float()


def compared_as_second_axis(ids, num_classes):
    return (ids[:, None] == torch.arange(num_classes)).float()


def scattered(ids, num_classes):
    return torch.zeros(*ids.shape, num_classes).scatter(-1, ids[..., None], 1.0)


def looped(ids, num_classes):
    rows = torch.zeros(ids.numel(), num_classes)
    for row, place in zip(rows, ids.flatten().tolist()):
        row[place] = 1
    return rows.view(*ids.shape, num_classes)


def looped_over_one_sentence(ids, num_classes):
    return torch.tensor([[float(column == place) for column in range(num_classes)] for place in ids])


def joined_sentences(ids, num_classes):
    return compared(ids, num_classes).reshape(-1, num_classes)


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


def padded_to_the_first(sentences, pad_id):
    return torch.tensor([ids + [pad_id] * (len(sentences[0]) - len(ids)) for ids in sentences])


def padded_by_zipping(sentences, pad_id):
    return torch.tensor([*zip_longest(*sentences, fillvalue=pad_id)]).T


def padded_one_by_one(sentences, pad_id):
    longest = max(map(len, sentences))
    return torch.stack([F.pad(torch.tensor(ids), (0, longest - len(ids)), value=pad_id) for ids in sentences])


def padded_in_place(sentences, pad_id):
    for ids in sentences:
        ids.extend([pad_id] * (max(map(len, sentences)) - len(ids)))
    return torch.tensor(sentences)


RIGHT = {
    check_one_hot: [
        compared,
        scattered,
        looped,
        lambda ids, num_classes: torch.eye(num_classes)[ids],
        lambda ids, num_classes: torch.nn.Embedding.from_pretrained(torch.eye(num_classes))(ids),
        lambda ids, num_classes: (ids.unsqueeze(-1) - torch.arange(num_classes) == 0) * 1.0,
        lambda ids, num_classes: torch.where(ids.unsqueeze(-1) == torch.arange(num_classes), 1.0, 0.0),
    ],
    check_pad: [
        padded,
        padded_by_filling,
        padded_by_zipping,
        padded_one_by_one,
        lambda sentences, pad_id: padded_by_pytorch(sentences, pad_id, batch_first=True),
    ],
}
WRONG = {
    check_one_hot: [
        (
            lambda ids, num_classes: F.one_hot(ids, num_classes).float(),
            "F.one_hot is the function that you are to write",
        ),
        (lambda ids, num_classes: F.one_hot(ids), "F.one_hot is the function that you are to write"),
        (lambda ids, num_classes: (ids == torch.arange(num_classes)).float(), "id i is compared with column i alone"),
        (compared_in_front, "one row a column: the new axis must come last"),
        (
            lambda ids, num_classes: compared(ids, num_classes, torch.bool),
            "one_hot([2, 0, 3, 2], 4) gives True and Fal",
        ),
        (lambda ids, num_classes: compared(ids, num_classes, torch.long), "one_hot([2, 0, 3, 2], 4) gives whole numb"),
        (lambda ids, num_classes: torch.eye(num_classes, dtype=torch.int)[ids], "one_hot([2, 0, 3, 2], 4) gives whole"),
        (
            lambda ids, num_classes: compared(ids, num_classes, torch.double),
            "one_hot([2, 0, 3, 2], 4) has dtype torch.f",
        ),
        (lambda ids, num_classes: compared(ids, num_classes).sum(-2), "the rows are added up, which counts the ids"),
        (lambda ids, num_classes: compared(ids - 1, num_classes), "the first column is number 0"),
        (lambda ids, num_classes: 1 - compared(ids, num_classes), "zeros and ones are exchanged"),
        (lambda ids, num_classes: compared(ids, num_classes) * ids[..., None], "the row holds the id itself"),
        (
            lambda ids, num_classes: compared(ids, int(ids.max()) + 1),
            "there are as many columns as the largest id asks",
        ),
        (lambda ids, num_classes: compared(ids, 4), "the number of columns is always 4; num_classes says how many"),
        (lambda ids, num_classes: compared(ids, num_classes).tolist(), "one_hot([2, 0, 3, 2], 4) gives a list, but a "),
        (compared_as_second_axis, "the new axis is the second one; in a batch it must be the last"),
        (joined_sentences, "the sentences of the batch run together; keep its axes"),
        (looped_over_one_sentence, "it works on one sentence, but on a batch of ids (2, 4) it stopped with"),
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
        (lambda sentences, pad_id: torch.tensor(sentences), "pad([[5, 6, 7], [8], [9, 4]], 0) stopped with ValueError"),
        (padded_to_the_first, "pad([[1], [2, 3, 4, 5]], 9) stopped with ValueError: expected sequence of length 1"),
        (lambda sentences, pad_id: torch.stack([*map(torch.tensor, sentences)]), "pad([[5, 6, 7], [8], [9, 4]], 0) st"),
    ],
}
