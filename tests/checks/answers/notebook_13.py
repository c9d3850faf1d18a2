"""Answers to the exercises of notebook 13, right and wrong."""

import torch

from companion.checks.notebook_13 import check_greedy, check_hide, check_shift, hidden
from companion.pronunciation.decoding import MOST_PHONEMES, write
from companion.pronunciation.dictionary import BEGIN, END, PHONEMES, spelled
from companion.pronunciation.training import shifted


def shift_by_positions(phonemes):
    positions = torch.arange(phonemes.shape[1] - 1)
    return phonemes[:, positions], phonemes[:, positions + 1]


def shift_by_rows(phonemes):
    rows = [(row[:-1], row[1:]) for row in phonemes.tolist()]
    return tuple(torch.tensor(side) for side in zip(*rows))


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


def hide_by_where(model, word, position):
    memory, mask = model.encode(torch.tensor([spelled(word)]))
    return PHONEMES.decode(write(model, memory, mask & (torch.arange(mask.shape[-1]) != position))[0].tolist())


def hide_one_axis_early(model, word, position):
    memory, mask = model.encode(torch.tensor([spelled(word)]))
    mask[:, position] = False
    return PHONEMES.decode(write(model, memory, mask)[0].tolist())


def hide_without_row(ids_of):
    def hide(model, word, position):
        memory, mask = model.encode(torch.tensor([spelled(word)]))
        return PHONEMES.decode(ids_of(write(model, memory, mask)))

    return hide


RIGHT = {
    check_shift: [shifted, shift_by_positions, shift_by_rows, lambda phonemes: list(shifted(phonemes))],
    check_greedy: [decoding(), greedy_by_for, lambda model, word: tuple(list(decoding()(model, word)))],
    check_hide: [hidden, hide_by_where],
}
WRONG = {
    check_shift: [
        (lambda phonemes: shifted(phonemes.T), "the inputs of shift gives shape (5, 2), but (3, 4) was expected"),
        (lambda phonemes: shifted(phonemes.float()), "the inputs are ids, whole numbers; yours have a point"),
        (lambda phonemes: phonemes[:, :-1], "shift returns two things: (inputs, targets)"),
        (lambda phonemes: None, "shift gives None; did you forget `return`?"),
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
    check_hide: [
        (hide_one_axis_early, "your function stopped with IndexError: index 3 is out of bounds"),
        (hide_without_row(torch.Tensor.tolist), "write returns ids (1, phonemes): take its only row, [0]"),
        (hide_without_row(lambda ids: ids), "write returns ids (1, phonemes): take its only row, [0]"),
        (lambda *given: torch.tensor([7]), "hide for position 3 of “phoenix” gives ids"),
        (lambda *given: None, "hide for position 3 of “phoenix” gives None; did you forget `return`?"),
        (lambda *given: " ".join(hidden(*given)), "hide for position 3 of “phoenix” gives a str, but a tuple was"),
    ],
}
