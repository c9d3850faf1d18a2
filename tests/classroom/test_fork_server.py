"""The process that forks students' processes: it knows nothing of the teacher's, and leaves nothing behind."""

import os
import re
import signal
import socket
import subprocess
import sys
import tempfile
import time
from pathlib import Path

import pytest
from processes import has_ended

from classroom.grader import fork_server, keeper, sandbox
from classroom.grader.fork_server import ForkServer, NotStarted
from classroom.grader.remote import Lost, Remote

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
def fork():
    child = os.fork()
    if not child:
        os.execlp("sleep", "sleep", "60")
    return os.getppid(), child
def seen():
    own = "".join(os.environ.values())
    parent = os.getppid()
    server = open(f"/proc/{parent}/stat").read().rpartition(")")[2].split()[1]
    return own + "".join(open(f"/proc/{pid}/environ").read() for pid in ("self", parent, server))
"""


@pytest.fixture(scope="module")
def packages(tmp_path_factory):
    """A folder of installed packages, of which two hold what students may not see."""
    folder = tmp_path_factory.mktemp("packages")
    for name in ("other", "utils", "site-packages"):
        (folder / name).mkdir()
        (folder / name / "file.py").touch()
    (folder / "gone").symlink_to("nowhere")
    return folder


@pytest.fixture(scope="module")
def server(packages):
    """A server of these tests' own, started by a teacher with a secret, an open file, and packages in three folders."""
    server = ForkServer()
    places = f"import site; installed = site.getsitepackages() + ['/nowhere', {str(packages)!r}]"
    with pytest.MonkeyPatch.context() as monkeypatch, open(__file__) as mine:
        os.set_inheritable(mine.fileno(), True)
        monkeypatch.setattr(fork_server, "SERVER", server)
        monkeypatch.setattr(
            fork_server, "START", f"{places}; site.getsitepackages = lambda: installed; {fork_server.START}"
        )
        monkeypatch.setenv("SECRET", "the teacher's own")
        typed = os.dup(0)
        os.dup2(mine.fileno(), 0)
        server.start()
        os.dup2(typed, 0)
        os.close(typed)
        yield server
    server.stop()


def wait_until(true):
    end = time.monotonic() + 60
    while not true():
        assert time.monotonic() < end
        time.sleep(0.01)


def test_the_teachers_environment_is_in_no_process_that_a_students_code_can_look_into(server):
    with Remote([("cell 1", LOOKING)], confined=False) as student:
        seen = student.call("seen")
    assert "OMP_NUM_THREADS=1" in seen and "the teacher's own" not in seen


def test_what_a_students_process_has_open_are_its_own_files_and_its_processor_time_is_bounded(server):
    with Remote([("cell 1", LOOKING)]) as student:
        found = student.call("opened")
        assert student.call("seconds") == sandbox.CPU_SECONDS
    assert sorted(found) == sorted(
        "cccc" + "sss?"
    )  # nothing, thrice, and what is said into it; the pipe, an event loop


def test_of_the_installed_packages_the_courses_own_are_closed(server, packages):
    with Remote([("cell 1", LOOKING)]) as student:
        found = [path.parent.name for path in packages.glob("*/file.py") if student.call("opens", str(path))]
    assert found == ["other"]


HEADERS = [Path("/usr/include", name) for name in ("x86_64-linux-gnu/asm/unistd_64.h", "asm-generic/unistd.h")]


@pytest.mark.skipif(not all(map(Path.exists, HEADERS)), reason="compares the kernel's tables, in the headers of Linux")
def test_what_may_be_asked_of_the_kernel_is_the_same_on_both_kinds_of_machine():
    allowed, known = {}, {}
    for header, (machine, (_, numbers)) in zip(HEADERS, sandbox.ALLOWED.items()):
        names = re.findall(r"#define __NR(?:3264)?_(?:new)?(\w+)\s+(\d+)", header.read_text())
        known[machine] = {int(number): name for name, number in names if name != "syscalls"}
        parts = [each.partition("-") for each in numbers.split()]
        each = [number for first, _, last in parts for number in range(int(first), int(last or first) + 1)]
        assert each == sorted(set(each))
        allowed[machine] = {known[machine].get(number, number) for number in each}  # a new one is a number alone
    old = set(known["x86_64"].values()) - set(known["aarch64"].values())
    assert allowed["aarch64"] == allowed["x86_64"] - old
    for numbers, *_ in sandbox.PARTLY_ALLOWED:
        assert len({known[machine][number] for machine, number in numbers.items()}) == 1


def test_what_code_that_is_not_shut_in_has_started_ends_with_it(server):
    with Remote([("cell 1", LOOKING)], confined=False) as student:
        keeper, child = student.call("fork")
    wait_until(lambda: has_ended(child) and not Path(f"/proc/{keeper}").exists())


def test_no_open_file_and_no_folder_of_the_teachers_is_in_it(server):
    place = Path("/proc", str(server.process.pid))
    opened = {number: os.readlink(place / "fd" / number) for number in os.listdir(place / "fd")}
    assert opened.pop("0") == os.devnull
    assert all(opened.pop(number).startswith("/memfd:complaints") for number in "12")
    assert [path.split(":")[0] for path in opened.values()] == ["socket"]  # through which it is asked
    assert os.readlink(place / "cwd") == "/"


def test_a_process_that_cannot_be_shut_in_runs_no_students_code(monkeypatch, tmp_path):
    broken = "from classroom.grader import sandbox; sandbox.ALL_RIGHTS |= 1 << 40; "  # which no kernel has
    monkeypatch.setattr(fork_server, "START", fork_server.START.replace("from", broken + "from"))
    monkeypatch.setattr(fork_server, "SERVER", ForkServer())
    ran = tmp_path / "ran"
    student = Remote([("cell 1", f"open({str(ran)!r}, 'w')")])
    with pytest.raises(NotStarted, match="NotConfined: the kernel refused"):
        student.start()
    assert not ran.exists()
    fork_server.SERVER.stop()


@pytest.fixture
def other_server(monkeypatch, tmp_path):
    """A server that is not started yet, which makes its folders in tmp_path."""
    server = ForkServer()
    monkeypatch.setattr(tempfile, "tempdir", str(tmp_path))
    monkeypatch.setattr(fork_server, "SERVER", server)
    yield server
    if server.process is not None:  # it did start
        server.stop()


def test_a_folder_that_cannot_be_made_is_told(other_server, monkeypatch, tmp_path):
    monkeypatch.setattr(tempfile, "tempdir", str(tmp_path / "nowhere"))
    with pytest.raises(NotStarted, match="did not start: .*No such file or directory: .*nowhere"):
        other_server.fork(confined=True)


ASKED = """
import os, socket, sys
control = socket.socket(fileno=int(sys.argv[2]))
control.send(b"true")
_, (pipe, report), _, _ = socket.recv_fds(control, 64, 2)
"""


@pytest.mark.parametrize(
    "code, why",
    [
        ("print('x' * 3_000, flush=True); 1 / 0", "did not start: x+.*ZeroDivisionError"),
        ("import time; time.sleep(60)", "did not start$"),
        (ASKED, "has ended, or does not answer"),
        (f"{ASKED}os.write(report, b'[1, 2]')", "did not start: the process has ended"),
    ],
)
def test_a_server_that_does_not_do_its_work_is_no_students_fault(other_server, monkeypatch, code, why):
    monkeypatch.setattr(fork_server, "START", code)
    monkeypatch.setattr(fork_server, "STARTING", 2)
    with pytest.raises(NotStarted, match=f"(?s){why}"):
        other_server.fork(confined=True)


def test_nothing_is_left_behind_for_one_who_hangs_up_at_once(other_server, tmp_path):
    other_server.start()
    pipe, theirs = socket.socketpair()
    report, reporting = socket.socketpair(socket.AF_UNIX, socket.SOCK_SEQPACKET)
    report.close()
    with pipe, theirs, reporting:
        socket.send_fds(other_server.control, [keeper.CONFINED], [theirs.fileno(), reporting.fileno()])
        theirs.close()
        while pipe.recv(100):
            pass
        wait_until(lambda: not list(tmp_path.iterdir()))


def test_how_a_process_ended_is_known_however_busy_the_machine_is(other_server, monkeypatch):
    slow = "import os, time; wait = os.waitpid; os.waitpid = lambda *given: time.sleep(2) or wait(*given); "
    monkeypatch.setattr(fork_server, "START", slow + fork_server.START)
    code = "def end():\n    import os\n    os._exit(7)"
    with Remote([("cell 1", code)]) as student, pytest.raises(Lost, match="exit code 7"):
        student.call("end")


def test_all_processes_and_folders_end_with_a_grader_that_is_killed():
    script = """
import time
from classroom.grader import fork_server, wire
process = fork_server.SERVER.fork(confined=True)
process.send({"id": "", "do": "cell", "value": wire.pack(["cell 1", "while True: pass"])}, time.monotonic() + 60, 60)
while process.processor_seconds() < 0.2:
    pass
print(fork_server.SERVER.process.pid, process.pid, process.folder, flush=True)
input()
"""
    command = [sys.executable, "-c", script]
    with subprocess.Popen(command, stdin=subprocess.PIPE, stdout=subprocess.PIPE, text=True) as grader:
        *processes, folder = grader.stdout.readline().split()
        assert Path(folder).exists() and not any(map(has_ended, processes))
        grader.send_signal(signal.SIGKILL)
    wait_until(lambda: all(map(has_ended, processes)) and not Path(folder).exists())
