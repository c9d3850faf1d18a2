"""Work on what a stranger wrote in a process of its own, within one bound of time, memory and bytes.

Whatever happens in such a process, nothing but its own result is lost: it hands back lines of JSON, which are read and
never executed, and it is killed when it takes too long. That is the judge's side; the student's own code runs in yet
another process (`fork_server.py`), which the judge trusts in nothing.
"""

import ctypes
import functools
import itertools
import json
import os
import select
import signal
import time
from collections.abc import Callable, Iterable
from pathlib import Path
from typing import BinaryIO, NoReturn

from classroom.wire import WATCH_EVERY

SECONDS = 7_200  # until a process is killed, whatever it does; no honest work comes near either
PROCESSOR_SECONDS = 1_800
MEMORY = 1 << 30  # bytes of address space, on top of what the process has when it begins
RESULT = 8 << 20  # bytes
LONGEST_ERROR = 300  # characters of an error
PARENT_DEATH = 1  # linux/prctl.h
Enter = Callable[[str], None]  # called with the name of each stage
Work = Callable[[int, Enter], dict | None]  # on one item, which ends in what JSON can hold


@functools.cache
def libc() -> ctypes.CDLL:
    """Return the system's own library, for what Python has no function for."""
    return ctypes.CDLL(None, use_errno=True)


def limit(parent: int, **resources: int) -> None:
    """Limit this process for good, and end it with its parent: its id, known before the fork, as it may have died.
    resources: bounds of `resource` beside those of time and memory, like FSIZE=1 << 20."""
    import resource  # missing on Windows, where nothing of this exists

    pages = int(Path("/proc/self/statm").read_text().split()[0])
    limits = {"AS": pages * resource.getpagesize() + MEMORY, "CORE": 0, **resources}
    for name, most in limits.items():
        resource.setrlimit(getattr(resource, f"RLIMIT_{name}"), (most, most))
    resource.setrlimit(resource.RLIMIT_CPU, (PROCESSOR_SECONDS, PROCESSOR_SECONDS + 1))  # first a signal that says why
    libc().prctl(PARENT_DEATH, signal.SIGKILL, 0, 0, 0)
    if os.getppid() != parent:
        os._exit(1)
    Path("/proc/self/oom_score_adj").write_text("1000")  # if memory runs out, this process goes first


def describe_exit(code: int) -> str:
    """Say how a process ended, given its exit code, which is negative for a signal."""
    endings = {signal.SIGXCPU: "too much processor time", signal.SIGKILL: "killed, perhaps out of memory"}
    endings[signal.SIGSEGV] = "a crash inside a library"
    return endings.get(-code, f"exit code {code}")


def run_each(work: Work, items: Iterable[int], take_result: Callable[[int, dict | None, str], None]) -> None:
    """Do the work on each item, on all cores, each in a process of its own.

    take_result: called here with (item, result, trouble) when an item is through; trouble says at which stage the work
    failed, and why. Ctrl-C is heard after these calls, never within one; an error in one ends the other work, too.
    """
    items, running, interrupts = iter(items), set(), []
    cores = len(os.sched_getaffinity(0))
    # To block it would leave other threads.
    handler = signal.signal(signal.SIGINT, lambda *details: interrupts.append(details))
    try:
        while True:
            for item in itertools.islice(items, cores - len(running)):
                running.add(_Job(work, item))
            if not running:
                return
            ended, _, _ = select.select(running, [], [], WATCH_EVERY)
            for process in {*ended, *filter(_Job.is_late, running)}:
                running.remove(process)
                take_result(process.item, *process.end())
            if interrupts and handler != signal.SIG_IGN:
                raise KeyboardInterrupt
    finally:
        for process in running:
            process.end()
        signal.signal(signal.SIGINT, handler)


class _Job:
    """One piece of work, seen from outside. output: a file in memory, which cannot grow beyond RESULT."""

    def __init__(self, work: Work, item: int):
        self.item, self.deadline = item, time.monotonic() + SECONDS
        self.output, parent = os.fdopen(os.memfd_create("said"), "r+b"), os.getpid()
        self.pid = os.fork()
        if not self.pid:
            _run_work(work, item, self.output, parent)
        self.pidfd = os.pidfd_open(self.pid)

    def fileno(self) -> int:
        """Return what `select` waits for."""
        return self.pidfd

    def is_late(self) -> bool:
        return time.monotonic() >= self.deadline

    def end(self) -> tuple[dict | None, str]:
        """End the process, if it still runs, and return (result, trouble)."""
        os.kill(self.pid, signal.SIGKILL)
        code = os.waitstatus_to_exitcode(os.waitpid(self.pid, 0)[1])
        os.close(self.pidfd)
        with self.output:
            self.output.seek(0)
            content = self.output.read()
        messages: dict = {}
        for line in content.split(b"\n")[:-1]:
            messages |= json.loads(line)
        if "result" in messages:
            return messages["result"], ""
        why = messages.get("error") or describe_exit(code)
        if len(content) >= RESULT:
            why = f"more than {RESULT >> 20} MB came of it"
        elif code == -signal.SIGKILL and self.is_late():
            why = f"not done within {SECONDS} s"
        return None, f"stopped while {messages.get('stage', 'starting')}: {why}"


def _run_work(work: Work, item: int, output: BinaryIO, parent: int) -> NoReturn:
    """Do one piece of work within bounds, say what comes of it, and end this process."""

    def say(kind: str, content: dict | str | None) -> None:
        text = json.dumps({kind: content}, ensure_ascii=False)
        output.write(text.encode("utf-8", "replace") + b"\n")  # half a letter would stop whatever writes it to a file
        output.flush()

    try:
        limit(parent, FSIZE=RESULT)
        say("result", work(item, lambda stage: say("stage", stage)))
    except Exception as error:
        say("error", f"{type(error).__name__}: {error}"[:LONGEST_ERROR])
    finally:
        os._exit(0)
