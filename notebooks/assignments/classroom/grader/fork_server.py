"""One process that has imported torch forks another for each student: the import takes longer than the judging.

It is started with nothing of the teacher's: no environment, no open file, no module but torch and the student's side
of this package. Requests come over one socket whose messages stay whole, so that several judging processes may ask at
once; each brings two sockets along: one to talk to the student's process, one to learn of its folder and its end.
"""

import os
import socket
import subprocess
import sys
import tempfile
from pathlib import Path

from classroom.grader import bounds, keeper
from classroom.grader.process import STARTING, NotStarted, Process, received

START = "import sys; sys.path.insert(0, sys.argv[1]); from classroom.grader import keeper; keeper.serve()"
HOME = Path(__file__).resolve().parents[2]  # the folder in which `classroom` is found


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
        if not received(self.control):
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


def _environment():
    """Only what Python and torch need; nothing of the teacher's."""
    threads = dict.fromkeys(("OMP_NUM_THREADS", "MKL_NUM_THREADS", "OPENBLAS_NUM_THREADS"), "1")
    threads["MALLOC_ARENA_MAX"] = "1"  # a thread with memory of its own would take 64 MB of address space
    plain = {"PATH": os.defpath, "LANG": "C.UTF-8", "MPLBACKEND": "agg"}
    return {**threads, **plain, "TMPDIR": tempfile.gettempdir()}
