"""How a check asks a student's code for results: `Local` in the notebook, `Remote` in the grader, one interface."""

import contextlib
import types

import numpy as np
import torch

from classroom import exchange
from classroom.exchange import place
from classroom.lending import Lending
from utils.checks.feedback import Mistake, close


class Stopped(Mistake):
    """The student's code raised an error. kind: the error's name; message: its text; place: where, if known."""

    def __init__(self, kind, message, place=""):
        where = f" ({place})" if place else ""
        said = f": {message}" if message else ""
        super().__init__(f"your code stopped with {kind}{said}{where}")
        self.kind, self.message, self.place = kind, message, place


class Missing(Mistake):
    """The student's notebook does not define a name. why: what happened to the cell that should, if known."""

    def __init__(self, name, why="the cell that defines it is missing, or it stopped before that line"):
        super().__init__(f"there is no `{name}`: {why}")
        self.name = name


class Student:
    """What a check may ask. Tensors go and come as copies; what comes back is plain data.

    class_seed: the seed of this class's version, None for the committed one.
    Every request raises Stopped (or NotImplementedError, for a stub) if the student's code does, and Missing
    for a name that is not defined. Anything that is no plain data comes back as an object whose type has the
    same name, and nothing else.
    again: code that repeats the last call, for a notebook; "" if there is none.
    silent: names of functions of the student's that do nothing; latest: how to make the latest request again, and
    what it gave, None if it failed.
    """

    class_seed = None
    again = ""
    silent = ()
    latest = None

    def call(self, name, *args, **kwargs):
        """Call a function of the student's. An argument may be a function or an nn.Module of ours: the student's
        code then holds a stand-in that can only be called, and that gives numbers without gradients."""
        raise NotImplementedError("each kind of student does this")

    def make(self, name, *args, **kwargs):
        """Call a class or function of the student's, or of torch ("torch.nn.Linear"), and keep what it returns.

        Returns a `Made`, which may also be an argument of `call` and `make`.
        """
        raise NotImplementedError("each kind of student does this")

    def act(self, made, method, *args, **kwargs):
        """Do one of `exchange.ACTIONS` with an object."""
        raise NotImplementedError("each kind of student does this")

    def read(self, name):
        """Return what a name stands for."""
        raise NotImplementedError("each kind of student does this")

    def borrowed(self):
        """Return the names in the notebook that stand for parts of the course."""
        return []

    def remembered(self, ask):
        """Return what a request gives, and remember both."""
        self.latest = None
        given = ask()
        self.latest = ask, given
        return given

    def wavers(self):
        """Say whether the latest request, made again, gives something else."""
        if self.latest is None:
            return False
        ask, given = self.latest
        try:
            return not all(_alike(given, ask()) for _ in range(3))
        except (Mistake, NotImplementedError):
            return True

    @contextlib.contextmanager
    def without(self, names):
        """Let these functions of the student's do nothing meanwhile."""
        self.silent = names
        try:
            yield
        finally:
            self.silent = ()


class Made:
    """An object that lives with the student's code."""

    def __init__(self, student, reference):
        self.student, self.reference = student, reference

    def __call__(self, *args, **kwargs):
        return self.student.act(self, "call", *args, **kwargs)

    def train(self):
        self.student.act(self, "train")

    def eval(self):
        self.student.act(self, "eval")

    def values(self):
        """Return {name: tensor} of all parameters and buffers of a module."""
        return self.student.act(self, "values")

    def trained(self):
        """Return the names of the parameters that training changes."""
        return self.student.act(self, "trained")

    def load(self, tensors):
        """Copy {name: tensor} into parameters and buffers."""
        self.student.act(self, "load", tensors)


class Local(Student):
    """The student's code in this very process: for the check cells of a notebook.

    names: the notebook's namespace, `globals()`; inputs: what the last call was given.
    """

    def __init__(self, names, class_seed=None):
        self.names, self.class_seed = names, class_seed
        self.inputs = ()

    def call(self, name, *args, **kwargs):
        self.inputs, self.again = _lent(args, Lending()), "" if kwargs else f"{name}(*student.inputs)"
        return self.remembered(lambda: _copied(self._run(self._find(name), args, kwargs)))

    def make(self, name, *args, **kwargs):
        return Made(self, self._run(self._find(name), args, kwargs))

    def act(self, made, method, *args, **kwargs):
        self.again = ""
        return self.remembered(lambda: _copied(self._run(exchange.act, (made, method, *args), kwargs)))

    def read(self, name):
        return _copied(self._find(name))

    def borrowed(self):
        return [name for name, value in list(self.names.items()) if _is_of_the_course(value)]

    def _find(self, name):
        if name.startswith("torch."):
            return exchange.find_in_torch(name)
        if name not in self.names:
            raise Missing(name)
        if _is_of_the_course(self.names[name]):
            raise Missing(name, "this one is the course's own, which is not there when this notebook is graded")
        return self.names[name]

    def _run(self, function, args, kwargs):
        args, kwargs = _lent([args, kwargs], Lending())
        try:
            with exchange.silenced(self.names, self.silent):
                return function(*args, **kwargs)
        except (Exception, SystemExit) as error:
            if isinstance(error, NotImplementedError) and not error.args:
                raise
            raise Stopped(type(error).__name__, str(error), place(error, self.names)) from error


def _alike(first, second):
    """Say whether two results agree, but for rounding; of what is no plain data, only the type counts."""
    if type(first) is not type(second):
        return False
    if isinstance(first, torch.Tensor):
        return close(first, second)
    if isinstance(first, (list, tuple)):
        return len(first) == len(second) and all(map(_alike, first, second))
    if isinstance(first, dict):
        return _alike(list(first.items()), list(second.items()))
    return first == second or not isinstance(first, (bool, int, float, str))


def _is_of_the_course(value):
    """Say whether this is a module, function or class of `utils`."""
    if not isinstance(value, (types.ModuleType, types.FunctionType, type)):
        return False
    home = value.__name__ if isinstance(value, types.ModuleType) else str(value.__module__)
    return home.split(".")[0] == "utils"


def _lent(value, lending):
    """Copy tensors, and put stand-ins in place of our own functions and modules."""
    if isinstance(value, torch.Tensor):
        return value.detach().clone()
    if isinstance(value, (list, tuple)):
        return type(value)(_lent(part, lending) for part in value)
    if isinstance(value, dict):
        return {key: _lent(part, lending) for key, part in value.items()}
    if isinstance(value, Made):
        return value.reference
    if callable(value):
        kind = exchange.Module if isinstance(value, torch.nn.Module) else exchange.Function
        return kind(lambda *call: _lent(lending.answer(value, *_copied(call)), lending))
    return value


def _copied(value):
    """Copy tensors, so that what the student's code does later changes nothing."""
    if isinstance(value, np.generic):
        return value.item()
    if isinstance(value, torch.Tensor):
        copy = value.detach().clone()
        return copy if type(copy) is torch.Tensor else copy.as_subclass(torch.Tensor)
    if type(value) in (list, tuple):
        return type(value)(_copied(part) for part in value)
    if type(value) is dict:
        return {key: _copied(part) for key, part in value.items()}
    return value
