"""One process that has imported torch forks another for each student: the import takes longer than the judging.

It is started with nothing of the teacher's: no environment, no open file, no module but torch and the student's side
of this package. Requests come over one socket whose messages stay whole, so that several judging processes may ask at
once; each brings two sockets along: one to talk to the student's process, one to learn of its folder and its end.
"""

import contextlib
import itertools
import json
import os
import socket
import subprocess
import sys
import tempfile
import time
from pathlib import Path

from classroom.grader import bounds, keeper, sandbox, wire

START = "import sys; sys.path.insert(0, sys.argv[1]); from classroom.grader import keeper; keeper.serve()"
HOME = Path(__file__).resolve().parents[2]  # the folder in which `classroom` is found
STARTING = 60  # seconds until a process has imported torch
LARGEST_FOLDER = 32 << 20  # bytes in the working folder
MOST_THREADS = 100
ENDING = 10  # seconds until the keeper has said how a process ended
TICKS = 100  # a second, of the processor time in /proc
NOT_STARTED = "the process for a student's code did not start"


class NotStarted(Exception):
    """A process for a student's code could not even start; this is not the student's fault."""


class ForkServer:
    """The grader's side: one server for this process and all that are forked from it."""

    def __init__(self):
        self.owner, self.process, self.control, self.complaints = os.getpid(), None, None, None

    def start(self):
        """Start it where it does not run, and say so if it has ended; a forked process leaves this to its parent.

        Raises NotStarted.
        """
        if self.owner != os.getpid() or (self.process is not None and self.process.poll() is None):
            return
        if self.process is not None:
            how = f"{bounds.ending(self.process.returncode)}{self._last_words()}"
            print(f"warning: the process that starts students' processes has ended ({how}); a new one", file=sys.stderr)
            self.stop()
        self.control, theirs = socket.socketpair(socket.AF_UNIX, socket.SOCK_SEQPACKET)
        self.control.settimeout(STARTING)
        self.complaints = os.memfd_create("complaints")
        with theirs:
            self.process = subprocess.Popen(
                [sys.executable, "-I", "-c", START, HOME, str(theirs.fileno())],
                cwd="/",
                env=_environment(),
                stdin=subprocess.DEVNULL,
                stdout=self.complaints,
                stderr=self.complaints,
                pass_fds=[theirs.fileno()],
            )
        if not _received(self.control):
            said = self._last_words()
            self.stop()
            raise NotStarted(f"the process that starts students' processes did not start{said}")

    def fork(self, confined):
        """Return a new process for a student's code, shut in (`sandbox.py`) or not. Raises NotStarted."""
        self.start()
        pipe, theirs = socket.socketpair()
        report, reporting = socket.socketpair(socket.AF_UNIX, socket.SOCK_SEQPACKET)
        with theirs, reporting:
            request = [keeper.CONFINED if confined else keeper.UNCONFINED]
            try:
                socket.send_fds(self.control, request, [theirs.fileno(), reporting.fileno()])
            except OSError as error:
                raise NotStarted(f"the process that starts students' processes has ended: {error}") from None
        return Process(pipe, report)

    def stop(self):
        """End it. The students' processes go on until those who asked for them are through."""
        self.control.close()
        os.close(self.complaints)
        self.process.kill()
        self.process.wait()
        self.process = None

    def _last_words(self):
        start = max(0, os.fstat(self.complaints).st_size - 2_000)
        said = os.pread(self.complaints, 2_000, start).decode(errors="replace").strip()
        return f": {said}" if said else ""


SERVER = ForkServer()


class Process:
    """The grader's hold on a student's process, which serves requests over a pipe, in a folder of its own."""

    def __init__(self, pipe, report):
        self.pipe, self.report, self.watched = pipe, report, 0.0
        report.settimeout(STARTING)
        started = _received(report)
        if started is None:
            raise NotStarted("the process that starts students' processes has ended, or does not answer")
        if isinstance(started, str):
            raise NotStarted(f"{NOT_STARTED}: {started}")
        self.pid, self.folder = started
        try:
            refused = wire.receive(pipe, time.monotonic() + STARTING).get("refused")
        except wire.Broken as error:
            refused = str(error)
        if refused:
            raise NotStarted(f"{NOT_STARTED}: {refused}")

    def send(self, message, deadline, busy_until):
        """Send a message. Raises wire.Broken, also for a process that fills its folder.

        deadline: of time.monotonic(); busy_until: seconds of the process's own processor time.
        """
        wire.send(self.pipe, message, deadline, lambda: self._watch(busy_until))

    def receive(self, deadline, busy_until):
        """Return the next message. Arguments and errors are those of `send`."""
        return wire.receive(self.pipe, deadline, lambda: self._watch(busy_until))

    def processor_seconds(self):
        """Return the processor time that the process has taken, with all its threads."""
        fields = self._stat()
        return (int(fields[11]) + int(fields[12])) / TICKS if fields else 0.0

    def ending(self):
        """Return how the process ended, in words, or "" if it still runs."""
        self.report.settimeout(ENDING)
        code = _received(self.report)
        return "" if code is None else bounds.ending(code)

    def stop(self):
        """End the process, with all that it started, and its folder."""
        self.report.shutdown(socket.SHUT_WR)
        self.report.settimeout(STARTING)
        while _received(self.report) is not None:
            pass
        self.pipe.close()
        self.report.close()

    def _watch(self, busy_until):
        if time.monotonic() < self.watched + wire.WATCH_EVERY:
            return
        self.watched = time.monotonic()
        fields = self._stat()
        threads = int(fields[17]) if fields else 0
        if threads > MOST_THREADS:
            raise wire.Broken(f"it started more than {MOST_THREADS} threads")
        if threads > 1 and fields[0] == "Z":  # the files of the others are not seen any more
            raise wire.Broken("its first thread has ended")
        if self.processor_seconds() > busy_until:
            raise wire.Broken(wire.LATE)
        size = 0
        for each in itertools.chain(self._named(), self._unnamed()):
            size += max(4096, each)
            if size > LARGEST_FOLDER:
                raise wire.Broken(f"it wrote more than {LARGEST_FOLDER >> 20} MB, or many small files")

    def _stat(self):
        """Return what /proc says of the process, from its state on; nothing if it has ended."""
        with contextlib.suppress(OSError):
            return Path(f"/proc/{self.pid}/stat").read_text().rpartition(")")[2].split()
        return []

    def _named(self):
        """Yield the size of each file in the folder."""
        with contextlib.suppress(FileNotFoundError), os.scandir(self.folder) as entries:
            for entry in entries:
                with contextlib.suppress(OSError):
                    yield entry.stat().st_size

    def _unnamed(self):
        """Yield the size of each file without a name in the folder, which keeps its place while open or mapped."""
        process, seen = Path(f"/proc/{self.pid}"), set()
        with contextlib.suppress(OSError):  # it has ended
            for each in (process / "fd").iterdir():
                with contextlib.suppress(OSError):
                    if self._was_removed(os.readlink(each)):
                        found = each.stat()
                        seen.add(found.st_ino)
                        yield found.st_size
            with open(process / "maps", errors="replace") as maps:
                for line in maps:
                    *_, number, path = line.split(maxsplit=5)
                    if self._was_removed(path.rstrip()) and int(number) not in seen:
                        seen.add(int(number))
                        yield sandbox.FILE_SIZE  # at most: its own size is not to be had

    def _was_removed(self, path):
        return path.startswith(f"{self.folder}/") and path.endswith(" (deleted)")


def _received(connection):
    """Return what comes, as plain data; None if the other side has gone, or says nothing in time."""
    try:
        message = connection.recv(4096)
    except OSError:
        return None
    return json.loads(message) if message else None


def _environment():
    """Only what Python and torch need; nothing of the teacher's."""
    threads = dict.fromkeys(("OMP_NUM_THREADS", "MKL_NUM_THREADS", "OPENBLAS_NUM_THREADS"), "1")
    threads["MALLOC_ARENA_MAX"] = "1"  # a thread with memory of its own would take 64 MB of address space
    plain = {"PATH": os.defpath, "LANG": "C.UTF-8", "MPLBACKEND": "agg"}
    return {**threads, **plain, "TMPDIR": tempfile.gettempdir()}
