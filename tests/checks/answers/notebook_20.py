"""Right and wrong answers to the exercises in notebook 20 (the clinic)."""

import numpy as np
import torch

from companion.checks.notebook_20 import check_a_beginning_stays, check_diagnosis


def by_a_list(layer, inputs):
    number = inputs.shape[1]
    outputs = layer(inputs, torch.tensor([number]))[0]
    parts = [layer(inputs[:, :length], torch.tensor([length]))[0] for length in range(1, number + 1)]
    return max((part - outputs[: len(part)]).abs().amax() for part in parts)


RIGHT = {
    check_a_beginning_stays: [by_a_list, lambda *inputs: np.float32(by_a_list(*inputs))],
    check_diagnosis: [
        lambda: {"A": "score", "B": "mask", "C": "weigh"},
        lambda: dict(zip("CBA", ("weigh", "mask", "score"))),
    ],
}
WRONG = {
    check_a_beginning_stays: {
        "the layer got 1 tokens and lengths tensor([7])": {"[length]": "[number]"},
        "the longer beginnings are not tried": {"range(1, number + 1)": "range(1, 8)"},
    },
    check_diagnosis: {
        "B has a right `weigh`": lambda: {"A": "score", "B": "weigh", "C": "weigh"},
        "A has a right `mask`": lambda: {"A": "mask", "B": "mask", "C": "weigh"},
        "return a step for each of three patients": lambda: {"A": "score", "B": "mask"},
        "'key' is not a step": lambda: {"A": "key", "B": "mask", "C": "weigh"},
        "diagnosis() gives a list, but a dict was expected": lambda: ["score", "mask", "weigh"],
    },
}
