"""The process in which a student's code runs: started with nothing of the teacher's, watched, and ended."""

import contextlib
import os
import shutil
import signal
import socket
import subprocess
import sys
import tempfile
import time
from pathlib import Path

from classroom.grader import wire

START = "import sys; sys.path.insert(0, sys.argv[1]); from classroom.grader import child; child.main()"
COURSE = Path(__file__).resolve().parents[2]
STARTING = 60  # seconds until the process has imported torch
LARGEST_FOLDER = 32 << 20  # bytes in the working folder
MOST_FILES = 1_000


class NotStarted(Exception):
    """The process could not even start; this is not the student's fault."""


class Process:
    """A child that serves requests over a pipe, in a folder of its own.

    confined: shut it in (`sandbox.py`); seconds: how long it may take to read what is sent. Raises NotStarted.
    """

    def __init__(self, confined, seconds):
        self.folder = tempfile.mkdtemp(prefix="assignment-")
        self.pipe, theirs = socket.socketpair()
        self.pipe.settimeout(seconds)  # for sending: a process that does not read must not hold the grader
        with theirs, tempfile.TemporaryFile() as complaints:
            self.child = subprocess.Popen(
                [sys.executable, "-I", "-c", START, COURSE, str(theirs.fileno()), self.folder]
                + ["yes" if confined else "no"],
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
                self.stop()
                complaints.seek(0)
                tail = complaints.read()[-2_000:].decode(errors="replace")
                raise NotStarted(f"the process for a student's code did not start:\n{tail}") from None

    def send(self, message):
        """Send a message. Raises wire.Broken."""
        wire.send(self.pipe, message)

    def receive(self, deadline):
        """Return the next message. Raises wire.Broken, also for a process that fills its folder."""
        return wire.receive(self.pipe, deadline, self._watch)

    def ending(self):
        """Return how the process ended, in words, or "" if it still runs."""
        try:
            code = self.child.wait(timeout=0.5)
        except subprocess.TimeoutExpired:
            return ""
        signals = {
            -signal.SIGXCPU: "too much processor time",
            -signal.SIGKILL: "killed, perhaps out of memory",
            -signal.SIGSEGV: "a crash inside a library",
        }
        return signals.get(code, f"exit code {code}")

    def stop(self):
        """End the process, with all that it started, and remove its folder."""
        with contextlib.suppress(ProcessLookupError):
            os.killpg(self.child.pid, signal.SIGKILL)
        self.child.wait()
        self.pipe.close()
        shutil.rmtree(self.folder, ignore_errors=True)

    def _watch(self):
        size = 0
        with os.scandir(self.folder) as entries:
            for count, entry in enumerate(entries):
                with contextlib.suppress(OSError):
                    size += max(4096, entry.stat(follow_symlinks=False).st_size)
                if size > LARGEST_FOLDER or count > MOST_FILES:
                    raise wire.Broken(f"it wrote more than {LARGEST_FOLDER >> 20} MB or {MOST_FILES} files")


def _environment(folder):
    """Only what Python and torch need; nothing of the teacher's."""
    threads = dict.fromkeys(("OMP_NUM_THREADS", "MKL_NUM_THREADS", "OPENBLAS_NUM_THREADS"), "1")
    homes = dict.fromkeys(("HOME", "TMPDIR", "MPLCONFIGDIR", "IPYTHONDIR", "TORCHINDUCTOR_CACHE_DIR"), folder)
    return {**threads, **homes, "PATH": os.defpath, "LANG": "C.UTF-8", "MPLBACKEND": "agg"}
