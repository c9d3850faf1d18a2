"""Right and wrong answers to the exercises in notebook 15 (inside a real model)."""

import torch

from companion.checks.notebook_15 import EVERY, check_my_cut, check_my_null


def cut_by_index(real, positions, copy=torch.clone):
    mask = copy(real[:, None, :].expand(-1, real.shape[1], -1))
    for sentence, row in enumerate(torch.nn.functional.one_hot(positions, real.shape[1]).bool()):
        mask[sentence, positions[sentence]] = row
    return mask


def cut_in_every(real, positions, itself=True):
    """Cut each sentence at the positions of all sentences."""
    mask = real[:, None, :].repeat(1, real.shape[1], 1)
    mask[:, positions] = False
    mask[slice(None) if itself == "everywhere" else torch.arange(len(real)), positions, positions] = bool(itself)
    return mask


def controls(
    words="famous green silent wooden cold", others="short brief", count=lambda told_apart, word: told_apart(word)
):
    return lambda told_apart: [{word: count(told_apart, word) for word in part.split()} for part in (words, others)]


def the_same_twice(told_apart):
    found, _ = controls()(told_apart)
    return found, found


RIGHT = {check_my_cut: [cut_by_index], check_my_null: [controls(), controls("cold warm dark clean new heavy")]}
WRONG = {
    check_my_cut: [
        (lambda *given: cut_by_index(*given, copy=lambda view: view), "your mask is a view of `real`"),
        (cut_in_every, EVERY),
        (lambda *given: cut_in_every(*given, itself=False), EVERY),
        (lambda *given: cut_in_every(*given, itself="everywhere"), EVERY),
        (lambda real, positions: torch.zeros(3, 6, 6).bool(), "my_cut is False at (0, 0, 0), but True was expected"),
    ],
    check_my_null: [
        (controls("happy blue minute green red"), "“minute” is what we test"),
        (controls("happy blue short green red"), "“short” can mean a time or a size"),
        (controls("happy blue crack green red"), "“crack” is in the sentences already"),
        (controls("happy blue unbeatable green red"), "“unbeatable” is not one token"),
        (controls("happy blue ##ing green red"), "“##ing” is not one token"),
        (controls("happy blue happy green red"), "my_null has 4 different controls"),
        (controls(others="short heavy"), "“heavy” is not among the words of time or size"),
        (controls(others="long"), "in the second dictionary are at least two words"),
        (controls(count=lambda told_apart, word: told_apart), "my_null gives {'famous': <function"),
        (controls(count=lambda told_apart, word: 32), "my_null gives {'famous': 32"),
        (lambda told_apart: {word: 32 for word in ["happy", "blue", "red"]}, "my_null returns two things"),
        (lambda told_apart: (["happy"], {}), "a part of my_null gives a list, but"),
        (the_same_twice, "“famous” is not among the words of time or size"),
    ],
}
