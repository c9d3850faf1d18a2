"""The student's code in the notebook's own process, as the check cells ask it."""

import types

import numpy as np
import torch

from classroom.exchange import Lending, NotDefined, perform, place, stand_in
from classroom.student import Made, Missing, Stopped, Student


class Local(Student):
    """The student's code in this very process: for the check cells of a notebook.

    names: the notebook's namespace, `globals()`.
    """

    def __init__(self, names, class_seed=None):
        self.names, self.class_seed = names, class_seed

    def call(self, name, *args, **kwargs):
        self.inputs = _lent(args, Lending())
        return super().call(name, *args, **kwargs)

    def request(self, do, name, args, kwargs):
        if do != "act" and _is_of_the_course(self.names.get(name)):
            raise Missing(name, "this one is the course's own, which is not there when this notebook is graded")
        args, kwargs = _lent([args, kwargs], Lending())
        try:
            given = perform(self.names, self.silent, do, name, args, kwargs)
        except NotDefined:
            raise Missing(name) from None
        except (Exception, SystemExit) as error:
            if isinstance(error, NotImplementedError) and not error.args:
                raise
            raise Stopped(type(error).__name__, str(error), place(error, self.names)) from error
        return given if do == "make" else _copied(given)

    def borrowed(self):
        return [name for name, value in list(self.names.items()) if _is_of_the_course(value)]


def _is_of_the_course(value):
    """Say whether this is a module, function or class of `utils` or `companion`."""
    if not isinstance(value, (types.ModuleType, types.FunctionType, type)):
        return False
    home = value.__name__ if isinstance(value, types.ModuleType) else str(value.__module__)
    return home.split(".")[0] in ("utils", "companion")


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
        is_module = isinstance(value, torch.nn.Module)
        return stand_in(is_module, lambda *call: _lent(lending.answer(value, *_copied(call)), lending))
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
