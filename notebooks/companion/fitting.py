"""Draw a model's first numbers, train it with the reader's own loop, and count its right answers. See notebook 09.

A model is called with the parts of what it reads, such as ids and a mask, and returns its logits first.
"""

import torch
from torch import nn


def redraw(model, seed, *parts):
    """Draw a model's first numbers again, part by part, and return the model.

    parts: names in the order in which they are drawn; without any, the model's own, as its class makes them.
    A reader may create the layers of a head in any order; so every correct head starts with the same numbers.
    """
    torch.manual_seed(seed)
    layers = dict(model.named_modules())
    for part in parts or dict(model.named_children()):
        for name in (part, *(f"{part}.W_{role}" for role in ("query", "key", "value", "output"))):
            if hasattr(layers.get(name), "reset_parameters"):
                layers[name].reset_parameters()
    return model


def loss_of(model, inputs, targets):
    """Return the mean loss of a model, whose logits are (..., choices).

    inputs: what it reads, a list of tensors; targets: the right choices, (...), and -100 where nothing is asked.
    """
    return nn.functional.cross_entropy(model(*inputs)[0].flatten(0, -2), targets.flatten())


def fit(loop, model, inputs, targets, steps=150, size=64, lr=0.025):
    """Train a model in place, and return it.

    loop: loop(loss_of_batch, optimizer, batches), as the reader writes it in notebook 07; inputs, targets: as for
    `loss_of`, one row for each example; size: how many examples are drawn for each step.
    """
    batches = (torch.randint(len(targets), (size,)) for _ in range(steps))
    optimizer = torch.optim.Adam(model.parameters(), lr=lr, fused=True)  # fused only saves time
    loop(lambda rows: loss_of(model, [part[rows] for part in inputs], targets[rows]), optimizer, batches)
    return model


def descend(loss_of, optimizer, batches):
    """Take a step for each batch, and yield its number and its loss before it is taken: `one_loop`, to be watched."""
    for step, batch in enumerate(batches):
        loss = loss_of(batch)
        yield step, loss.item()
        optimizer.zero_grad()
        loss.backward()
        optimizer.step()


@torch.no_grad()
def percents_right(model, inputs, targets):
    """Return the percentage of right answers to each question, (questions,), for targets (examples, questions)."""
    return 100 * (model(*inputs)[0].argmax(dim=-1) == targets).double().mean(dim=0)
