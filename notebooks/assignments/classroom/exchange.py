"""What a check and a student's code hand each other, alike in the notebook (`local.py`) and in the grader (`grader/`).

The student's code holds stand-ins for our functions and modules, which can be called and nothing else.
"""

import contextlib
import functools
import itertools
import linecache
import traceback
import types
from collections.abc import Callable, Sequence

import torch
from torch import nn

# What a student's code may take, in processor time and calls, which are the same on an idle and on a busy machine.
CALL_SECONDS, CHECK_SECONDS = 15, 120  # seconds for one cell or request; for all requests of a check, in all its runs
MOST_CALLS = 5_000  # of our functions, by the student's code, within one request
MOST_PARTS = 100  # of what is made one by one, as map and zip do
LARGEST_CALL = 8_192  # numbers in such a call: in the grader, our functions run without a limit of memory


def stand_in(is_module: bool, ask: Callable) -> Callable:
    """Return a function, or a module without parameters, whose calls are answered by ask(args, kwargs, training)."""

    class StandIn(nn.Module):
        def forward(self, *args, **kwargs):
            return ask(args, kwargs, self.training)

    return StandIn() if is_module else lambda *args, **kwargs: ask(args, kwargs, None)


def count_numbers(value) -> int:
    """Count the numbers in a call's arguments, a whole number at its own size: it may be a length."""
    if isinstance(value, torch.Tensor):
        return value.numel() // (8 if value.dtype == torch.bool else 1)
    if isinstance(value, (list, tuple)):
        return sum(map(count_numbers, value)) + len(value)
    if isinstance(value, dict):
        return count_numbers(list(value.values()))
    return abs(value) if isinstance(value, int) else 0


class NotDefined(Exception):
    """The student's code does not define this name."""


def perform(names: dict, replacements: dict[str, Callable], do: str, name: str, args: Sequence, kwargs: dict):
    """Do one thing with what stands in the namespace `names`, where those in `replacements` stand for these functions.

    do: "read" a name, "call" it, or "make" an object by calling it; or "act" on an object, args[0]: then `name` is one
    of the actions in `act`. A name may also be one of torch's, like "torch.nn.Linear". Raises NotDefined.
    """
    with _replace(names, replacements):
        if do == "act":
            return act(name, *args, **kwargs)
        if name.startswith("torch."):
            value = functools.reduce(getattr, name.split(".")[1:], torch)
        elif name in names:
            value = names[name]
        else:
            raise NotDefined(name)
        result = value if do == "read" else value(*args, **kwargs)
        one_by_one = isinstance(result, (types.GeneratorType, map, zip))
        return list(itertools.islice(result, MOST_PARTS)) if one_by_one else result


def act(action: str, obj, *args, **kwargs):
    """Do with an object what a `student.StudentObject` is asked for."""
    match action:
        case "call":
            return obj(*args, **kwargs)
        case "train" | "eval":
            getattr(obj, action)()
        case "values":  # all parameters and buffers by name
            return _parameters(obj) | dict(nn.Module.named_buffers(obj))
        case "trained":  # the names of the parameters that get gradients from what these inputs give
            return _trained(obj, *args)
        case "load":  # copy tensors in, by name
            _load(obj, *args)


def _parameters(obj) -> dict[str, nn.Parameter]:
    if not isinstance(obj, nn.Module):
        raise TypeError(f"a {type(obj).__name__} is not a module: write class {type(obj).__name__}(nn.Module)")
    return dict(nn.Module.named_parameters(obj, remove_duplicate=False))  # a class may have its own of this name


def _trained(obj, *inputs) -> list[str]:
    """Walk the way of a backward; a real one stops where numbers were changed in place, which is right here."""
    with torch.enable_grad():
        result = obj(*inputs)
    parts = result if isinstance(result, (list, tuple)) else [result]
    steps, steps_seen = [part.grad_fn for part in parts if isinstance(part, torch.Tensor)], set()
    while steps:
        step = steps.pop()
        if step is not None and step not in steps_seen:
            steps_seen.add(step)
            steps += [before for before, _ in step.next_functions]
    leaves = {id(getattr(step, "variable", None)) for step in steps_seen}
    return [name for name, tensor in _parameters(obj).items() if id(tensor) in leaves]


@torch.no_grad()
def _load(obj, tensors: dict[str, torch.Tensor]):
    targets, names = act("values", obj), {}
    for name, tensor in tensors.items():
        first_name = names.setdefault(id(targets[name]), name)
        if first_name != name:
            raise ValueError(f"{first_name} and {name} are the same parameter: make one for each")
        targets[name].copy_(tensor)


@contextlib.contextmanager
def _replace(names: dict, replacements: dict[str, Callable]):
    values = {name: names[name] for name in replacements if name in names}
    names.update(replacements)
    try:
        yield
    finally:
        for name in replacements:
            names.pop(name, None)
        names.update(values)


def locate_error(error: BaseException, names: dict) -> str:
    """Return the innermost line of the code that runs in the namespace `names`; "" if the error met none."""
    location = ""
    for frame, line in traceback.walk_tb(error.__traceback__):
        if frame.f_globals is names:
            function = frame.f_code.co_qualname.split(".<locals>")[0]
            where = f"line {line}" if function.startswith("<") else f"in `{function}`, line {line} of its cell"
            text = linecache.getline(frame.f_code.co_filename, line).strip()
            location = f"{where}: {text}" if text else where
    return location
