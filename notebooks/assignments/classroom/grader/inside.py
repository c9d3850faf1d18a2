"""The process that has imported torch, and forks one for each student; and what runs in such a process.

`fork_server.py` starts and asks the first. A student's process gets requests to run cells and call functions, from
`remote.py`, one by one. It computes and never judges: no check and no expected value is in here.
"""

import builtins
import contextlib
import importlib.machinery
import os
import random
import select
import signal
import socket
import sys
import types
from typing import NamedTuple, NoReturn

import numpy as np
import torch
from torch.utils._pytree import tree_map_only

from classroom import wire
from classroom.exchange import locate_error, perform, stand_in
from classroom.grader import sandbox
from classroom.grader.jupyter import Inert, Notebook

COURSE = {"utils", "companion", "classroom"}
INERT = "companion.checks", "classroom"
NO_COURSE = "an assignment is solved with torch alone; the course's own package `utils` is not there"


def run_parent() -> None:
    """Fork a process for each request, until nobody is left who could ask."""
    control = socket.socket(fileno=int(sys.argv[2]))
    torch.zeros(2).add(1).sum()  # what torch and NumPy load at their first use, they load now
    np.random.seed(0)  # what is random in a notebook is the same in each grade
    torch.default_generator.manual_seed(0)
    try:
        rules = sandbox.make_rules(hidden=COURSE)
    except OSError as error:
        control.send(f": OSError: {error}".encode())
        return
    students = {}  # by what is heard when one is through: its own end, or its grader hanging up
    control.send(b"ready")
    while True:
        ready, _, _ = select.select([control, *students], [], [])
        for student in {students[descriptor] for descriptor in ready if descriptor is not control}:
            del students[student.pidfd], students[student.report]
            student.end()
        if control in ready:
            request, sockets, _, _ = socket.recv_fds(control, 64, 2)
            if not request:
                break
            student = _fork(rules, *sockets)
            students |= {student.pidfd: student, student.report: student}
    for student in {*students.values()}:
        student.end()


def _fork(rules: int, pipe: int, report: int) -> "_Child":
    """Start a student's process, which holds the pipe and nothing else that is open here."""
    parent, pid = os.getpid(), os.fork()
    if not pid:
        try:
            for opened in map(int, os.listdir("/proc/self/fd")):
                if opened not in (0, 1, 2, pipe, rules):
                    os.closerange(opened, opened + 1)
            run_student(socket.socket(fileno=pipe), parent, rules)
        finally:
            os._exit(1)
    os.close(pipe)
    return _Child(pid, os.pidfd_open(pid), socket.socket(fileno=report))


class _Child(NamedTuple):
    """A student's process. pidfd: a descriptor that is ready when it has; report: the grader's, to say how."""

    pid: int
    pidfd: int
    report: socket.socket

    def end(self) -> None:
        """End the process, and say how it ended, if anybody still listens."""
        os.kill(self.pid, signal.SIGKILL)
        _, status = os.waitpid(self.pid, 0)
        os.close(self.pidfd)
        with self.report, contextlib.suppress(OSError):  # the grader may have gone
            self.report.send(str(os.waitstatus_to_exitcode(status)).encode())


def run_student(pipe: socket.socket, parent: int, rules: int) -> NoReturn:
    """Confine this process, then serve requests from the pipe until it closes. parent: the one that it ends with."""
    server = Server(pipe)
    try:
        random.seed(0)  # which Python sets anew in each process
        sandbox.confine(parent, rules)
        sys.meta_path.insert(0, _NoCourse())
        quiet = os.open(os.devnull, os.O_WRONLY)
        os.dup2(quiet, 1)
        os.dup2(quiet, 2)
    except Exception as error:
        wire.send(pipe, {"refused": f"{type(error).__name__}: {error}"})
        raise
    wire.send(pipe, {"pid": os.getpid()})
    server.serve()


class Server:
    """Keeps the namespace in which the student's cells run, and the objects made there."""

    def __init__(self, pipe: socket.socket):
        self.pipe, self.request, self.objects = pipe, "", []
        sys.modules["__main__"] = types.ModuleType("__main__")
        self.names = vars(sys.modules["__main__"])
        self.names["__builtins__"] = builtins
        self.notebook = Notebook(self.names)

    def serve(self) -> NoReturn:
        while True:
            message = wire.receive(self.pipe)
            self.request = message["id"]
            try:
                answer = self.answer(message["value"], *self.unpack(message["value"]))
            except BaseException as error:  # SystemExit too: it ends this request, not the process
                answer = {"error": _describe(error, self.names)}
            self.reply(answer)

    def answer(self, packed: dict, replacements: dict, do: str, name: str, args: list, kwargs: dict) -> dict:
        """Run a cell with this name, or do what `exchange.perform` says; an object that was made stays here."""
        if do == "cell":
            self.notebook.run(name, *args)
            return {"value": None}
        result = perform(self.names, replacements, do, name, args, kwargs)
        if do == "make":
            self.objects.append(result)
            return {"value": len(self.objects) - 1}
        plain = torch.get_default_dtype() == torch.float32  # else what came was changed by us
        in_place = do == "call" and plain and wire.changed(args, *packed["list"][3].values())
        return {"value": wire.pack(result), "in_place": in_place}

    def reply(self, answer: dict) -> None:
        try:
            wire.send(self.pipe, {"id": self.request, **answer})
        except wire.Broken as error:
            wire.send(self.pipe, {"id": self.request, "error": ["ValueError", str(error), ""]})

    def unpack(self, packed: wire.Packed):
        """Return what came, its float32 in the student's default, as the notebook's own process draws inputs."""
        return _recast(wire.unpack(packed, self.resolve), torch.float32, torch.get_default_dtype())

    def resolve(self, tag: str, content):
        """Resolve what only the grader may send: objects made here, and stand-ins for its own."""
        if tag == "made":
            return self.objects[content]
        return stand_in(tag == "module", lambda *call: self.ask(content, *call))

    def ask(self, number: int, args: tuple, kwargs: dict, training: bool | None):
        """Let the grader answer a call of one of its own functions."""
        parts = _recast([list(args), kwargs], torch.get_default_dtype(), torch.float32)
        question = {"ask": number, "value": wire.pack([*parts, training])}
        wire.send(self.pipe, {"id": self.request, **question})
        answer = wire.receive(self.pipe)
        if "error" in answer:
            kind, message = answer["error"]
            raise getattr(builtins, kind, RuntimeError)(message)
        return self.unpack(answer["value"])


def _recast(value, old: torch.dtype, new: torch.dtype):
    if old == new:  # nearly always, and a walk through every value takes longer than all else
        return value
    return tree_map_only(torch.Tensor, lambda part: part.to(new) if part.dtype == old else part, value)


def _describe(error: BaseException, names: dict) -> list[str]:
    """Return the error's kind, its message and the place in the student's cells, as text."""
    message, where = str(error), locate_error(error, names)
    if isinstance(error, SyntaxError) and not where:  # the cell itself; its name and line would come twice
        message, where = error.msg, f"line {error.lineno}: {(error.text or '').strip()}"
    return [type(error).__name__, message, where]


class _NoCourse:
    """In place of the course's packages: those with checks are inert, the others say that they are not there."""

    def find_spec(self, name: str, path=None, target=None) -> importlib.machinery.ModuleSpec | None:
        if name.startswith(INERT) or name == "companion":
            return importlib.machinery.ModuleSpec(name, self, is_package=True)
        if name.split(".")[0] in COURSE:
            raise ImportError(NO_COURSE)
        return None

    def create_module(self, spec: importlib.machinery.ModuleSpec) -> types.ModuleType:
        return _InertModule(spec.name)

    def exec_module(self, module: types.ModuleType) -> None:
        pass


class _InertModule(Inert, types.ModuleType):
    """A module in which there is everything, without any effect."""
