"""The student's code in a process of its own. Whatever that process says is a result to judge, never a verdict."""

import collections
import contextlib
import os
import re
import secrets
import shutil
import signal
import socket
import subprocess
import sys
import tempfile
import time
from pathlib import Path

import torch

from utils.checks.feedback import Mistake
from utils.grading import wire
from utils.grading.student import Made, Missing, Stopped, Student, answered

START = "import sys; sys.path.insert(0, sys.argv[1]); from utils.grading import child; child.main()"
COURSE = Path(__file__).resolve().parents[2]
STARTING = 60  # seconds until the process has imported torch
STRIKES = 2  # a function that hangs or ends the process so many times is not called again
LARGEST_FOLDER = 32 << 20  # bytes in the working folder
MOST_CALLS = 5_000  # of our functions, by the student's code, within one request
LARGEST_CALL = 4_096  # numbers in such a call: our functions run without a limit of memory


class Lost(Mistake):
    """The student's process ended, or had to be ended."""


class NotStarted(Exception):
    """The process could not even start; this is not the student's fault."""


class Remote(Student):
    """Runs a student's cells in a child process, and asks it.

    cells: [(name, source)], run in this order; an error in one is noted and the next still runs.
    seconds: for a single cell or request; in_all: for all of them together; restarts: new processes at most.
    notes: what happened to cells, in words for the student; asked: the names that were called.
    Use it as a context: leaving it ends the process and removes its folder. Any request may raise Lost or NotStarted.
    """

    def __init__(self, cells, class_seed=None, confined=True, seconds=15, in_all=150, restarts=6):
        self.cells, self.class_seed, self.confined = cells, class_seed, confined
        self.seconds, self.restarts, self.end = seconds, restarts, time.monotonic() + in_all
        self.notes, self.skipped, self.asked = {}, set(), set()
        self.process = None
        self.lives, self.strikes = 0, collections.Counter()

    def __enter__(self):
        return self

    def __exit__(self, *error):
        self._stop()

    def call(self, name, *args, **kwargs):
        self.asked.add(name)
        return self._ask(f"`{name}`", "call", name, False, args, kwargs)

    def make(self, name, *args, **kwargs):
        self.asked.add(name)
        number = self._ask(f"`{name}`", "call", name, True, args, kwargs)
        return Made(self, (self.lives, number))

    def act(self, made, method, *args, **kwargs):
        return self._ask(f"`{method}` of an object", "act", method, (made, *args), kwargs)

    def read(self, name):
        return self._ask(f"`{name}`", "read", name)

    def start(self):
        """Start the process and run the cells, if that is not done yet. Raises Lost if it cannot be."""
        while self.process is None:
            if time.monotonic() >= self.end:
                raise Lost("not run: the time for the whole notebook is used up")
            if self.lives > self.restarts:
                raise Lost("not run: this notebook's code ended its process too many times")
            self._spawn()
            self._run_cells()

    def _run_cells(self):
        for name, source in self.cells:
            if name in self.skipped:
                continue
            try:
                self._request(name, "cell", name, source)
            except Lost as lost:
                self.notes[name] = f"{lost}; the cell was left out after that"
                self.skipped.add(name)
                return
            except NotImplementedError:
                self.notes.setdefault(name, f"{name} stopped at a part that is not attempted yet")
            except Stopped as error:
                self.notes.setdefault(name, f"{name} stopped with {error.kind}: {error.message} ({error.place})")

    def _ask(self, what, *request):
        if self.strikes[what] == STRIKES:
            raise Lost(f"{what} was not called any more, after it had ended the process {STRIKES} times")
        self.start()
        try:
            return self._request(what, *request)
        except Lost:
            self.strikes[what] += 1
            raise

    def _request(self, what, do, *args):
        nonce, self.ours = secrets.token_hex(16), []
        deadline = min(time.monotonic() + self.seconds, self.end)
        try:
            wire.send(self.pipe, {"id": nonce, "do": do, "value": wire.pack(list(args), self._special)})
            for _ in range(MOST_CALLS):
                message = wire.receive(self.pipe, deadline, self._watch)
                if message.get("id") != nonce:
                    raise wire.Broken("the process answered what it was not asked")
                if "ask" not in message:
                    return self._result(message)
                wire.send(self.pipe, self._answer(message))
            raise wire.Broken(f"it called the function it was given more than {MOST_CALLS} times")
        except wire.Broken as error:
            raise Lost(f"{what} gave no result: {self._why(error)}") from None

    def _why(self, error):
        """Say why the process is lost, and end it."""
        if time.monotonic() >= self.end:
            reason = "the time for the whole notebook is used up"
        elif str(error) == "time is up":
            reason = f"it did not end within {self.seconds} s; is there an endless loop?"
        else:
            reason = str(error)
        with contextlib.suppress(subprocess.TimeoutExpired):
            code = self.process.wait(timeout=0.5)
            signals = {-signal.SIGXCPU: "too much processor time", -signal.SIGKILL: "killed, perhaps out of memory"}
            signals[-signal.SIGSEGV] = "a crash inside a library"
            reason += f" ({signals.get(code, f'exit code {code}')})"
        self._stop()
        return reason

    def _result(self, message):
        if "error" in message:
            error = message["error"]
            if not (isinstance(error, list) and len(error) == 3 and all(isinstance(part, str) for part in error)):
                raise wire.Broken("the process sent something that cannot be read")
            raise self._error(*error)
        return wire.unpack(message.get("value"))

    def _error(self, kind, text, place):
        """Return an error of the student's code, and why a name is not there, where a note says it."""
        if kind == "NotImplementedError" and not text:
            return NotImplementedError()
        if kind == "_Missing":
            return Missing(text, *self._notes_of(text))
        if kind == "NameError" and (name := re.search(r"name '(\w+)'", text)):
            text = "; ".join([text, *self._notes_of(name[1])])
        return Stopped(kind, text, place)

    def _notes_of(self, name):
        """Return what happened to the first cell with this name in it that stopped: one note or none."""
        word = re.compile(rf"\b{re.escape(name[:100])}\b")
        return [self.notes[cell] for cell, source in self.cells if cell in self.notes and word.search(source)][:1]

    def _special(self, value):
        """Tag what is no plain data: objects of the student's, and functions and modules of ours."""
        if isinstance(value, Made):
            life, number = value.reference
            if life != self.lives:
                raise Lost("the object is gone: the process that held it has ended")
            return {"made": number}
        if not callable(value):
            return None
        self.ours.append(value)
        return {"module" if isinstance(value, torch.nn.Module) else "function": len(self.ours) - 1}

    def _answer(self, message):
        """Call one of our functions with what the student's code gives it."""
        values = wire.unpack(message.get("value"))
        number = message["ask"]
        if type(number) is not int or not 0 <= number < len(self.ours) or not _is_call(values):
            raise wire.Broken("the process sent something that cannot be read")
        args, kwargs, training = values
        try:
            if _numbers(args) + _numbers(kwargs) > LARGEST_CALL:
                raise ValueError(f"a call here takes at most {LARGEST_CALL} numbers; use smaller inputs")
            return {"value": wire.pack(answered(self.ours[number], args, kwargs, training), self._special)}
        except Exception as error:  # ours may refuse odd inputs, as it should
            return {"error": [type(error).__name__, str(error)[:1_000]]}

    def _spawn(self):
        self.lives += 1
        self.folder = tempfile.mkdtemp(prefix="assignment-")
        self.pipe, theirs = socket.socketpair()
        self.pipe.settimeout(self.seconds)  # for sending: a process that does not read must not hold the grader
        with theirs, tempfile.TemporaryFile() as complaints:
            self.process = subprocess.Popen(
                [sys.executable, "-I", "-c", START, COURSE, str(theirs.fileno()), self.folder]
                + ["yes" if self.confined else "no"],
                cwd=self.folder,
                env=_environment(self.folder),
                stdin=subprocess.DEVNULL,
                stdout=complaints,
                stderr=complaints,
                pass_fds=[theirs.fileno()],
                start_new_session=True,
            )
            theirs.close()
            try:
                wire.receive(self.pipe, time.monotonic() + STARTING)
            except wire.Broken:
                self._stop()
                complaints.seek(0)
                tail = complaints.read()[-2_000:].decode(errors="replace")
                raise NotStarted(f"the process for a student's code did not start:\n{tail}") from None

    def _watch(self):
        """End a process that fills its folder."""
        size = 0
        with os.scandir(self.folder) as entries:
            for count, entry in enumerate(entries):
                with contextlib.suppress(OSError):
                    size += max(4096, entry.stat(follow_symlinks=False).st_size)
                if size > LARGEST_FOLDER or count > 1_000:
                    raise wire.Broken(f"it wrote more than {LARGEST_FOLDER >> 20} MB or 1000 files")

    def _stop(self):
        if self.process is None:
            return
        with contextlib.suppress(ProcessLookupError):
            os.killpg(self.process.pid, signal.SIGKILL)
        self.process.wait()
        self.pipe.close()
        shutil.rmtree(self.folder, ignore_errors=True)
        self.process = None


def _environment(folder):
    """Only what Python and torch need; nothing of the teacher's."""
    threads = dict.fromkeys(("OMP_NUM_THREADS", "MKL_NUM_THREADS", "OPENBLAS_NUM_THREADS"), "1")
    homes = dict.fromkeys(("HOME", "TMPDIR", "MPLCONFIGDIR", "IPYTHONDIR", "TORCHINDUCTOR_CACHE_DIR"), folder)
    return {**threads, **homes, "PATH": os.defpath, "LANG": "C.UTF-8", "MPLBACKEND": "agg"}


def _is_call(values):
    if not (isinstance(values, list) and len(values) == 3):
        return False
    args, kwargs, training = values
    return isinstance(args, list) and isinstance(kwargs, dict) and training in (None, True, False)


def _numbers(value):
    """Count the numbers in a call's arguments, a whole number at its own size: it may be a length."""
    if isinstance(value, torch.Tensor):
        return value.numel()
    if isinstance(value, (list, tuple)):
        return sum(map(_numbers, value)) + len(value)
    if isinstance(value, dict):
        return _numbers(list(value.values())) + len(value)
    return abs(value) if isinstance(value, int) else 1
