"""The grader's side of the warm parent (`inside.py`), which has a student's process ready in a moment.

The parent is started with nothing of the teacher's: no environment, no open file but where errors are shown, no module
but the student's side of this package and torch, which takes a second to import. Several judging processes may ask it
at once; each brings two sockets along: one to talk to the student's process, one to learn how it ended.
"""

import contextlib
import math
import os
import socket
import subprocess
import sys
import time
from pathlib import Path

from classroom import wire
from classroom.grader import bounds

START = "import sys; sys.path.insert(0, sys.argv[1]); from classroom.grader import inside; inside.run_parent()"
HOME = Path(__file__).resolve().parents[2]  # the folder in which `classroom` is found
# Only what Python and torch need. A thread with memory of its own would take 64 MB of address space.
ENVIRONMENT = dict.fromkeys(("OMP_NUM_THREADS", "MKL_NUM_THREADS", "OPENBLAS_NUM_THREADS", "MALLOC_ARENA_MAX"), "1")
ENVIRONMENT |= {"PYTHONHASHSEED": "0"}  # sets have the same order in each grade
ENVIRONMENT |= {"PATH": os.defpath, "LANG": "C.UTF-8", "MPLBACKEND": "agg"}
ENVIRONMENT |= dict.fromkeys(("HOME", "MPLCONFIGDIR", "TORCHINDUCTOR_CACHE_DIR"), "/tmp")  # where none can write
STARTING = 60  # seconds until a process has imported torch
MOST_THREADS = 100
ENDING = 10  # seconds until the warm parent has said how a process ended
TICK = 0.01  # seconds; a process that computes less between two looks is idle
PROCESS_CLOCK = 2  # include/linux/posix-timers.h: with the inverted id of a process, its clock of processor time


class ForkServer:
    """One warm parent for this process and all that are forked from it."""

    def __init__(self):
        self.owner = os.getpid()
        self.process: subprocess.Popen | None = None

    def start(self) -> None:
        """Start it where it does not run; a forked process leaves this to its parent. Raises NotStarted."""
        if self.owner != os.getpid() or (self.process is not None and self.process.poll() is None):
            return
        if self.process is not None:
            how = bounds.describe_exit(self.process.returncode)
            print(f"warning: the process that starts students' processes has ended ({how}); a new one", file=sys.stderr)
            self.stop()
        self.control, their_control = socket.socketpair(socket.AF_UNIX, socket.SOCK_SEQPACKET)
        self.control.settimeout(STARTING)
        with their_control:
            self.process = subprocess.Popen(
                [sys.executable, "-sP", "-c", START, HOME, str(their_control.fileno())],
                cwd="/",
                env=ENVIRONMENT,
                stdin=subprocess.DEVNULL,
                stdout=subprocess.DEVNULL,
                pass_fds=[their_control.fileno()],
                start_new_session=True,  # Ctrl-C is for the grader, which ends all
            )
        greeting = b""
        with contextlib.suppress(OSError):
            greeting = self.control.recv(1_000)
        if greeting != b"ready":
            self.stop()
            raise NotStarted(f"the process that starts students' processes did not start{greeting.decode()}")

    def fork(self) -> "StudentProcess":
        """Return a new process for a student's code. Raises NotStarted."""
        self.start()
        pipe, their_pipe = socket.socketpair()
        report, their_report = socket.socketpair()
        with their_pipe, their_report:
            try:
                socket.send_fds(self.control, [b"fork"], [their_pipe.fileno(), their_report.fileno()])
            except OSError as error:
                raise NotStarted(f"the process that starts students' processes has ended: {error}") from None
        return StudentProcess(pipe, report)

    def stop(self) -> None:
        """End it, and all that it started."""
        self.control.close()
        self.process.kill()
        self.process.wait()
        self.process = None


class NotStarted(Exception):
    """A process for a student's code could not even start; this is not the student's fault."""


class StudentProcess:
    """A student's process, which serves requests over `pipe`; on `report`, the warm parent says how it ended, and hears
    that it may go. Raises NotStarted."""

    def __init__(self, pipe: socket.socket, report: socket.socket):
        self.pipe, self.report, self.last_look = pipe, report, math.inf  # nothing can be seen until it has started
        self.deadline = time.monotonic() + STARTING
        try:
            started = wire.receive(pipe, self.watch)
        except wire.Broken as error:
            started = {"refused": str(error)}
        if "refused" in started:
            raise NotStarted(f"the process for a student's code did not start: {started['refused']}")
        self.pid, self.last_look, self.deadline = started["pid"], 0.0, math.inf

    def allow(self, busy: float, idle: float) -> None:
        """Let the next request compute and be idle for so many seconds; to wait for a processor is neither."""
        self.last_seconds = self.processor_time()
        self.busy_until, self.idle_left = self.last_seconds + busy, idle

    def processor_time(self) -> float:
        """Return the processor time that the process has taken, in seconds."""
        with contextlib.suppress(OSError):
            return time.clock_gettime(~self.pid << 3 | PROCESS_CLOCK)
        return 0.0  # it has ended

    def describe_exit(self) -> str:
        """Return how the process ended, in words, or "" if it still runs. Raises NotStarted if nobody can say."""
        self.report.settimeout(ENDING)
        try:
            code = self.report.recv(64)
        except TimeoutError:
            return ""
        if not code:  # the process may have ended for no reason of its own
            raise NotStarted("the process that starts students' processes has ended")
        return bounds.describe_exit(int(code))

    def stop(self) -> None:
        """End the process, and wait until it is gone."""
        self.report.settimeout(STARTING)
        with self.pipe, self.report, contextlib.suppress(OSError):
            self.report.shutdown(socket.SHUT_WR)
            while self.report.recv(64):
                pass

    def watch(self) -> None:
        """Raise wire.Broken if the process takes more than it may: to be called while waiting."""
        now = time.monotonic()
        if now >= self.deadline:
            raise wire.Broken(wire.TIME_UP)
        if now < self.last_look + wire.WATCH_EVERY:
            return
        self.last_look = now
        (state, threads), seconds = self._stat(), self.processor_time()
        if threads > MOST_THREADS:
            raise wire.Broken(f"it started more than {MOST_THREADS} threads")
        if threads > 1 and state == "Z":  # the others would compute unseen
            raise wire.Broken("its first thread has ended")
        if state == "S" and seconds < self.last_seconds + TICK:
            self.idle_left -= wire.WATCH_EVERY
        self.last_seconds = seconds
        if seconds > self.busy_until or self.idle_left < 0:
            raise wire.Broken(wire.TIME_UP)

    def _stat(self) -> tuple[str, int]:
        """Return the process's state and how many threads it has, from /proc."""
        with contextlib.suppress(OSError):
            fields = Path(f"/proc/{self.pid}/stat").read_bytes().rpartition(b")")[2].decode().split()
            return fields[0], int(fields[17])
        return "", 0  # it has ended


SERVER = ForkServer()
