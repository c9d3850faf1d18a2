"""The student's code in the notebook's own process, as the check cells ask it."""

import time
import types

from torch import nn

from classroom import wire
from classroom.exchange import CALL_SECONDS, CHECK_SECONDS, NotDefined, locate_error, perform, stand_in
from classroom.student import MissingName, Student, StudentError, StudentObject
from companion.checks.feedback import Mistake


class Local(Student):
    """The student's code in this very process: for the check cells of a notebook, whose `globals()` are the names."""

    def __init__(self, names: dict, class_seed: int | None = None):
        super().__init__()
        self.names, self.class_seed = names, class_seed
        self.begin_check()

    def begin_check(self):
        """Begin with another check. seconds: the processor time of all its requests; longest_request: of one."""
        self.seconds, self.longest_request, self.mutators, self.helped_check = 0.0, 0.0, set(), ""

    def call(self, name: str, *args, **kwargs):
        self.inputs = self._hand_over(args)
        return super().call(name, *args, **kwargs)

    def request(self, do: str, name: str, args: tuple, kwargs: dict):
        if do != "act" and _is_of_the_course(self.names.get(name)):
            raise MissingName(name, "this one is the course's own, which is not there when this notebook is graded")
        replacements, copies, kwargs = self._hand_over([self.replacements, args, kwargs])
        began, self.our_calls = time.process_time(), 0
        try:
            result = perform(self.names, replacements, do, name, copies, kwargs)
            if do == "call" and wire.changed(copies, map(wire.pack, args)):
                self.mutators |= {name}
            return result if do == "make" else wire.unpack(wire.pack(result))
        except NotDefined:
            raise MissingName(name) from None
        except wire.Broken as error:
            raise Mistake(f"`{name}` gave no result: {error}") from None
        except (Exception, SystemExit) as error:
            if isinstance(error, NotImplementedError) and not error.args:
                raise
            raise StudentError(type(error).__name__, str(error), locate_error(error, self.names)) from error
        finally:
            took = time.process_time() - began
            self.seconds, self.longest_request = self.seconds + took, max(self.longest_request, took)

    def _hand_over(self, value):
        """Return what the student's code gets for ours: copies, its own objects, and stand-ins for functions."""

        def tag(value):
            if isinstance(value, StudentObject):
                return {"made": value.reference}
            return {"ours": value} if callable(value) else None

        def resolve(tag, content):
            if tag == "made":
                return content
            is_module = isinstance(content, nn.Module)
            return stand_in(is_module, lambda *call: copy(self.call_ours(content, *wire.unpack(wire.pack(call)))))

        def copy(value):
            return wire.unpack(wire.pack(value, tag), resolve)

        return copy(value)

    def warnings(self) -> list[str]:
        slow = self.longest_request >= CALL_SECONDS / 3 or self.seconds >= CHECK_SECONDS / 6
        took = (
            f"this took {self.seconds:.0f} s of computing, and one call {self.longest_request:.0f} s; "
            f"the grader gives a call {CALL_SECONDS} s and a check {CHECK_SECONDS} s, in which it runs three times: "
            "use fewer or smaller inputs"
        )
        gone = "is the course's own, and not there when this notebook is graded; use torch alone"
        course = [f"`{name}` {gone}" for name, value in list(self.names.items()) if _is_of_the_course(value)]
        return [took] * slow + super().warnings() + course


def _is_of_the_course(value) -> bool:
    """Say whether this is a module, function or class of `utils` or `companion`."""
    if not isinstance(value, (types.ModuleType, types.FunctionType, type)):
        return False
    home = value.__name__ if isinstance(value, types.ModuleType) else str(value.__module__)
    return home.split(".")[0] in ("utils", "companion")
