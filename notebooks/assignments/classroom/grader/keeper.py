"""The other side of `fork_server.py`: the process that forks, and the keeper that it forks for each student's process.

A keeper makes the folder, starts the student's process, says how that ended, and leaves nothing behind.
"""

import json
import os
import select
import shutil
import signal
import socket
import sys
import tempfile

from classroom.grader import student_process

CONFINED, UNCONFINED = b"confined", b"unconfined"


def serve():
    """Fork a process for each request, until nobody is left who could ask."""
    control = socket.socket(fileno=int(sys.argv[2]))
    student_process.warm_up()
    signal.signal(signal.SIGCHLD, signal.SIG_IGN)  # nobody here waits for a keeper's end
    control.send(b"true")
    while True:
        request, handed, _, _ = socket.recv_fds(control, 64, 2)
        if not request:
            return
        pipe, report = (socket.socket(fileno=each) for each in handed)
        if not os.fork():
            control.close()
            _keep(request != UNCONFINED, pipe, report)
        pipe.close()
        report.close()


def _keep(confined, pipe, report):
    """Look after one student's process and its folder until both are gone; say why there is none, if it cannot be."""
    try:
        signal.signal(signal.SIGCHLD, signal.SIG_DFL)
        folder = tempfile.mkdtemp(prefix="assignment-", dir=os.environ["TMPDIR"])
        try:
            _start_and_end(confined, pipe, report, folder)
        finally:
            shutil.rmtree(folder)
    except OSError as error:
        report.send(json.dumps(str(error)).encode())
    finally:
        os._exit(1)


def _start_and_end(confined, pipe, report, folder):
    """Fork a student's process, end it when the one who asked for it hangs up, and say how it ended."""
    keeper = os.getpid()
    pid = os.fork()
    if not pid:
        try:
            report.close()
            student_process.main(pipe, folder, confined, keeper)
        finally:
            os._exit(1)
    try:
        os.setpgid(pid, pid)
        end = os.pidfd_open(pid)
        report.send(json.dumps([pid, folder]).encode())
        select.select([end, report], [], [])
    finally:
        os.killpg(pid, signal.SIGKILL)
        _, status = os.waitpid(pid, 0)
    report.send(json.dumps(os.waitstatus_to_exitcode(status)).encode())
