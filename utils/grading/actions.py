"""What may be done with an object that a student's code made, in the notebook and in the grader alike."""

import torch


def call(made, *args, **kwargs):
    return made(*args, **kwargs)


def train(made):
    made.train()


def eval(made):
    made.eval()


def values(made):
    """Return all parameters and buffers by name, as tensors of their own."""
    tensors = _tensors(made)
    return {name: tensor.detach().clone() for name, tensor in tensors.items()}


def load(made, tensors):
    """Copy the tensors into the parameters and buffers of these names."""
    targets = _tensors(made)
    with torch.no_grad():
        for name, tensor in tensors.items():
            targets[name].copy_(tensor)


def _tensors(made):
    if not isinstance(made, torch.nn.Module):
        raise TypeError(f"a {type(made).__name__} is no module: write class {type(made).__name__}(nn.Module)")
    # The methods of torch itself: a class may have others of the same name.
    return dict(torch.nn.Module.named_parameters(made)) | dict(torch.nn.Module.named_buffers(made))


def find_in_torch(name):
    """Return what a dotted name like "torch.nn.Linear" stands for."""
    found = torch
    for part in name.split(".")[1:]:
        found = getattr(found, part)
    return found
