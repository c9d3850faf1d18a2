"""The student's code in a process of its own. Whatever that process says is a result to judge, never a verdict."""

import collections
import contextlib
import re
import secrets
from collections.abc import Callable, Sequence

import torch

from classroom import exchange, wire
from classroom.grader import fork_server
from classroom.student import MissingName, Student, StudentError, StudentObject
from companion.checks.feedback import Mistake

# busy: seconds of processor time for one cell or request; idle: in which it neither computes nor wants to; check: of
# processor time for all requests of one check, or for all cells; restarts: how many new processes there may be.
LIMITS = {"busy": exchange.CALL_SECONDS, "idle": 30, "check": exchange.CHECK_SECONDS, "restarts": 6}
LONGEST_TEXT = 1_000  # characters of an error's message, and of its place
STRIKES = 2  # a function that hangs or ends the process so many times is not called again


class LostProcess(Mistake):
    """The student's process ended, or had to be ended."""


class OutOfTime(Exception):
    """What a check or all cells may take is used up, though no single call took too long: who knows what is right?"""


class Remote(Student, contextlib.AbstractContextManager):
    """Runs a student's cells in a child process, and asks it. Requests may raise LostProcess, OutOfTime or NotStarted.

    cells: (name, source); an error in one is noted and the next still runs. limits: in place of those in LIMITS.
    notes: what happened to cells, in words for the student. seconds: the processor time of a check's requests so far.
    Use it as a context: leaving it ends the process.
    """

    def __init__(self, cells: Sequence[tuple[str, str]], class_seed: int | None = None, **limits: float):
        super().__init__()
        self.cells, self.class_seed = cells, class_seed
        self.limits = LIMITS | limits
        self.notes, self.skipped, self.strikes = {}, set(), collections.Counter()
        self.process, self.lives, self.timeout = None, 0, ""
        self.begin_check()

    def begin_check(self, tell: Callable[[str, Sequence, object], None] | None = None) -> None:
        """Begin with another check, for which there is new time. tell: called with (name, what it is given, result)."""
        self.tell, self.seconds = tell, 0.0

    def __exit__(self, *error):
        self.close()

    def close(self) -> None:
        if self.process is not None:
            self.process.stop()
            self.process = None

    def request(self, do: str, name: str, args: Sequence, kwargs: dict):
        shown_name = f"`{name}` of an object" if do == "act" else f"`{name}`"
        if self.strikes[shown_name] == STRIKES:
            raise LostProcess(f"{shown_name} was not called any more, after it had ended the process {STRIKES} times")
        if self.seconds > self.limits["check"]:
            raise OutOfTime(f"this check took more than {self.limits['check']} s of computing")
        self.start()
        try:
            result = self._exchange(shown_name, do, name, args, kwargs)
        except Exception as error:
            if isinstance(error, LostProcess):
                self.strikes[shown_name] += 1
            result = error
            raise
        finally:
            if self.tell:
                self.tell(name, [*args, *kwargs.items()], result)
        return (self.lives, result) if do == "make" else result

    def start(self) -> None:
        """Start the process and run the cells, if that is not done yet. Raises LostProcess if it cannot be."""
        while self.process is None:
            if self.timeout:
                raise OutOfTime(self.timeout)
            if self.lives > self.limits["restarts"]:
                raise LostProcess("not run: this notebook's code ended its process too many times")
            self.lives += 1
            self.process = fork_server.SERVER.fork()
            self._run_cells()

    def _run_cells(self) -> None:
        began = self.process.processor_time()
        for name, source in self.cells:
            if name in self.skipped:
                continue
            if self.process.processor_time() - began > self.limits["check"]:
                self.close()
                self.timeout = f"the cells took more than {self.limits['check']} s of computing"
                raise OutOfTime(self.timeout)
            try:
                self._exchange(name, "cell", name, [source], {})
            except LostProcess as lost:
                self.notes[name] = f"{lost}; the cell was left out after that"
                self.skipped.add(name)
                return
            except NotImplementedError:
                self.notes[name] = f"{name} stopped at a part that is not attempted yet"
            except StudentError as error:
                self.notes[name] = f"{name} {error.report}"

    def _exchange(self, shown_name: str, do: str, name: str, args: Sequence, kwargs: dict):
        """Send one request and answer what the process asks meanwhile, until its result comes."""
        nonce, self.functions, self.our_calls = secrets.token_hex(16), [], 0
        self.process.allow(self.limits["busy"], self.limits["idle"])
        began = self.process.processor_time()
        try:
            value = wire.pack([self.replacements, do, name, args, kwargs], self._tag)
            wire.send(self.process.pipe, {"id": nonce, "value": value}, self.process.watch)
            while True:
                message = wire.receive(self.process.pipe, self.process.watch)
                if message.get("id") != nonce:
                    raise wire.Broken("the process answered what it was not asked")
                match message:
                    case {"ask": _}:
                        wire.send(self.process.pipe, self._answer(message), self.process.watch)
                    case {"error": [str(), str(), str()] as error}:
                        raise self._make_error(*(part[:LONGEST_TEXT] for part in error))
                    case {"error": _}:
                        raise wire.Broken(wire.UNREADABLE)
                    case _:
                        if message.get("in_place") is True:
                            self.mutators.add(name)
                        return wire.unpack(message.get("value"))
        except wire.Broken as error:
            raise self._end_process(shown_name, str(error)) from None
        finally:
            if do != "cell" and self.process:  # what ended the process is a strike instead
                self.seconds += max(0.0, self.process.processor_time() - began)  # 0 once the process has ended

    def _end_process(self, shown_name: str, reason: str) -> LostProcess:
        """End the process, and return what to say of the request that it did not answer for this reason."""
        ending = self.process.describe_exit() if reason == wire.PROCESS_ENDED else ""
        self.close()
        if reason == wire.TIME_UP:
            limits = "{busy} s of work, or {idle} s of waiting".format(**self.limits)
            reason = f"it did not end within {limits}; is there an endless loop?"
        return LostProcess(f"{shown_name} gave no result: {reason}{f' ({ending})' if ending else ''}")

    def _make_error(self, kind: str, text: str, location: str) -> Mistake | NotImplementedError:
        """Return an error of the student's code, and why a name is not there, where a note says it."""
        if kind == "NotImplementedError" and not text:
            return NotImplementedError()
        if kind == "NotDefined":
            return MissingName(text, *self._notes_of(text))
        if kind == "NameError" and (name := re.search(r"name '(\w+)'", text)):
            text = "; ".join([text, *self._notes_of(name[1])])
        return StudentError(kind, text, location)

    def _notes_of(self, name: str) -> list[str]:
        """Return what happened to the first cell with this name in it that stopped: one note or none."""
        word = re.compile(rf"\b{re.escape(name)}\b")
        return [self.notes[cell] for cell, source in self.cells if cell in self.notes and word.search(source)][:1]

    def _tag(self, value: object) -> dict[str, int] | None:
        """Tag what is not plain data: objects of the student's, and functions and modules of ours."""
        if isinstance(value, StudentObject):
            life, number = value.reference
            if life != self.lives:
                raise LostProcess("the object is gone: the process that held it has ended")
            return {"made": number}
        if not callable(value):
            return None
        self.functions.append(value)
        return {"module" if isinstance(value, torch.nn.Module) else "function": len(self.functions) - 1}

    def _answer(self, message: dict) -> dict:
        """Call one of our functions with what the student's code gives it."""
        match message["ask"], wire.unpack(message.get("value")):
            case int(index), [list(args), dict(kwargs), None | bool() as mode] if index in range(len(self.functions)):
                function = self.functions[index]
            case _:
                raise wire.Broken(wire.UNREADABLE)
        try:
            return {"value": wire.pack(self.call_ours(function, args, kwargs, mode), self._tag)}
        except Exception as error:  # ours may refuse odd inputs, as it should
            return {"error": [type(error).__name__, str(error)]}
