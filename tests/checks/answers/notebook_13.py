"""Answers to the exercises of notebook 13, right and wrong."""

from functools import cache

import torch

from companion.checks.notebook_13 import check_edits, check_greedy, check_shift
from companion.pronunciation.decoding import MOST_PHONEMES
from companion.pronunciation.dictionary import BEGIN, END, PHONEMES, spelled
from companion.pronunciation.error_rates import edit_distance
from companion.pronunciation.training import shifted


def shift_by_places(phonemes):
    places = torch.arange(phonemes.shape[1] - 1)
    return phonemes[:, places], phonemes[:, places + 1]


def shift_by_rows(phonemes):
    rows = [(row[:-1], row[1:]) for row in phonemes.tolist()]
    return tuple(torch.tensor(side) for side in zip(*rows))


@cache
def by_definition(first, second):
    if not first or not second:
        return len(first) + len(second)
    return min(
        by_definition(first[1:], second) + 1,
        by_definition(first, second[1:]) + 1,
        by_definition(first[1:], second[1:]) + (first[0] != second[0]),
    )


def by_whole_table(first, second):
    table = [[i + j for j in range(len(second) + 1)] for i in range(len(first) + 1)]
    for i in range(len(first)):
        for j in range(len(second)):
            change = table[i][j] + (first[i] != second[j])
            table[i + 1][j + 1] = min(table[i][j + 1] + 1, table[i + 1][j] + 1, change)
    return table[-1][-1]


def table(insert=1, delete=1, replace=1, edge=1):
    def edits(first, second):
        cost = [[(i + j) * edge for j in range(len(second) + 1)] for i in range(len(first) + 1)]
        for i, symbol in enumerate(first):
            for j, other in enumerate(second):
                change = cost[i][j] + replace * (symbol != other)
                cost[i + 1][j + 1] = min(cost[i][j + 1] + delete, cost[i + 1][j] + insert, change)
        return cost[-1][-1]

    return edits


def without_an_end(first, second):
    return min(
        without_an_end(first[1:], second) + 1,
        without_an_end(first, second[1:]) + 1,
        without_an_end(first[1:], second[1:]) + (first[:1] != second[:1]),
    )


def with_half_an_end(first, second):
    if not first:
        return len(second)
    return min(
        with_half_an_end(first[1:], second) + 1,
        with_half_an_end(first, second[1:]) + 1,
        with_half_an_end(first[1:], second[1:]) + (first[0] != second[0]),
    )


def with_a_free_end(first, second):
    if not first or not second:
        return 0
    return min(
        with_a_free_end(first[1:], second) + 1,
        with_a_free_end(first, second[1:]) + 1,
        with_a_free_end(first[1:], second[1:]) + (first[0] != second[0]),
    )


def common(first, second):
    """The longest common part in place of the distance."""
    return max(len(first), len(second)) - edit_distance(first, second)


def decoding(start=BEGIN, most=MOST_PHONEMES, pick=None, read=None, spell=spelled, name=PHONEMES.decode, until=END):
    """Greedy decoding in which one part can be wrong."""

    def greedy(model, word):
        memory, mask = model.encode(torch.tensor([spell(word)]))
        said = [start]
        while said[-1] != until and len(said) <= most:
            logits = model.decode(torch.tensor([read(said) if read else said]), memory, mask)
            said.append(int(pick(logits) if pick else logits[0, -1].argmax()))
        return name(said)

    return greedy


def greedy_by_for(model, word):
    memory, mask = model.encode(torch.tensor([spelled(word)]))
    said = torch.tensor([[BEGIN]])
    for _ in range(MOST_PHONEMES):
        likeliest = model.decode(said, memory, mask)[:, -1:].argmax(dim=-1)
        said = torch.cat([said, likeliest], dim=1)
        if likeliest == END:
            break
    return PHONEMES.decode(said[0].tolist())


def encodes_each_time(model, word):
    said = [BEGIN]
    while said[-1] != END and len(said) <= MOST_PHONEMES:
        logits = model.decode(torch.tensor([said]), *model.encode(torch.tensor([spelled(word)])))
        said.append(int(logits[0, -1].argmax()))
    return PHONEMES.decode(said)


def without_batch(model, word):
    return PHONEMES.decode(model.encode(torch.tensor(spelled(word))))


def written_without_batch(model, word):
    memory, mask = model.encode(torch.tensor([spelled(word)]))
    return PHONEMES.decode(model.decode(torch.tensor([BEGIN]), memory, mask))


RIGHT = {
    check_shift: [shifted, shift_by_places, shift_by_rows, lambda phonemes: list(shifted(phonemes))],
    check_edits: [edit_distance, by_definition, by_whole_table, table()],
    check_greedy: [decoding(), greedy_by_for, lambda model, word: tuple(list(decoding()(model, word)))],
}
WRONG = {
    check_shift: [
        (lambda phonemes: shifted(phonemes)[::-1], "the order is: inputs first, then targets"),
        (lambda phonemes: (phonemes, phonemes[:, 1:]), "the inputs still hold the last place"),
        (lambda phonemes: (phonemes[:, 1:], phonemes[:, 1:]), "the inputs lack begin"),
        (lambda phonemes: (phonemes[:-1], phonemes[1:]), "a word is lacking: rows are words; cut along the second"),
        (lambda phonemes: (phonemes[:, :-1], phonemes[1:]), "a word is lacking: rows are words; cut along the second"),
        (lambda phonemes: (phonemes[:, :-1], phonemes[:, :-1]), "the targets are not shifted"),
        (lambda phonemes: (phonemes[:, :-1], phonemes), "the targets still hold begin"),
        (lambda phonemes: (phonemes[:, :-1], phonemes.roll(1, 1)[:, :-1]), "the targets are shifted the wrong way"),
        (lambda phonemes: (phonemes[:, :-1], phonemes.roll(-1, 1)), "the targets are rolled"),
        (lambda phonemes: (phonemes[:, :-1], phonemes[:, 2:]), "the targets lie two places ahead"),
        (lambda phonemes: shifted(phonemes.float()), "the inputs are ids, whole numbers; yours have a point"),
        (lambda phonemes: phonemes[:, :-1], "shift returns two things: (inputs, targets)"),
        (lambda phonemes: None, "shift gives None; did you forget `return`?"),
    ],
    check_edits: [
        (
            lambda first, second: sum(map(str.__ne__, first, second)) + abs(len(first) - len(second)),
            "place is compared with place",
        ),
        (lambda first, second: sum(map(str.__ne__, first, second)), "places are compared only as far as both go"),
        (lambda first, second: abs(len(first) - len(second)), "only the lengths are compared"),
        (lambda first, second: len(set(first) ^ set(second)), "only which phonemes occur is compared"),
        (table(replace=2), "a replacement counts as two edits; it is one"),
        (table(insert=1_000), "a phoneme that is lacking is never inserted"),
        (table(delete=1_000), "a phoneme too many is never deleted"),
        (table(edge=0), "what stands before the first match costs nothing"),
        (lambda first, second: int(first != second), "this says whether they differ, not by how many edits"),
        (with_a_free_end, "what is left when one of the two is empty costs nothing"),
        (without_an_end, "your function stopped with RecursionError: what if one of the two is empty?"),
        (with_half_an_end, "your function stopped with RecursionError: what if one of the two is empty?"),
        (lambda first, second: int(first[0] != second[0]), "your function stopped with IndexError: what if one of"),
        (common, "edits of “N AY T” and “N AY T” gives 3, but 0 was expected"),
        (lambda first, second: float(edit_distance(first, second)), "edits of “N AY T” and “N AY T” gives a float"),
        (lambda first, second: None, "edits of “N AY T” and “N AY T” gives None; did you forget `return`?"),
    ],
    check_greedy: [
        (encodes_each_time, "the encoder ran 4 times for one word"),
        (decoding(pick=lambda logits: logits[0, 0].argmax()), "greedy for “knight” repeats itself"),
        (decoding(read=lambda said: [BEGIN, *said[1:][-1:]]), "greedy for “knight” gets lost"),
        (decoding(read=lambda said: said[-1:]), "hand over all that was written, from BEGIN on, not its end alone"),
        (decoding(until=None), "the decoder ran 26 times for 4 phonemes, END included: stop at END"),
        (decoding(start=END, until=BEGIN), "what is written starts with BEGIN"),
        (decoding(pick=lambda logits: logits[0, -1].topk(2).indices[1]), "greedy for “knight” takes the second best"),
        (decoding(name=tuple), "greedy for “knight” gives ids; PHONEMES.decode names them"),
        (decoding(name=lambda said: list(PHONEMES.decode(said))), "greedy for “knight” gives a list, but a tuple was"),
        (decoding(most=1_000), "it goes on for ever: stop at END, or after 26 phonemes"),
        (decoding(most=40), "greedy for “banana” gives 40 phonemes; stop after 26, END or not"),
        (decoding(most=3), "greedy for “phoenix” stops after 3 of 5 phonemes"),
        (decoding(spell=lambda word: spelled(word)[:-1]), "the letters lack their end: spelled(word) adds it"),
        (without_batch, "encode takes a tensor of ids with a batch axis"),
        (written_without_batch, "decode takes a tensor of ids with a batch axis"),
        (lambda model, word: None, "greedy for “knight” gives None; did you forget `return`?"),
        (lambda model, word: " ".join(decoding()(model, word)), "greedy for “knight” gives a str, but a tuple was"),
    ],
}
