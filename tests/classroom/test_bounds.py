"""One submission cannot cost another its grade: whatever goes wrong, at whatever stage, is that student's own row."""

import ctypes
import faulthandler
import json
import os
import resource
import shutil
import signal
import threading
import time
from pathlib import Path
from unittest import mock

import attacks
import pytest
import torch

import assignments
from classroom.__main__ import main
from classroom.assignment import load
from classroom.grader import bounds, collecting, finding, judge, whole_class
from classroom.grader.records import Grade, Submission, to_plain

NAME = attacks.NAME
FULL, PROCESSOR_SECONDS = str(attacks.FULL), 60


def hang():
    """Do as if the processor time were used up; that it is counted is a test of its own."""
    most, hard = resource.getrlimit(resource.RLIMIT_CPU)
    assert most == PROCESSOR_SECONDS < hard, "the bound that all have is missing, or its signal that says why"
    assert torch.get_num_threads() == 1, "its threads would share the processor time"
    signal.raise_signal(signal.SIGXCPU)


def crash():
    assert resource.getrlimit(resource.RLIMIT_CORE) == (0, 0), "it would leave a file as large as the memory"
    faulthandler.disable()
    ctypes.string_at(0)


def fill_memory():
    assert Path("/proc/self/oom_score_adj").read_text() == "1000\n", "the system would end another process first"
    blocks, size, total = [], 64 << 20, 0  # to the last byte
    while total < 100 << 26:  # no more, where a bound is missing
        try:
            blocks.append(bytearray(size))
            total += size
        except MemoryError:
            if size == 1:
                raise
            size //= 2
    raise AssertionError(f"{total >> 20} MB were to be had")


FAULTS = {  # stage: what does it, what happens there, and what is told
    "finding the notebook": (finding, "choose_notebook", hang, "too much processor time"),
    "reading the notebook": (collecting, "read_notebook", crash, "a crash inside a library"),
    "looking for the answers in words": (collecting, "find_answers", fill_memory, "MemoryError"),
    "judging the code": (judge, "add_verdicts", crash, "a crash inside a library"),
}


def with_fault(assignment, submission, *arguments, grade_if_new=whole_class.grade_if_new):
    """Grade a submission, in its own process, with the fault at the stage that its student is called after."""
    torch.set_num_threads(2)
    if submission.student in FAULTS:
        module, name, fault, _ = FAULTS[submission.student]
        setattr(module, name, lambda *given, **options: fault())
    return grade_if_new(assignment, submission, *arguments)


@pytest.fixture(scope="module")
def faulty(tmp_path_factory):
    """Grade a class of two students to whom nothing happens, and one for each stage."""
    folder = tmp_path_factory.mktemp("class")
    untouched = json.dumps(assignments.notebook(NAME, "release")).encode()
    changes = dict.fromkeys(FAULTS, attacks.raw(untouched))
    changes |= {name: attacks.one_file(attacks.GOOD) for name in ("ada", "zoe")}
    with pytest.MonkeyPatch.context() as monkeypatch:
        monkeypatch.setattr(bounds, "PROCESSOR_SECONDS", PROCESSOR_SECONDS)
        monkeypatch.setattr(bounds, "MEMORY", 512 << 20)  # honest work fits in on a slow core, too
        monkeypatch.setattr(whole_class, "grade_if_new", with_fault)
        return *attacks.grade(folder, changes), folder / "out"


@pytest.mark.parametrize("stage", FAULTS)
def test_a_fault_at_any_stage_is_that_students_row_and_names_the_stage(faulty, stage):
    _, rows, folder = faulty
    row = rows[stage]
    assert row[attacks.POINTS] == row["check_project (of 3)"] == ""
    assert row["notes"].startswith(f"not graded: stopped while {stage}: {FAULTS[stage][-1]}")
    page = (folder / row["feedback"]).read_text(encoding="utf-8")
    assert f"? of {FULL} points" in page and "This was not graded: stopped while" in page


@pytest.mark.parametrize("student", ["ada", "zoe"])
def test_the_faults_of_others_change_no_grade_and_no_page(faulty, submitted, tmp_path, student):
    _, rows, folder = faulty
    shutil.copy2(folder.parent / "submitted" / f"{student}.ipynb", submitted)  # with its time, which the page shows
    assert main(["grade", NAME, str(submitted), str(tmp_path / "out")]) == 0
    assert rows[student][attacks.POINTS] == FULL
    page = folder / "feedback" / f"{student}.html"
    assert page.read_bytes() == (tmp_path / "out" / "feedback" / page.name).read_bytes()


def outcome(work):
    """Return (result, trouble) of one piece of work."""
    outcomes = []
    bounds.run_each(lambda item, enter: work(enter), [1], lambda item, *outcome: outcomes.append(outcome))
    return outcomes[0]


def test_work_whose_parent_has_died_before_it_was_bound_ends():
    pid = os.fork()
    if not pid:
        try:
            bounds.limit(os.getpid())  # which is not its parent
        finally:
            os._exit(7)
    assert os.waitstatus_to_exitcode(os.waitpid(pid, 0)[1]) == 1


@pytest.fixture
def on_ctrl_c():
    """Set what Ctrl-C does in this process; a shell's & and nohup start it so that nothing happens."""
    before = signal.getsignal(signal.SIGINT)
    yield lambda handler: signal.signal(signal.SIGINT, handler)
    signal.signal(signal.SIGINT, before)


def test_ctrl_c_waits_until_a_result_is_taken_and_ends_the_other_work(on_ctrl_c, monkeypatch, tmp_path):
    def work(item, enter):
        if item:
            (tmp_path / str(os.getpid())).touch()
            time.sleep(600)
        assignments.wait_until(lambda: list(tmp_path.iterdir()))

    def take_result(item, *outcome):
        os.kill(os.getpid(), signal.SIGINT)
        time.sleep(0.1)  # until another thread, as numpy may have one, has got it
        items.append(item)

    on_ctrl_c(signal.default_int_handler)
    monkeypatch.setattr(os, "sched_getaffinity", lambda pid: {0, 1})
    items, finished = [], threading.Event()
    other = threading.Thread(target=finished.wait)
    other.start()
    with pytest.raises(KeyboardInterrupt):
        bounds.run_each(work, range(100), take_result)
    finished.set()
    other.join()
    (started,) = tmp_path.iterdir()
    assert items == [0] and assignments.has_ended(started.name)
    assert signal.getsignal(signal.SIGINT) is signal.default_int_handler


def test_ctrl_c_is_not_heard_where_it_is_ignored(on_ctrl_c):
    on_ctrl_c(signal.SIG_IGN)
    assert outcome(lambda enter: os.kill(os.getppid(), signal.SIGINT)) == (None, "")


@pytest.mark.parametrize(
    "most, work, ending",
    [
        ({"SECONDS": 0.5}, lambda enter: time.sleep(600), "stopped while starting: not done within 0.5 s"),
        ({"SECONDS": 0}, lambda enter: time.sleep(600), "not done within 0 s"),  # before anybody waits
        ({"PROCESSOR_SECONDS": 1}, lambda enter: sum(iter(int, 1)), "too much processor time"),  # without end
        ({}, lambda enter: "\ud800", "?"),  # half a letter, which could not be written down
        ({}, lambda enter: {}["x" * 10_000], f"stopped while starting: KeyError: '{'x' * 289}"),
        ({"RESULT": 1 << 20}, lambda enter: "x" * (64 << 20), "starting: more than 1 MB came of it"),
        ({"RESULT": 1 << 20}, lambda enter: list(map(enter, map(str, range(10**9)))), "more than 1 MB came of it"),
    ],
)
def test_work_is_ended_at_its_bounds_and_what_it_says_can_be_written_down(monkeypatch, most, work, ending):
    for name, bound in most.items():
        monkeypatch.setattr(bounds, name, bound)
    result, trouble = outcome(work)
    assert (result or trouble).endswith(ending) and len(trouble) < 400


@pytest.mark.parametrize(
    "outcome, trouble",
    [
        ({"points": {"check_project": "all"}}, "what came of it cannot be read"),
        (to_plain(Grade("ada", {"check_of_old": (3, "")})), "what came of it cannot be read"),
        (ValueError("a\u202eb"), "stopped while starting: ValueError: a\ufffdb"),  # in letters that can be shown
    ],
)
def test_why_there_is_no_grade_is_told(monkeypatch, outcome, trouble):
    monkeypatch.setattr(whole_class, "grade_if_new", mock.Mock(side_effect=[outcome]))
    (grade,) = whole_class.grade_all(load(NAME), [Submission("ada")])
    assert grade.failed and grade.trouble == f"not graded: {trouble}"
