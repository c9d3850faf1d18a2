"""The grader's side of the warm parent (`warm_parent.py`), which has a student's process ready in a moment.

Measured on two cores: where each process imports torch itself, a notebook of a1 takes 0.9 s, and a class of 300 over
4 minutes; forked from a parent that has imported it, 0.045 s, and 14 s. With another process between the two, for each
student's folder and end, to start and stop one takes 1.4 times as long, and nothing is won.

The parent is started with nothing of the teacher's: no environment, no open file but where errors are shown, no module
but torch and the student's side of this package. Requests come over one socket whose messages stay whole, so that
several judging processes may ask at once; each brings two sockets along: one to talk to the student's process, one to
learn how it ended.
"""

import contextlib
import os
import socket
import subprocess
import sys
import tempfile
from pathlib import Path

from classroom.grader import bounds
from classroom.grader.watched import STARTING, NotStarted, Watched

START = "import sys; sys.path.insert(0, sys.argv[1]); from classroom.grader import warm_parent; warm_parent.serve()"
HOME = Path(__file__).resolve().parents[2]  # the folder in which `classroom` is found
# Only what Python and torch need. A thread with memory of its own would take 64 MB of address space.
ENVIRONMENT = dict.fromkeys(("OMP_NUM_THREADS", "MKL_NUM_THREADS", "OPENBLAS_NUM_THREADS", "MALLOC_ARENA_MAX"), "1")
ENVIRONMENT |= {"PATH": os.defpath, "LANG": "C.UTF-8", "MPLBACKEND": "agg"}


class ForkServer:
    """One warm parent for this process and all that are forked from it."""

    def __init__(self):
        self.owner, self.process = os.getpid(), None

    def start(self):
        """Start it where it does not run, and say so if it has ended; a forked process leaves this to its parent.

        Raises NotStarted, and OSError if its folder cannot be made.
        """
        if self.owner != os.getpid() or (self.process is not None and self.process.poll() is None):
            return
        if self.process is not None:
            how = bounds.ending(self.process.returncode)
            print(f"warning: the process that starts students' processes has ended ({how}); a new one", file=sys.stderr)
            self.stop()
        self.folder = tempfile.TemporaryDirectory(prefix="assignments-", ignore_cleanup_errors=True)
        self.control, theirs = socket.socketpair(socket.AF_UNIX, socket.SOCK_SEQPACKET)
        self.control.settimeout(STARTING)
        with theirs:
            self.process = subprocess.Popen(
                [sys.executable, "-I", "-c", START, HOME, str(theirs.fileno())],
                cwd="/",
                env={**ENVIRONMENT, "TMPDIR": os.path.realpath(self.folder.name)},
                stdin=subprocess.DEVNULL,
                stdout=subprocess.DEVNULL,
                pass_fds=[theirs.fileno()],
                start_new_session=True,  # Ctrl-C is for the grader, which ends all
            )
        ready = b""
        with contextlib.suppress(OSError):
            ready = self.control.recv(64)
        if not ready:
            self.stop()
            raise NotStarted("the process that starts students' processes did not start")

    def fork(self):
        """Return a new process for a student's code. Raises NotStarted."""
        self.start()
        pipe, their_pipe = socket.socketpair()
        report, their_report = socket.socketpair()
        with their_pipe, their_report:
            try:
                socket.send_fds(self.control, [b"fork"], [their_pipe.fileno(), their_report.fileno()])
            except OSError as error:
                raise NotStarted(f"the process that starts students' processes has ended: {error}") from None
        return Watched(pipe, report)

    def stop(self):
        """End it, and all that it started."""
        self.control.close()
        self.process.kill()
        self.process.wait()
        self.process = None
        self.folder.cleanup()


SERVER = ForkServer()
