"""The grader's hold on one student's process: it is asked over a pipe, watched meanwhile, and ended."""

import contextlib
import itertools
import math
import os
import socket
import time
from pathlib import Path

from classroom.grader import bounds, sandbox, wire

STARTING = 60  # seconds until a process has imported torch
LARGEST_FOLDER = 32 << 20  # bytes in the working folder
MOST_THREADS = 100
ENDING = 10  # seconds until the warm parent has said how a process ended
TICKS = 100  # a second, of the processor time in /proc


class NotStarted(Exception):
    """A process for a student's code could not even start; this is not the student's fault."""


class Watched:
    """A student's process, which serves requests over `pipe`, in a folder of its own.

    report: the socket on which the warm parent says how it ended, and hears that it may go. Raises NotStarted.
    """

    def __init__(self, pipe, report):
        self.pipe, self.report, self.watched = pipe, report, math.inf  # nothing can be seen until it has started
        self.deadline = time.monotonic() + STARTING
        try:
            started = self.receive()
        except wire.Broken as error:
            started = {"refused": str(error)}
        if "refused" in started:
            raise NotStarted(f"the process for a student's code did not start: {started['refused']}")
        self.pid, self.folder, self.watched = started["pid"], started["folder"], 0.0

    def allow(self, deadline, busy):
        """Let the next request take until a deadline, of time.monotonic(), and so many seconds of processor time."""
        self.deadline, self.busy_until = deadline, self._stat()[1] + busy

    def send(self, message):
        """Send a message. Raises wire.Broken, also for a process that takes more than it may."""
        wire.send(self.pipe, message, self._watch)

    def receive(self):
        """Return the next message. Raises wire.Broken, as `send` does."""
        return wire.receive(self.pipe, self._watch)

    def ending(self):
        """Return how the process ended, in words, or "" if it still runs. Raises NotStarted if nobody can say."""
        self.report.settimeout(ENDING)
        try:
            code = self.report.recv(64)
        except TimeoutError:
            return ""
        if not code:  # the process may have ended for no reason of its own
            raise NotStarted("the process that starts students' processes has ended")
        return bounds.ending(int(code))

    def stop(self):
        """End the process and its folder, and wait until both are gone."""
        self.report.settimeout(STARTING)
        with self.pipe, self.report, contextlib.suppress(OSError):
            self.report.shutdown(socket.SHUT_WR)
            while self.report.recv(64):
                pass

    def _watch(self):
        now = time.monotonic()
        if now >= self.deadline:
            raise wire.Broken(wire.LATE)
        if now < self.watched + wire.WATCH_EVERY:
            return
        self.watched = now
        state, seconds, threads = self._stat()
        if threads > MOST_THREADS:
            raise wire.Broken(f"it started more than {MOST_THREADS} threads")
        if threads > 1 and state == "Z":  # the files of the others are not seen any more
            raise wire.Broken("its first thread has ended")
        if seconds > self.busy_until:
            raise wire.Broken(wire.LATE)
        if any(size > LARGEST_FOLDER for size in itertools.accumulate(max(4096, each) for each in self._sizes())):
            raise wire.Broken(f"it wrote more than {LARGEST_FOLDER >> 20} MB, or many small files")

    def _stat(self):
        """Return the process's state, its processor time in seconds, and how many threads it has, from /proc."""
        with contextlib.suppress(OSError), open(f"/proc/{self.pid}/stat", "rb", buffering=0) as stat:
            fields = stat.read().rpartition(b")")[2].decode().split()
            return fields[0], (int(fields[11]) + int(fields[12])) / TICKS, int(fields[17])
        return "", 0.0, 0  # it has ended

    def _sizes(self):
        """Yield the size of each file in the folder. One that was removed keeps its room while it is open or mapped."""
        inside, seen = f"{self.folder}/", set()
        with contextlib.suppress(OSError):  # it has ended
            for place in (self.folder, f"/proc/{self.pid}/fd"):
                for entry in list(os.scandir(place)):
                    with contextlib.suppress(OSError):
                        found = entry.stat()
                        if place == self.folder or os.readlink(entry.path).startswith(inside):
                            yield 0 if found.st_ino in seen else found.st_size
                            seen.add(found.st_ino)
            for line in Path(f"/proc/{self.pid}/maps").read_text(errors="replace").splitlines():
                if inside in line and (number := int(line.split()[4])) not in seen:
                    seen.add(number)
                    yield sandbox.FILE_SIZE  # at most: its own size is not to be had
