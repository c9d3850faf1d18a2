"""The grader's side of the warm parent (`warm_parent.py`), which has a student's process ready in a moment.

To import torch takes a process 1.3 s, to be forked from one that has done so takes it NN ms: for a class of 300, that is
MM minutes on two cores. A second process for each student, which would look after its folder and its end, cost NN ms.

The parent is started with nothing of the teacher's: no environment, no open file, no module but torch and the student's
side of this package. Requests come over one socket whose messages stay whole, so that several judging processes may ask
at once; each brings two sockets along: one to talk to the student's process, one to learn how it ended.
"""

import os
import socket
import subprocess
import sys
import tempfile
from pathlib import Path

from classroom.grader import bounds
from classroom.grader.warm_parent import UNCONFINED
from classroom.grader.watched import STARTING, NotStarted, Watched

START = "import sys; sys.path.insert(0, sys.argv[1]); from classroom.grader import warm_parent; warm_parent.serve()"
HOME = Path(__file__).resolve().parents[2]  # the folder in which `classroom` is found
# Only what Python and torch need. A thread with memory of its own would take 64 MB of address space.
ENVIRONMENT = dict.fromkeys(("OMP_NUM_THREADS", "MKL_NUM_THREADS", "OPENBLAS_NUM_THREADS", "MALLOC_ARENA_MAX"), "1")
ENVIRONMENT |= {"PATH": os.defpath, "LANG": "C.UTF-8", "MPLBACKEND": "agg"}


class ForkServer:
    """One warm parent for this process and all that are forked from it."""

    def __init__(self):
        self.owner, self.process, self.control, self.complaints, self.folder = os.getpid(), None, None, None, None

    def start(self):
        """Start it where it does not run, and say so if it has ended; a forked process leaves this to its parent.

        Raises NotStarted, and OSError if there is no room for its folder.
        """
        if self.owner != os.getpid() or (self.process is not None and self.process.poll() is None):
            return
        if self.process is not None:
            how = f"{bounds.ending(self.process.returncode)}{self._last_words()}"
            print(f"warning: the process that starts students' processes has ended ({how}); a new one", file=sys.stderr)
            self.stop()
        self.folder = tempfile.TemporaryDirectory(prefix="assignments-", ignore_cleanup_errors=True)
        self.complaints = tempfile.TemporaryFile()
        self.control, theirs = socket.socketpair(socket.AF_UNIX, socket.SOCK_SEQPACKET)
        with theirs:
            self.process = subprocess.Popen(
                [sys.executable, "-I", "-c", START, HOME, str(theirs.fileno())],
                cwd="/",
                env={**ENVIRONMENT, "TMPDIR": self.folder.name},
                stdin=subprocess.DEVNULL,
                stdout=self.complaints,
                stderr=self.complaints,
                pass_fds=[theirs.fileno()],
            )
        self.control.settimeout(STARTING)
        try:
            ready = self.control.recv(64)
        except OSError:
            ready = b""
        if not ready:
            said = self._last_words()
            self.stop()
            raise NotStarted(f"the process that starts students' processes did not start{said}")

    def fork(self, confined):
        """Return a new process for a student's code, shut in (`sandbox.py`) or not. Raises NotStarted."""
        self.start()
        pipe, their_pipe = socket.socketpair()
        report, their_report = socket.socketpair()
        with their_pipe, their_report:
            request = [b"confined" if confined else UNCONFINED]
            try:
                socket.send_fds(self.control, request, [their_pipe.fileno(), their_report.fileno()])
            except OSError as error:
                raise NotStarted(f"the process that starts students' processes has ended: {error}") from None
        return Watched(pipe, report)

    def stop(self):
        """End it, and all that it started."""
        self.control.close()
        self.complaints.close()
        self.process.kill()
        self.process.wait()
        self.process = None
        self.folder.cleanup()

    def _last_words(self):
        file = self.complaints.fileno()
        said = os.pread(file, 2_000, max(0, os.fstat(file).st_size - 2_000)).decode(errors="replace").strip()
        return f": {said}" if said else ""


SERVER = ForkServer()
