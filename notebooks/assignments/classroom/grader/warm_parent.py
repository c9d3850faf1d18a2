"""The process that has imported torch, and forks one for each student: `fork_server.py` starts and asks it.

It looks after those that it forked: it says how each ended, and leaves neither a process nor a file behind.
"""

import contextlib
import itertools
import os
import select
import shutil
import signal
import socket
import sys
from dataclasses import dataclass

from classroom.grader import inside


def serve():
    """Fork a process for each request, until nobody is left who could ask."""
    control = socket.socket(fileno=int(sys.argv[2]))
    inside.warm_up()
    home = os.environ["TMPDIR"]
    folders = (os.path.join(home, str(number)) for number in itertools.count())
    students = {}  # by what is heard when one is through: its own end, or its grader hanging up
    control.send(b"ready")
    while True:
        ready, _, _ = select.select([control, *students], [], [])
        for through in {students[each] for each in ready if each is not control}:
            del students[through.ended], students[through.report]
            through.end()
        if control in ready:
            request, handed, _, _ = socket.recv_fds(control, 64, 2)
            if not request:
                break
            student = _fork(*handed, next(folders))
            students |= {student.ended: student, student.report: student}
    for student in {*students.values()}:
        student.end()
    shutil.rmtree(home, ignore_errors=True)


def _fork(pipe, report, folder):
    """Start a student's process, which holds the pipe and nothing else that is open here."""
    parent, pid = os.getpid(), os.fork()
    if not pid:
        try:
            for opened in map(int, os.listdir("/proc/self/fd")):
                if opened not in (0, 1, 2, pipe):
                    os.closerange(opened, opened + 1)
            inside.main(socket.socket(fileno=pipe), folder, parent)
        finally:
            os._exit(1)
    os.close(pipe)
    return _Student(pid, os.pidfd_open(pid), socket.socket(fileno=report), folder)


@dataclass(frozen=True, eq=False)
class _Student:
    """A student's process. ended: a descriptor that is ready when it has; report: the grader's, to say how."""

    pid: int
    ended: int
    report: socket.socket
    folder: str

    def end(self):
        """End the process and its folder, and say how it ended to whoever still listens."""
        os.kill(self.pid, signal.SIGKILL)
        _, status = os.waitpid(self.pid, 0)
        os.close(self.ended)
        shutil.rmtree(self.folder, ignore_errors=True)
        with self.report, contextlib.suppress(OSError):  # the grader may have gone
            self.report.send(str(os.waitstatus_to_exitcode(status)).encode())
