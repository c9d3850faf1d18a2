"""The command line, as a teacher uses it: names, lists, class seeds, files."""

import errno
import os
import signal
import subprocess
import sys
import threading
import time
from pathlib import Path

import attacks
import nbformat
import pytest
import torch
from tqdm import TMonitor

import assignments
from assignments import has_ended, rows, wait_until
from classroom.__main__ import main
from classroom.assignment import read_source
from classroom.grader import finding, fork_server, remote, whole_class

NAME, FULL = attacks.NAME, str(attacks.FULL)


@pytest.fixture
def out(tmp_path):
    return tmp_path / "all" / "out"  # of which nothing is there yet


@pytest.fixture
def grade(submitted, out, monkeypatch):
    """Run the command as a teacher does; only a process without a thread beside it is safe to fork."""

    def fork_alone():
        assert not any(isinstance(thread, TMonitor) for thread in threading.enumerate())
        return fork()

    fork = os.fork
    monkeypatch.setattr(os, "fork", fork_alone)
    return lambda *options: main(["grade", NAME, str(submitted), str(out), *options])


def hand_in(folder, *students, notebook=None):
    for student in students:
        nbformat.write(notebook or assignments.notebook(NAME), folder / f"{student}.ipynb")


def test_a_class_is_handed_out_graded_and_given_its_solutions(submitted, grade, out, tmp_path, capsys):
    assert main(["release", str(tmp_path / "handout"), "--seed", "0"]) == 0
    released = nbformat.read(tmp_path / "handout" / NAME / f"{NAME}.ipynb", as_version=4)
    assert main(["solutions", NAME, str(tmp_path / "solutions"), "--seed", "0"]) == 0
    solved = nbformat.read(tmp_path / "solutions" / NAME / f"{NAME}.ipynb", as_version=4)
    written = next(cell for cell in released.cells if assignments.role(cell).get("grade_id") == "explain_repeated")
    written.source += "\n\nBecause <b>nothing</b> knows the place."
    hand_in(submitted, "not yet", notebook=released)
    hand_in(submitted, "solved", notebook=solved)
    assert grade("--seed", "0") == 0
    assert rows(out)["solved"][attacks.POINTS] == FULL and not rows(out)["solved"]["notes"]
    assert rows(out)["solved"]["handed in as"] == "solved.ipynb"
    assert rows(out)["not yet"][attacks.POINTS] == "0"
    assert main(["repeat", NAME, str(submitted / "solved.ipynb"), "--seed", "0"]) == 0
    assert "check_most_read: 2 points, correct" in capsys.readouterr().out
    page = (out / "by_hand.html").read_text(encoding="utf-8")
    assert "Because &lt;b&gt;nothing&lt;/b&gt; knows the place." in page
    assert "Points: 1 for seeing that they are equal" in page
    sent_back = (out / rows(out)["not yet"]["feedback"]).read_text(encoding="utf-8")
    assert "Points: 1 for seeing" not in sent_back
    solved.metadata = {}
    for cell in solved.cells:  # as a platform may drop it all
        cell.metadata = {}
    hand_in(submitted, "late", notebook=solved)
    hand_in(submitted, "stranger")
    assert grade() == 0  # the folder remembers the class's seed
    assert rows(out)["late"][attacks.POINTS] == FULL and not rows(out)["late"]["notes"]
    assert "says class seed None, but was graded with class seed 0" in rows(out)["stranger"]["notes"]


def test_an_export_that_was_unpacked_one_folder_too_deep_is_refused_by_name(submitted, grade, out, tmp_path, capsys):
    (submitted / "Export" / "ada").mkdir(parents=True)
    for name in ("emmy.zip", "zoe.ipynb"):
        (submitted / "Export" / name).touch()
    assert grade() == 2 and not list(out.glob("feedback/*"))
    hint = f"nothing but the folder Export, with 3 in it: if these are your students', give {submitted}/Export"
    assert hint in capsys.readouterr().err
    (tmp_path / "list.txt").write_text("export", encoding="utf-8")  # a student of this name
    assert grade("--students", str(tmp_path / "list.txt")) == 0 and list(rows(out)) == ["export"]


@pytest.mark.parametrize(
    "broken, why",
    [
        ("from classroom.grader import sandbox; sandbox.CREATE_RULESET = 9_999", "Function not implemented"),
        ("import platform; platform.machine = lambda: 'riscv64'", "the system calls of riscv64 are not known here"),
    ],
)
def test_without_a_way_to_shut_code_in_nothing_is_run(submitted, grade, out, monkeypatch, capsys, broken, why):
    hand_in(submitted, "ada")
    monkeypatch.setattr(fork_server, "START", fork_server.START.replace("from", f"{broken}; from", 1))
    monkeypatch.setattr(fork_server, "SERVER", fork_server.ForkServer())
    assert grade() == 2
    assert why in capsys.readouterr().err and not out.exists()
    monkeypatch.setattr(sys, "platform", "win32")
    assert grade() == 2 and "on Windows use WSL, elsewhere a container" in capsys.readouterr().err


def test_invisible_names_cost_no_other_row(submitted, grade, out, capsys):
    released = assignments.notebook(NAME, "release")
    next(cell for cell in released.cells if cell.id == "explain-repeated").source += "\nBecause."
    hand_in(submitted, "ada", "\N{ZERO WIDTH SPACE}", "\N{WORD JOINER}", notebook=released)
    (submitted / ".hidden\x1b[2J\n.ipynb").touch()
    (submitted / "__mine.ipynb").touch()
    out.mkdir(parents=True)  # empty, as a teacher may make it
    for _ in range(2):  # what is in the record stops nothing, either
        assert grade() == 0
        output = capsys.readouterr()
        assert "  ada: nothing was attempted" in output.out
        assert "left out, as their names begin with '.' or '__': .hidden\ufffd[2J .ipynb; __mine.ipynb\n" in output.err
    assert list(rows(out)) == ["'\\u200b'", "'\\u2060'", "ada"]


def test_a_server_that_dies_costs_only_the_grades_in_work(submitted, grade, out, monkeypatch, capsys):
    hand_in(submitted, "ada", "emmy", "grace")
    find = finding.choose_notebook

    def kill_the_server(submission, assignment):
        if submission.student == "ada":
            server = fork_server.SERVER.process.pid
            os.kill(server, signal.SIGKILL)
            wait_until(lambda: has_ended(server))
        find(submission, assignment)

    monkeypatch.setattr(os, "sched_getaffinity", lambda pid: {0})  # one at a time
    monkeypatch.setattr(finding, "choose_notebook", kill_the_server)
    assert grade() == 1
    output = capsys.readouterr().err
    assert "the process that starts students' processes has ended (killed" in output
    assert "not graded, see the notes of: ada\n" in output
    assert [row[attacks.POINTS] for row in rows(out).values()] == ["", FULL, FULL]
    assert "while judging the code: NotStarted" in rows(out)["ada"]["notes"]


def test_ctrl_c_ends_in_one_line_and_keeps_what_was_graded(submitted, out):
    hand_in(submitted, "ada")
    hand_in(submitted, "zoe", notebook=attacks.notebook(*["while True: pass"] * 3))
    running = subprocess.Popen(
        [sys.executable, "-m", "classroom", "grade", NAME, str(submitted), str(out)],
        stderr=subprocess.PIPE,
        text=True,
        start_new_session=True,
        preexec_fn=lambda: signal.signal(signal.SIGINT, signal.SIG_DFL),  # nohup, and a shell's &, ignore it
    )
    record = out / "record.jsonl"
    while not record.exists() or '"ada"' not in record.read_text(encoding="utf-8"):
        assert running.poll() is None, running.stderr.read()
        time.sleep(0.05)
    os.killpg(running.pid, signal.SIGINT)
    _, output = running.communicate(timeout=60)
    assert running.returncode == 130 and "Traceback" not in output
    assert output.split("\n")[-2:] == ["stopped; 1 of 2 graded; the same command goes on from there", ""]
    assert [row[attacks.POINTS] for row in rows(out).values()] == [FULL]
    assert [path.name for path in (out / "feedback").iterdir()] == ["ada.html"]


@pytest.mark.parametrize("full, kept", [("record.jsonl", ["ada"]), ("grades.csv.new", ["ada", "emmy", "grace"])])
def test_a_full_disk_keeps_what_was_graded(submitted, grade, out, monkeypatch, capsys, full, kept):
    write_text, write = Path.write_text, os.write

    def fill(path, text, **options):
        if path.name != full:
            return write_text(path, text, **options)
        write_text(path, text[:100], **options)
        raise OSError(errno.ENOSPC, "No space left on device")

    def fill_record(file, content):
        if full != "record.jsonl" or b'"emmy"' not in content:
            return write(file, content)
        write(file, content[:10])
        raise OSError(errno.ENOSPC, "No space left on device")

    hand_in(submitted, "ada", "emmy", "grace", notebook=assignments.notebook(NAME, "release"))
    with monkeypatch.context() as disk:
        disk.setattr(os, "sched_getaffinity", lambda pid: {0})  # one after the other
        disk.setattr(Path, "write_text", fill)
        disk.setattr(os, "write", fill_record)
        assert grade() == 2
    assert f"No space left on device; {len(kept)} of 3 graded" in capsys.readouterr().err
    assert not list(out.glob("*.new"))
    assert grade() == 0
    assert f"{3 - len(kept)} graded, {len(kept)} as before" in capsys.readouterr().out
    assert list(rows(out)) == ["ada", "emmy", "grace"]


def test_another_file_and_what_is_called_late_are_noticed_though_the_notebook_stays(submitted, grade, out, capsys):
    hand_in(submitted, f"ada_7_2_{NAME}", f"emmy_8_2_{NAME}", f"grace_9_2_{NAME}")
    for graded in (3, 0):
        assert grade() == 0 and f"{graded} graded, {3 - graded} as before" in capsys.readouterr().out
    hand_in(submitted, "ada_7_1_draft", "grace_LATE_9_1_draft")
    (submitted / f"emmy_8_2_{NAME}.ipynb").rename(submitted / f"emmy_LATE_8_3_{NAME}.ipynb")
    for graded in (3, 0):
        assert grade() == 0 and f"{graded} graded, {3 - graded} as before" in capsys.readouterr().out
    ada, emmy, grace = rows(out).values()
    assert ada["notes"].startswith("2 notebooks were handed in; ") and "_7_2_" in ada["handed in as"]
    assert emmy["late"] == grace["late"] == "late, as the platform says" and emmy["notes"] == ada["late"] == ""


def test_a_grade_is_the_same_each_time_and_its_inputs_are_shown(submitted, capsys, monkeypatch):
    lucky = """
    import random
    import numpy
    kept = [random.random(), numpy.random.rand(), hash("word") % 97, torch.rand(1).item()]
    def softmax_rows(scores): return scores + sum(kept)
    """
    output = []
    for cells in ([lucky, "1"], [lucky], [lucky]):
        attacks.one_file(attacks.GOOD, *cells)(submitted / "ada")
        if len(output) == 2:
            monkeypatch.setattr(fork_server, "SERVER", next_server := fork_server.ForkServer())  # as on another day
        assert main(["repeat", NAME, str(submitted / "ada.ipynb"), "check_softmax_rows"]) == 0
        output.append(capsys.readouterr().out.split("\n"))
    next_server.stop()
    changed, first, repeated = output
    assert first == repeated and first[0].startswith("softmax_rows(torch.tensor([[")
    assert first[1].startswith("  gave torch.tensor([[") and "check_project: 3 points, correct" in first
    assert first[0] != changed[0]  # one that was changed meets other inputs
    shown = "(1, [torch.tensor([True], dtype=torch.bool), ValueError('x'), <object>])"
    assert whole_class._show((1, [torch.tensor([True]), ValueError("x"), object()])) == shown
    assert main(["repeat", NAME, str(submitted / "ada.ipynb"), "check_encode_order"]) == 0
    assert "', ['" in capsys.readouterr().out  # a list as Python writes it
    assert main(["repeat", NAME, str(submitted / "ada.ipynb"), "check_all"]) == 2
    assert "there is no check_all; there are check_encode_order" in capsys.readouterr().err
    (submitted / "ada.ipynb").write_text("{")
    assert main(["repeat", NAME, str(submitted / "ada.ipynb")]) == 2 and "cut off" in capsys.readouterr().err


def test_what_ran_out_of_time_leaves_the_total_open_and_all_else_is_judged(submitted, grade, out, monkeypatch, capsys):
    slow = """
    import time
    rightly = project
    def project(*given):
        end = time.process_time() + 0.2 * (given[0].ndim == 3)
        while time.process_time() < end: pass
        return rightly(*given)
    """
    attacks.one_file(attacks.GOOD, slow)(submitted / "ada")
    monkeypatch.setitem(remote.LIMITS, "check", 0.1)
    assert grade() == 0
    output = capsys.readouterr().out
    assert "ada: not judged to the end: check_project: look at the code, and" in output
    row, most = rows(out)["ada"], assignments.points(NAME)
    assert row["check_project (of 3)"] == row[attacks.POINTS] == row[attacks.TOTAL] == ""
    assert [name for name in most if row[f"{name} (of {most[name]})"] != str(most[name])] == ["check_project"]
    page = (out / row["feedback"]).read_text(encoding="utf-8")
    assert "? of 3</td>" in page and f"? of {FULL} points" in page and "took more than 0.1 s of computing" in page
    with open(out / "overrides.csv", "a", encoding="utf-8") as table:
        table.write("ada,check_project,3,slow but right\n")
    assert grade() == 0 and rows(out)["ada"][attacks.POINTS] == FULL


def test_a_folder_one_level_too_deep_is_pointed_out_and_forgotten(submitted, out, tmp_path, capsys, monkeypatch):
    monkeypatch.chdir(tmp_path)
    (submitted / "round one").mkdir()
    hand_in(submitted / "round one", "ada", notebook=assignments.notebook(NAME, "release"))
    (tmp_path / "list.txt").write_text("ada", encoding="utf-8")
    command = ["grade", NAME, str(submitted), str(out), "--students", "list.txt"]
    assert main(command) == 0
    output = capsys.readouterr().out
    assert "round one: this name is not on the list of students" in output and "\n1 graded, 0 as before; see" in output
    del command[4:]  # the folder remembers the list
    with open(out / "overrides.csv", "a", encoding="utf-8") as table:
        table.write("round one,total,7,agreed\n")
    command[2] += "/round one"
    assert main(command) == 0
    output = capsys.readouterr().err
    assert "warning" not in output and "\nleft out, as they were" in output and output.endswith(": round one\n")
    assert list(rows(out)) == ["ada"]
    (tmp_path / "list.txt").unlink()
    assert main(["grade", NAME, "nowhere", str(out)]) == 2 and "'nowhere'" in capsys.readouterr().err
    assert main(command) == 2 and f"No such file or directory: '{tmp_path}/list.txt'" in capsys.readouterr().err


def test_another_assignments_notebook_and_another_seed_are_pointed_out(submitted, grade, out, capsys):
    hand_in(submitted, "other", notebook=assignments.notebook("a2_masks_and_modules"))
    hand_in(submitted, "seed", notebook=read_source(NAME, -7))
    hand_in(submitted, "right")
    assert grade() == 0
    output = capsys.readouterr().out
    for student, note in (("other", "it defines none of this"), ("seed", "this notebook says class seed -7, but was")):
        assert rows(out)[student]["notes"].startswith(note) and f"  {student}: {note}" in output
    assert not rows(out)["right"]["notes"]
