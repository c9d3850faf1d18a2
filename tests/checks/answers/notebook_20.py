"""Right and wrong answers to the exercises in notebook 20 (the clinic)."""

import numpy as np
import torch

from companion.checks.notebook_20 import check_a_beginning_stays, check_diagnosis


def by_a_list(layer, inputs):
    number = inputs.shape[1]
    outputs = layer(inputs, torch.tensor([number]))[0]
    parts = [layer(inputs[:, :length], torch.tensor([length]))[0] for length in range(1, number + 1)]
    return max((part - outputs[: len(part)]).abs().amax() for part in parts)


def with_the_whole_length(layer, inputs):
    lengths = torch.tensor([inputs.shape[1]])
    outputs = layer(inputs, lengths)
    return (layer(inputs[:, :2], lengths) - outputs[:, :2]).abs().max().item()


RIGHT = {
    check_a_beginning_stays: [by_a_list, lambda *inputs: np.float32(by_a_list(*inputs))],
    check_diagnosis: [
        lambda: {"A": "score", "B": "mask", "C": "weigh"},
        lambda: dict(zip("CBA", ("weigh", "mask", "score"))),
    ],
}
WRONG = {
    check_a_beginning_stays: [(with_the_whole_length, "the layer got 2 tokens and lengths tensor([7])")],
    check_diagnosis: [
        (lambda: {"A": "score", "B": "weigh", "C": "weigh"}, "B has a right `weigh`"),
        (lambda: {"A": "mask", "B": "mask", "C": "weigh"}, "A has a right `mask`"),
        (lambda: {"A": "score", "B": "mask"}, "return a step for each of three patients"),
        (lambda: {"A": "key", "B": "mask", "C": "weigh"}, "'key' is not a step"),
        (lambda: ["score", "mask", "weigh"], "diagnosis() gives a list, but a dict was expected"),
    ],
}
