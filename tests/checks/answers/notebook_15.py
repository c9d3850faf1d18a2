"""Right and wrong answers to the exercises in notebook 15 (inside a real model)."""

import torch

from companion.checks.notebook_15 import PIECES, check_cut_word, check_my_cut, check_my_pool

UNKNOWN = ["[UNK]"]
BROADCAST = "The size of tensor a (5) must match the size of tensor b (3) at non-singleton dimension 1. Give `real` an"


def by_recursion(word, vocabulary, sign=""):
    for end in range(len(word), 0, -1):
        rest = by_recursion(word[end:], vocabulary, "##")
        if sign + word[:end] in vocabulary:
            return [sign + word[:end], *rest] if rest != UNKNOWN else UNKNOWN
    return UNKNOWN if word else []


def by_product(stream, real):
    shares = real.float() / real.sum(dim=1, keepdim=True)
    return (shares[:, None] @ stream).squeeze(1)


def cut_by_index(real, positions, copy=torch.clone):
    mask = copy(real[:, None, :].expand(-1, real.shape[1], -1))
    for sentence, row in enumerate(torch.nn.functional.one_hot(positions, real.shape[1]).bool()):
        mask[sentence, positions[sentence]] = row
    return mask


RIGHT = {check_cut_word: [by_recursion], check_my_pool: [by_product], check_my_cut: [cut_by_index]}
WRONG = {
    check_cut_word: [
        (lambda word, _: by_recursion(word, PIECES), "cut_word with another vocabulary gives ['[UNK]'], but")
    ],
    check_my_pool: [
        (lambda *given: by_product(*given).squeeze(), "my_pool for one sentence without padding gives shape (5,)"),
        (lambda stream, real: (stream * real[..., None]).sum(1) / real.sum(1), BROADCAST),
    ],
    check_my_cut: [(lambda *given: cut_by_index(*given, copy=lambda view: view), "your mask is a view of `real`")],
}
