"""What a check and a student's code hand each other, alike in the notebook and in the grader.

The student's code holds stand-ins for our functions and modules, which can be called and nothing else; a check may do
a few things with an object that the student's code made, and no others; it may silence functions of the student's; and
an error is told with its place.
"""

import contextlib
import linecache
import traceback
import types

import torch
from torch import nn

# Stand-ins


class Function:
    """A function whose every call is answered elsewhere."""

    def __init__(self, ask):
        self._ask = ask

    def __call__(self, *args, **kwargs):
        return self._ask(args, kwargs, None)


class Module(nn.Module):
    """A module whose every call is answered elsewhere. It has no parameters, and its results no gradients."""

    def __init__(self, ask):
        super().__init__()
        self._ask = ask

    def forward(self, *args, **kwargs):
        return self._ask(args, kwargs, self.training)


# What may be done with an object of the student's


def act(made, method, *args, **kwargs):
    """Do one of "call", "train", "eval", "values" (all parameters and buffers by name), "trained" (the names of those
    that get gradients from what these inputs give) and "load" (copy them in)."""
    return ACTIONS[method](made, *args, **kwargs)


def find_in_torch(name):
    """Return what a dotted name like "torch.nn.Linear" stands for."""
    found = torch
    for part in name.split(".")[1:]:
        found = getattr(found, part)
    return found


def _call(made, *args, **kwargs):
    return made(*args, **kwargs)


def _train(made):
    made.train()


def _eval(made):
    made.eval()


def _trained(made, *inputs):
    """Walk the way of a backward; a real one stops where numbers were changed in place, which is right here."""
    with torch.enable_grad():
        given = made(*inputs)
    parts = given if isinstance(given, (list, tuple)) else [given]
    steps, seen = [part.grad_fn for part in parts if isinstance(part, torch.Tensor)], set()
    while steps:
        step = steps.pop()
        if step is not None and step not in seen:
            seen.add(step)
            steps += [before for before, _ in step.next_functions]
    leaves = {id(getattr(step, "variable", None)) for step in seen}
    return [name for name, tensor in _parameters(made).items() if id(tensor) in leaves]


def _load(made, tensors):
    targets = _tensors(made)
    names = {id(targets[name]): name for name in tensors}
    for name in tensors:
        other = names[id(targets[name])]
        if other != name:
            raise ValueError(f"{name} and {other} are the same parameter: make one for each")
    with torch.no_grad():
        for name, tensor in tensors.items():
            targets[name].copy_(tensor)


# The methods of torch itself: a class may have others of the same name.
def _tensors(made):
    return _parameters(made) | dict(nn.Module.named_buffers(made))


def _parameters(made):
    if not isinstance(made, nn.Module):
        raise TypeError(f"a {type(made).__name__} is no module: write class {type(made).__name__}(nn.Module)")
    return dict(nn.Module.named_parameters(made, remove_duplicate=False))


ACTIONS = {"call": _call, "train": _train, "eval": _eval, "values": _tensors, "trained": _trained, "load": _load}

# Functions that do nothing for a while


@contextlib.contextmanager
def silenced(names, functions):
    """Let functions of the namespace `names` do nothing meanwhile, whoever calls them, by whatever name."""
    found = {name: names[name] for name in functions if name in names}
    plain = [each for each in found.values() if isinstance(each, types.FunctionType) and not each.__closure__]
    codes = {each: each.__code__ for each in plain}
    for each in codes:
        each.__code__ = _nothing.__code__
    names.update(dict.fromkeys(functions, _nothing))
    try:
        yield
    finally:
        for name in functions:
            names.pop(name, None)
        names.update(found)
        for each, code in codes.items():
            each.__code__ = code


def _nothing(*args, **kwargs):
    pass


# The place of an error


def place(error, names):
    """Return the innermost line of the code that runs in the namespace `names`; "" if the error met none."""
    found = ""
    for frame, line in traceback.walk_tb(error.__traceback__):
        if frame.f_globals is names:
            function = frame.f_code.co_qualname.split(".<locals>")[0]
            where = f"line {line}" if function.startswith("<") else f"in `{function}`, line {line} of its cell"
            text = linecache.getline(frame.f_code.co_filename, line).strip()
            found = f"{where}: {text}" if text else where
    return found
