"""Right and wrong answers to the exercises in notebook 18 (the clinic)."""

import numpy as np
import torch

from companion.checks.notebook_18 import check_a_beginning_stays, check_diagnosis


def by_a_list(layer, inputs):
    number = inputs.shape[1]
    whole = layer(inputs, torch.tensor([number]))[0]
    parts = [layer(inputs[:, :length], torch.tensor([length]))[0] for length in range(1, number + 1)]
    return max((part - whole[: len(part)]).abs().amax() for part in parts)


def with_gradients_as_a_tensor(layer, inputs):
    whole, largest = layer(inputs, torch.tensor([inputs.shape[1]])), torch.zeros(())
    for length in range(inputs.shape[1] - 1, 0, -1):
        part = layer(inputs[:, :length], torch.tensor([length]))
        largest = torch.maximum(largest, (whole[:, :length] - part).abs().max())
    return largest


def with_the_whole_length(layer, inputs):
    lengths = torch.tensor([inputs.shape[1]])
    whole = layer(inputs, lengths)
    return (layer(inputs[:, :2], lengths) - whole[:, :2]).abs().max().item()


def all_but_the_longest(layer, inputs):
    whole = layer(inputs, torch.tensor([inputs.shape[1]]))
    parts = [layer(inputs[:, :length], torch.tensor([length])) for length in range(1, inputs.shape[1] - 1)]
    return max((part - whole[:, : part.shape[1]]).abs().max().item() for part in parts)


def first_and_last(layer, inputs):
    whole, changes = layer(inputs, torch.tensor([inputs.shape[1]])), []
    for length in range(1, inputs.shape[1]):
        gaps = (layer(inputs[:, :length], torch.tensor([length])) - whole[:, :length]).abs()
        changes += [gaps[:, 0].max(), gaps[:, -1].max()]
    return max(changes)


def of_seven(layer, inputs):
    whole = layer(inputs, torch.tensor([inputs.shape[1]]))
    parts = [layer(inputs[:, :length], torch.tensor([length])) for length in range(1, 7)]
    return max((part - whole[:, : part.shape[1]]).abs().max().item() for part in parts)


RIGHT = {
    check_a_beginning_stays: [by_a_list, with_gradients_as_a_tensor, lambda *given: np.float32(by_a_list(*given))],
    check_diagnosis: [
        lambda: {"A": "score", "B": "mask", "C": "weigh"},
        lambda: dict(zip("CBA", ("weigh", "mask", "score"))),
        lambda: dict(A="score", C="weigh", B="mask"),
    ],
}
WRONG = {
    check_a_beginning_stays: [
        (with_the_whole_length, "the layer got 2 tokens and lengths tensor([7])"),
        (
            all_but_the_longest,
            "a_beginning_stays of a layer whose third token alone reads the last has the right shape, but is off",
        ),
        (first_and_last, "only the last token of each beginning is compared"),
        (of_seven, "a_beginning_stays of"),
        (lambda layer, inputs: None, "a_beginning_stays of a layer that adds up the past gives None"),
    ],
    check_diagnosis: [
        (lambda: {"A": "score", "B": "weigh", "C": "weigh"}, "B has a right `weigh`"),
        (lambda: {"A": "mask", "B": "mask", "C": "weigh"}, "A has a right `mask`"),
        (lambda: {"A": "score", "B": "mask"}, "return a step for each of three patients"),
        (lambda: {"A": "key", "B": "mask", "C": "weigh"}, "'key' is no step"),
        (lambda: ["score", "mask", "weigh"], "diagnosis() gives a list, but a dict was expected"),
        (lambda: None, "diagnosis() gives None; did you forget `return`?"),
    ],
}
