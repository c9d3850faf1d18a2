"""The grader's hold on one student's process: it is asked over a pipe, watched meanwhile, and ended."""

import contextlib
import itertools
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
        self.pipe, self.report, self.watched = pipe, report, 0.0
        report.settimeout(STARTING)
        try:
            started = wire.receive(pipe, time.monotonic() + STARTING)
        except wire.Broken as error:
            started = {"refused": str(error)}
        if "refused" in started:
            raise NotStarted(f"the process for a student's code did not start: {started['refused']}")
        self.pid, self.folder = started["pid"], started["folder"]

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
        with contextlib.suppress(OSError), open(f"/proc/{self.pid}/stat", "rb", buffering=0) as stat:
            return stat.read().rpartition(b")")[2].decode().split()
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
                    if self.folder not in line:
                        continue
                    *_, number, path = line.split(maxsplit=5)
                    if self._was_removed(path.rstrip()) and int(number) not in seen:
                        seen.add(int(number))
                        yield sandbox.FILE_SIZE  # at most: its own size is not to be had

    def _was_removed(self, path):
        return path.startswith(f"{self.folder}/") and path.endswith(" (deleted)")
