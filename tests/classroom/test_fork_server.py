"""The process that forks students' processes: it knows nothing of the teacher's, and leaves nothing behind."""

import os
import signal
import subprocess
import sys
import time
from pathlib import Path

import pytest
from processes import has_ended

from classroom.grader import fork_server
from classroom.grader.fork_server import ForkServer, NotStarted
from classroom.grader.remote import Remote

LOOKING = """
import os
def seen():
    own = "".join(os.environ.values())
    parent = os.getppid()
    server = open(f"/proc/{parent}/stat").read().rpartition(")")[2].split()[1]
    return own + "".join(open(f"/proc/{pid}/environ").read() for pid in ("self", parent, server))
"""


@pytest.fixture
def server(monkeypatch):
    """A server of the test's own, in place of the one that the other tests share."""
    server = ForkServer()
    monkeypatch.setattr(fork_server, "SERVER", server)
    yield server
    if server.process is not None:
        server.stop()


def wait_until(true):
    end = time.monotonic() + 60
    while not true():
        assert time.monotonic() < end
        time.sleep(0.01)


def test_the_teachers_environment_is_in_no_process_that_a_students_code_can_look_into(server, monkeypatch):
    monkeypatch.setenv("SECRET", "the teacher's own")
    with Remote([("cell 1", LOOKING)], confined=False) as student:
        seen = student.call("seen")
    assert "OMP_NUM_THREADS=1" in seen and "the teacher's own" not in seen


def test_no_open_file_and_no_folder_of_the_teachers_is_in_it(server):
    with open(__file__) as mine:
        os.set_inheritable(mine.fileno(), True)
        process = server.fork(confined=True)
        opened = [os.readlink(f"/proc/{server.process.pid}/fd/{number}") for number in (0, 1, 2)]
        others = set(os.listdir(f"/proc/{server.process.pid}/fd")) - {"0", "1", "2"}
        assert opened[0] == os.devnull and len(others) == 1  # the socket that it is asked through
        assert os.readlink(f"/proc/{server.process.pid}/cwd") == "/"
        process.stop()


def test_it_is_started_again_when_it_has_ended_and_says_so(server, capsys):
    server.start()
    server.process.kill()
    server.process.wait()
    with Remote([("cell 1", "def one():\n    return 1")]) as student:
        assert student.call("one") == 1
    assert "has ended (killed, perhaps out of memory); a new one" in capsys.readouterr().err


def test_a_process_that_cannot_be_had_is_no_students_fault(server, monkeypatch):
    server.start()
    server.process.kill()
    server.process.wait()
    monkeypatch.setattr(server, "owner", 0)  # as in a process that was forked from the owner
    with pytest.raises(NotStarted, match="has ended"):
        server.fork(confined=True)


def test_all_processes_and_folders_end_with_a_grader_that_is_killed():
    script = """
from classroom.grader import fork_server
process = fork_server.SERVER.fork(confined=True)
print(fork_server.SERVER.process.pid, process.pid, process.folder, flush=True)
input()
"""
    command = [sys.executable, "-c", script]
    with subprocess.Popen(command, stdin=subprocess.PIPE, stdout=subprocess.PIPE, text=True) as grader:
        *processes, folder = grader.stdout.readline().split()
        assert Path(folder).exists() and not any(map(has_ended, processes))
        grader.send_signal(signal.SIGKILL)
    wait_until(lambda: all(map(has_ended, processes)) and not Path(folder).exists())
