"""The process that forks students' processes: it knows nothing of the teacher's, and leaves none behind."""

import os
import re
import signal
import socket
from pathlib import Path

import pytest

from assignments import has_ended, wait_until
from classroom.grader import bounds, fork_server, sandbox
from classroom.grader.remote import LostProcess, Remote

LOOKING = """
import os, resource, stat
def seconds():
    return resource.getrlimit(resource.RLIMIT_CPU)[0]
def opened():
    kinds = ""
    for number in range(100):
        try:
            kinds += stat.filemode(os.fstat(number).st_mode)[0]
        except OSError:
            pass
    return kinds
def opens(path):
    try:
        return bool(open(path))
    except PermissionError:
        return False
"""


@pytest.fixture(scope="module")
def server(tmp_path_factory):
    """A server of these tests' own, started by a teacher with a secret, an open file, and packages in three folders, of
    which one has four that students may not see. It is late to notice that a process has ended, as on a busy machine.
    """
    server, packages = fork_server.ForkServer(), tmp_path_factory.mktemp("packages")
    closed = "utils", "companion", "classroom", "site-packages"
    server.modules = [packages / name / "file.py" for name in ("other", *closed)]
    for module in server.modules:
        module.parent.mkdir()
        module.touch()
    (packages / "gone").symlink_to("nowhere")
    places = f"import site; installed = site.getsitepackages() + ['/nowhere', {str(packages)!r}]"
    slow = "import os, time; wait = os.waitpid; os.waitpid = lambda *given: time.sleep(0.5) or wait(*given)"
    start = f"{places}; site.getsitepackages = lambda: installed; {slow}; {fork_server.START}"
    with pytest.MonkeyPatch.context() as monkeypatch, open(__file__) as own_file:
        os.set_inheritable(own_file.fileno(), True)
        monkeypatch.setattr(fork_server, "SERVER", server)
        monkeypatch.setattr(fork_server, "START", start)
        monkeypatch.setenv("SECRET", "the teacher's own")
        typed = os.dup(0)
        os.dup2(own_file.fileno(), 0)
        server.start()
        os.dup2(typed, 0)
        os.close(typed)
        yield server
    server.stop()


def test_the_teachers_environment_and_files_are_in_neither_process_and_the_course_is_closed(server):
    with Remote([("cell 1", LOOKING)]) as student, Remote([("cell 1", LOOKING)]) as other_student:
        other_student.start()
        kinds = student.call("opened")
        assert student.call("seconds") == bounds.PROCESSOR_SECONDS
        assert [student.call("opens", str(module)) for module in server.modules] == [True, *[False] * 4]
        for pid in (server.process.pid, student.process.pid):
            environment = Path(f"/proc/{pid}/environ").read_text()
            assert "OMP_NUM_THREADS=1" in environment and "the teacher's own" not in environment
    # Nothing, thrice, and what is said into it; the pipe, and an event loop. None of the other student's.
    assert sorted(kinds) == sorted("cccc" + "sss?")
    folder = Path("/proc", str(server.process.pid))
    opened = {number: os.readlink(folder / "fd" / number) for number in os.listdir(folder / "fd")}
    assert opened.pop("0") == opened.pop("1") == os.devnull and opened.pop("2") == os.readlink("/proc/self/fd/2")
    # What shuts each student's process in, and what it is asked through.
    assert sorted(path.split(":[")[0] for path in opened.values()) == ["anon_inode", "socket"]
    assert os.readlink(folder / "cwd") == "/" and os.getsid(server.process.pid) == server.process.pid  # no Ctrl-C


HEADERS = [Path("/usr/include", name) for name in ("x86_64-linux-gnu/asm/unistd_64.h", "asm-generic/unistd.h")]
NEWER = {"cachestat", "map_shadow_stack", "futex_wake", "futex_wait", "futex_requeue", "mseal"}  # than these headers


@pytest.mark.skipif(not all(map(Path.exists, HEADERS)), reason="compares the kernel's tables, in the headers of Linux")
def test_system_calls_have_the_numbers_of_the_kernels_own_tables():
    for header, machine, count in zip(HEADERS, sandbox.MACHINES, (158, 139)):
        names = re.findall(r"#define __NR(?:3264)?_(\w+)\s+(\d+)", header.read_text())
        known = {name: int(number) for name, number in names}
        known |= {"newfstatat": known.get("newfstatat", known.get("fstatat"))}
        partly = {name: numbers[machine] for name, (numbers, *_) in sandbox.CONDITIONAL.items()}
        for name, number in (sandbox.ALLOWED_CALLS[machine] | partly).items():
            assert known.get(name) == number or name in NEWER - known.keys(), name
        assert len(sandbox.ALLOWED_CALLS[machine]) == count  # one more is a decision of its own
        assert not {"fallocate", "execve", "ptrace", "socket", "kill"} & sandbox.ALLOWED_CALLS[machine].keys()


@pytest.fixture
def other_server(monkeypatch):
    """A server that is not started yet."""
    server = fork_server.ForkServer()
    monkeypatch.setattr(fork_server, "SERVER", server)
    yield server
    if server.process is not None:  # it did start
        server.stop()


ASKED = """
import os, socket, sys
control = socket.socket(fileno=int(sys.argv[2]))
control.send(b"ready")
_, (pipe, report), _, _ = socket.recv_fds(control, 64, 2)
"""
BROKEN = fork_server.START.replace("inside.run", "inside.sandbox.{}; inside.run")


@pytest.mark.parametrize(
    "code, why",
    [
        ("1 / 0", "students' processes did not start"),
        ("import time; time.sleep(60)", "students' processes did not start"),
        (ASKED, "did not start: the process has ended"),
        (BROKEN.format("CREATE_RULESET = -1"), "did not start: OSError: the kernel refused .*: Function not impl"),
        (BROKEN.format("MACHINES = {}"), "student's code did not start: OSError: the system calls of .* not known"),
    ],
)
def test_a_server_that_does_not_work_is_no_students_fault(other_server, monkeypatch, code, why):
    monkeypatch.setattr(fork_server, "START", code)
    monkeypatch.setattr(fork_server, "STARTING", 2 if "sleep" in code else 60)
    with pytest.raises(fork_server.NotStarted, match=why):
        Remote([]).start()


def test_a_server_that_is_killed_is_no_students_fault(other_server):
    with Remote([("cell 1", "def back(): pass")]) as student:
        student.start()
        os.kill(other_server.process.pid, signal.SIGKILL)
        wait_until(lambda: has_ended(student.process.pid))  # a student's process ends with it
        with pytest.raises(fork_server.NotStarted, match="students' processes has ended"):
            student.call("back")


def test_nothing_is_left_behind_for_one_who_hangs_up_at_once_and_the_next_is_told_how_a_process_ended(server):
    pipe, theirs = socket.socketpair()
    report, reporting = socket.socketpair()
    report.close()
    with pipe, theirs, reporting:
        socket.send_fds(server.control, [b"fork"], [theirs.fileno(), reporting.fileno()])
        theirs.close()
        while pipe.recv(100):
            pass
        wait_until(lambda: not Path(f"/proc/{server.process.pid}/task/{server.process.pid}/children").read_text())
    running = server.process
    code = "def end():\n    import os\n    os._exit(7)"
    with Remote([("cell 1", code)]) as student, pytest.raises(LostProcess, match="exit code 7"):
        student.call("end")
    assert server.process is running


def test_all_processes_end_with_a_grader_that_is_killed():
    reading, writing = os.pipe()
    grader = os.fork()
    if not grader:
        try:
            fork_server.SERVER = fork_server.ForkServer()
            student = Remote([("cell 1", "def loop():\n    print('x')\n    while True: pass")])
            student.start()
            pids = fork_server.SERVER.process.pid, student.process.pid
            os.write(writing, " ".join(map(str, pids)).encode())
            student.call("loop")
        finally:
            os._exit(1)
    os.close(writing)
    with open(reading) as pipe:
        processes = os.read(pipe.fileno(), 1_000).decode().split()
    assert not any(map(has_ended, processes))
    os.kill(grader, signal.SIGKILL)
    os.waitpid(grader, 0)
    wait_until(lambda: all(map(has_ended, processes)))
