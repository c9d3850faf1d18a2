"""The student's code in the notebook's own process, as the check cells ask it."""

import time
import types

from torch import nn

from classroom.exchange import A_CALL, A_CHECK, Lending, NotDefined, perform, place, stand_in
from classroom.grader import wire
from classroom.student import Made, Missing, Stopped, Student
from companion.checks.feedback import Mistake


class Local(Student):
    """The student's code in this very process: for the check cells of a notebook.

    names: the notebook's namespace, `globals()`.
    """

    def __init__(self, names, class_seed=None):
        super().__init__()
        self.names, self.class_seed = names, class_seed
        self.check()

    def check(self):
        """Begin with another check. spent, longest: the processor time of all its requests, and of the longest."""
        self.spent, self.longest, self.in_place, self.helped = 0.0, 0.0, set(), ""

    def call(self, name, *args, **kwargs):
        self.inputs = _handed_over(args)
        return super().call(name, *args, **kwargs)

    def request(self, do, name, args, kwargs):
        if do != "act" and _is_of_the_course(self.names.get(name)):
            raise Missing(name, "this one is the course's own, which is not there when this notebook is graded")
        lent, theirs, kwargs = _handed_over([self.lent, args, kwargs])
        began = time.process_time()
        try:
            given = perform(self.names, lent, do, name, theirs, kwargs)
            if do == "call" and wire.changed(theirs, map(wire.pack, args)):
                self.in_place |= {name}
            return given if do == "make" else wire.unpack(wire.pack(given))
        except NotDefined:
            raise Missing(name) from None
        except wire.Broken as error:
            raise Mistake(f"`{name}` gave no result: {error}") from None
        except (Exception, SystemExit) as error:
            if isinstance(error, NotImplementedError) and not error.args:
                raise
            raise Stopped(type(error).__name__, str(error), place(error, self.names)) from error
        finally:
            took = time.process_time() - began
            self.spent, self.longest = self.spent + took, max(self.longest, took)

    def slow(self):
        """Return a warning where a slower machine, or the grader's runs, might come near the limits: one, or none."""
        if self.longest < A_CALL / 3 and self.spent < A_CHECK / 6:
            return []
        return [
            f"this took {self.spent:.0f} s of computing, and one call {self.longest:.0f} s; the grader gives a call "
            f"{A_CALL} s and a check {A_CHECK} s, in which it runs three times: use fewer or smaller inputs"
        ]

    def borrowed(self):
        """Return the names in the notebook that stand for parts of the course."""
        return [name for name, value in list(self.names.items()) if _is_of_the_course(value)]


def _is_of_the_course(value):
    """Say whether this is a module, function or class of `utils` or `companion`."""
    if not isinstance(value, (types.ModuleType, types.FunctionType, type)):
        return False
    home = value.__name__ if isinstance(value, types.ModuleType) else str(value.__module__)
    return home.split(".")[0] in ("utils", "companion")


# What crosses, crosses as to the grader's own process and back (`grader/wire.py`), though nothing is sent here.


def _handed_over(value):
    """Return what a student's code gets in place of ours: copies, its own objects, and stand-ins for functions."""
    lending = Lending()

    def tagged(value):
        if isinstance(value, Made):
            return {"made": value.reference}
        return {"ours": value} if callable(value) else None

    def resolved(tag, content):
        if tag == "made":
            return content
        is_module = isinstance(content, nn.Module)
        return stand_in(is_module, lambda *call: copied(lending.answer(content, *wire.unpack(wire.pack(call)))))

    def copied(value):
        return wire.unpack(wire.pack(value, tagged), resolved)

    return copied(value)
