"""How a check asks a student's code for results: `Local` in the notebook, `Remote` in the grader, one interface."""

import contextlib
from abc import ABC, abstractmethod
from collections.abc import Callable

import torch
from torch import nn

from classroom.exchange import LARGEST_CALL, MOST_CALLS, count_numbers
from companion.checks.feedback import IN_PLACE, Mistake, is_close


class StudentError(Mistake):
    """The student's code raised an error. kind: the error's name; message: its text; location: where, if known."""

    def __init__(self, kind: str, message: str, location: str = ""):
        where = f" ({location})" if location else ""
        text = f": {message}" if message else ""
        self.report = f"stopped with {kind}{text}{where}"
        super().__init__(f"your code {self.report}")
        self.kind, self.message, self.location = kind, message, location


class MissingName(Mistake):
    """The student's notebook does not define a name. why: what happened to the cell that should, if known."""

    def __init__(self, name: str, why: str = "the cell that defines it is missing, or it stopped before that line"):
        super().__init__(f"there is no `{name}`: {why}")


class Student(ABC):
    """What a check may ask. Tensors go and come as copies; what comes back is plain data.

    Every request raises StudentError (or NotImplementedError, for a stub) if the student's code does, and MissingName
    for a name that is not defined. What is not plain data comes back as an object of a type with the same name.
    """

    class_seed: int | None = None  # of this class's version, None for the committed one
    replacements: dict = {}  # {name: function of ours} of what stands in place of the student's own at present
    helped_check = ""  # the name of the one that has passed with right functions only
    latest: tuple | None = None  # the latest request, the replacements, and the result
    call_code = ""  # the latest call, for a notebook
    inputs: tuple = ()  # what that was given
    our_calls = 0  # of our functions, by the student's code, within the latest request
    # Whether each call comes after one with other numbers of the same shapes: what is kept from there would not fit.
    dummies_first = False

    def __init__(self):
        self.named_mistakes: dict[str, str] = {}  # {known mistake: the check that named it}
        self.mutators: set[str] = set()  # the names of functions that changed what they were given

    @abstractmethod
    def begin_check(self) -> None:
        """Begin with another check, for which there is new time."""

    @abstractmethod
    def request(self, do: str, name: str, args: tuple, kwargs: dict):
        """Let the student's code do what `exchange.perform` says, and return what that gives."""

    def call(self, name: str, *args, **kwargs):
        """Call a function of the student's. An argument may be a function or an nn.Module of ours: the student's
        code then holds a stand-in that can only be called, and that gives numbers without gradients."""
        return self.ask("call", name, args, kwargs)

    def make(self, name: str, *args, **kwargs) -> "StudentObject":
        """Call a class or function of the student's, or of torch ("torch.nn.Linear"), and keep what it returns: it may
        be an argument of `call` and `make`."""
        return StudentObject(self, self.request("make", name, args, kwargs))

    def read(self, name: str):
        return self.request("read", name, (), {})

    def ask(self, do: str, name: str, args: tuple, kwargs: dict):
        """Make a request, and remember it and its result."""
        if self.dummies_first and "call" in (do, name):
            inputs, generator = (*args, *kwargs.values()), torch.Generator().manual_seed(0)
            dummies = [_make_dummy(argument, generator) for argument in inputs]
            if any(dummy is not argument for dummy, argument in zip(dummies, inputs)):
                with contextlib.suppress(Mistake, NotImplementedError):
                    self.request(do, name, dummies[: len(args)], dict(zip(kwargs, dummies[len(args) :])))
        self.latest, self.call_code = None, f"{name}(*student.inputs)" if do == "call" else ""
        result = self.request(do, name, args, kwargs)
        self.latest = (do, name, args, kwargs), self.replacements, result
        return result

    def call_ours(self, function: Callable, args: tuple, kwargs: dict, training: bool | None):
        """Let the student's code call a function of ours. Raises ValueError for one call too many, or too large."""
        self.our_calls += 1
        if self.our_calls > MOST_CALLS:
            raise ValueError(f"what you are given can be called at most {MOST_CALLS} times here; fewer calls will do")
        if count_numbers(args) + count_numbers(kwargs) > LARGEST_CALL:
            raise ValueError(f"a call here takes at most {LARGEST_CALL} numbers; use smaller inputs")
        if isinstance(function, nn.Module):
            function.train(training)
        return function(*args, **kwargs)

    def warnings(self) -> list[str]:
        """Return what may cost points though it is right here: whether functions changed what they were given."""
        names = ", ".join(f"`{name}`" for name in sorted(self.mutators))
        return [f"{names}: {IN_PLACE}"] if names else []

    def wavers(self) -> bool:
        """Say whether the latest request, made again, gives something else."""
        if self.latest is None:
            return False
        request, replacements, result = self.latest
        try:
            with self.replacing(replacements):
                return not all(agree(result, self.request(*request)) for _ in range(3))
        except (Mistake, NotImplementedError):
            return True

    @contextlib.contextmanager
    def replacing(self, functions: dict[str, Callable]):
        """Let functions of ours, {name: function}, stand in place of the student's own meanwhile."""
        before, self.replacements = self.replacements, functions
        try:
            yield
        finally:
            self.replacements = before


class StudentObject:
    """An object that lives with the student's code; a check may call it, and ask for what `exchange.act` does."""

    def __init__(self, student: Student, reference):
        self.student, self.reference = student, reference

    def __call__(self, *args, **kwargs):
        return self.student.ask("act", "call", (self, *args), kwargs)

    def __getattr__(self, action: str) -> Callable:
        if action not in {"train", "eval", "values", "trained", "load"}:
            raise AttributeError(action)
        return lambda *args: self.student.ask("act", action, (self, *args), {})


def _make_dummy(value, generator):
    """Return another tensor of this shape, or a list in another order; anything else as it is."""
    if isinstance(value, list):
        return value[::-1]
    if not isinstance(value, torch.Tensor) or not (value.is_floating_point() or value.dtype == torch.bool):
        return value
    dummy = torch.rand(value.shape, generator=generator)
    return dummy if value.is_floating_point() else dummy > 0.5


def agree(first, second) -> bool:
    """Say whether two results agree, apart from rounding; of what is not plain data, only the type counts."""
    if type(first).__name__ != type(second).__name__:
        return False
    if isinstance(first, torch.Tensor):
        return is_close(first, second)
    if isinstance(first, (list, tuple)):
        return len(first) == len(second) and all(map(agree, first, second))
    if isinstance(first, dict):
        return agree(list(first.items()), list(second.items()))
    return first == second or not isinstance(first, (bool, int, float, str))
