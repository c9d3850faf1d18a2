"""How a check asks a student's code for results: `Local` in the notebook, `Remote` in the grader, one interface."""

import contextlib
import functools

import torch

from companion.checks.feedback import Mistake, close


class Stopped(Mistake):
    """The student's code raised an error. kind: the error's name; message: its text; place: where, if known."""

    def __init__(self, kind, message, place=""):
        where = f" ({place})" if place else ""
        said = f": {message}" if message else ""
        self.what = f"stopped with {kind}{said}{where}"
        super().__init__(f"your code {self.what}")
        self.kind, self.message, self.place = kind, message, place


class Missing(Mistake):
    """The student's notebook does not define a name. why: what happened to the cell that should, if known."""

    def __init__(self, name, why="the cell that defines it is missing, or it stopped before that line"):
        super().__init__(f"there is no `{name}`: {why}")


class Student:
    """What a check may ask. Tensors go and come as copies; what comes back is plain data. Each kind of student has a
    request(do, name, args, kwargs), which lets its code do what `exchange.perform` says, and returns what that gives.

    class_seed: the seed of this class's version, None for the committed one. Every request raises Stopped (or
    NotImplementedError, for a stub) if the student's code does, and Missing for a name that is not defined. What is not
    plain data comes back as an object of a type with the same name.

    lent: {name: function of ours} of what stands in place of the student's own at present; charged: {known mistake: the
    check that named it}; helped: the check that has passed with functions of ours only; in_place: the names of
    functions that changed what they were given; latest: how to make the latest request again, what was lent, and what
    it gave; again: the code of this call for a notebook, and inputs: what it was given. others_first: whether each call
    comes after one with other numbers, masks and lists of the same shapes: what is kept from there would not fit.
    """

    class_seed, lent, latest, again, inputs, helped, others_first = None, {}, None, "", (), "", False

    def __init__(self):
        self.charged, self.in_place = {}, set()

    def call(self, name, *args, **kwargs):
        """Call a function of the student's. An argument may be a function or an nn.Module of ours: the student's
        code then holds a stand-in that can only be called, and that gives numbers without gradients."""
        self.ask_others(lambda others, named: self.request("call", name, others, named), args, kwargs)
        again = "" if kwargs else f"{name}(*student.inputs)"
        return self.remembered(lambda: self.request("call", name, args, kwargs), again)

    def ask_others(self, ask, args, kwargs):
        """Ask with other inputs first, where there are any."""
        if self.others_first:
            numbers = torch.Generator().manual_seed(0)
            others = [_other(each, numbers) for each in (*args, *kwargs.values())]
            if any(other is not each for other, each in zip(others, (*args, *kwargs.values()))):
                with contextlib.suppress(Mistake, NotImplementedError):
                    ask(others[: len(args)], dict(zip(kwargs, others[len(args) :])))

    def make(self, name, *args, **kwargs):
        """Call a class or function of the student's, or of torch ("torch.nn.Linear"), and keep what it returns.

        Returns a `Made`, which may also be an argument of `call` and `make`.
        """
        return Made(self, self.request("make", name, args, kwargs))

    def read(self, name):
        """Return what a name stands for."""
        return self.request("read", name, (), {})

    def remembered(self, ask, again=""):
        """Return what a request gives, and remember both."""
        self.latest, self.again = None, again
        given = ask()
        self.latest = ask, self.lent, given
        return given

    def wavers(self):
        """Say whether the latest request, made again, gives something else."""
        if self.latest is None:
            return False
        ask, lent, given = self.latest
        try:
            with self.replacing(lent):
                return not all(agree(given, ask()) for _ in range(3))
        except (Mistake, NotImplementedError):
            return True

    @contextlib.contextmanager
    def replacing(self, functions):
        """Let functions of ours, {name: function}, stand in place of the student's own meanwhile."""
        before, self.lent = self.lent, functions
        try:
            yield
        finally:
            self.lent = before


class Made:
    """An object that lives with the student's code; a check may call it, and ask for what `exchange.act` does."""

    def __init__(self, student, reference):
        self.student, self.reference = student, reference

    def __call__(self, *args, **kwargs):
        ask = self.student.request
        self.student.ask_others(lambda others, named: ask("act", "call", (self, *others), named), args, kwargs)
        return self._act("call", *args, **kwargs)

    def __getattr__(self, action):
        if action not in {"train", "eval", "values", "trained", "load"}:
            raise AttributeError(action)
        return functools.partial(self._act, action)

    def _act(self, action, *args, **kwargs):
        return self.student.remembered(lambda: self.student.request("act", action, (self, *args), kwargs))


def _other(value, numbers):
    """Return another tensor of this shape, or a list in another order; anything else as it is."""
    if isinstance(value, list):
        return value[::-1]
    if not isinstance(value, torch.Tensor) or not (value.is_floating_point() or value.dtype == torch.bool):
        return value
    drawn = torch.rand(value.shape, generator=numbers)
    return drawn if value.is_floating_point() else drawn > 0.5


def agree(first, second):
    """Say whether two results agree, apart from rounding; of what is not plain data, only the type counts."""
    if type(first).__name__ != type(second).__name__:
        return False
    if isinstance(first, torch.Tensor):
        return close(first, second)
    if isinstance(first, (list, tuple)):
        return len(first) == len(second) and all(map(agree, first, second))
    if isinstance(first, dict):
        return agree(list(first.items()), list(second.items()))
    return first == second or not isinstance(first, (bool, int, float, str))
