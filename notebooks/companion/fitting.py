"""Train a model on batches drawn at random, with the reader's own loop, and count its right answers. See notebook 09.

A model is called with the parts of what it reads, such as ids and a mask, and returns its logits first.
"""

import torch
from torch import nn


def loss_of(model, given, wanted):
    """Return the mean loss of a model, whose logits are (..., choices).

    given: what it reads, a list of tensors; wanted: the right choices, (...), and -100 where nothing is asked.
    """
    return nn.functional.cross_entropy(model(*given)[0].flatten(0, -2), wanted.flatten())


def fit(loop, model, given, wanted, steps=150, size=64, lr=0.025):
    """Train a model in place, and return it.

    loop: loop(loss_of_batch, optimizer, batches), as the reader writes it in notebook 07; given, wanted: as for
    `loss_of`, one row for each example; size: how many examples are drawn for each step.
    """
    batches = (torch.randint(len(wanted), (size,)) for _ in range(steps))
    optimizer = torch.optim.Adam(model.parameters(), lr=lr, fused=True)  # fused only saves time
    loop(lambda rows: loss_of(model, [part[rows] for part in given], wanted[rows]), optimizer, batches)
    return model


@torch.no_grad()
def percent_right(model, given, wanted):
    """Return the percentage of right answers to each question, (questions,), for wanted (examples, questions)."""
    return 100 * (model(*given)[0].argmax(dim=-1) == wanted).double().mean(dim=0)
