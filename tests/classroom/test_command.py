"""The command line, as a teacher uses it: names, lists, class seeds, files."""

import csv
import errno
import os
import signal
import subprocess
import sys
import time
from pathlib import Path

import assignments
import attacks
import nbformat
import pytest
from processes import has_ended

from classroom import hand_out
from classroom.__main__ import main
from classroom.assignment import load
from classroom.grader import fork_server, grade_one, reading, sandbox
from classroom.grader.submissions import collect, read_roster

NAME = attacks.NAME


@pytest.fixture
def submitted(tmp_path):
    folder = tmp_path / "submitted"
    folder.mkdir()
    return folder


def grades(folder):
    with open(folder / "grades.csv", encoding="utf-8-sig", newline="") as file:
        return {row["student"]: row for row in csv.DictReader(file)}


def hand_in(path, notebook):
    path.parent.mkdir(parents=True, exist_ok=True)
    nbformat.write(notebook, path)


def test_each_way_of_collecting_gives_one_notebook_a_student(submitted):
    solved = assignments.notebook(NAME)
    for name in (
        "Ada Lovelace.ipynb",
        "Grace Hopper_12_assignsubmission_file_work.ipynb",
        "Alan Turing_13_assignsubmission_file_/my work.ipynb",
        f"emmy/{NAME}/{NAME}.ipynb",
        "emmy/.ipynb_checkpoints/other-checkpoint.ipynb",
        "__MACOSX/x.ipynb",
    ):
        hand_in(submitted / name, solved)
    (submitted / "Grace Hopper_12_assignsubmission_file_notes.pdf").write_bytes(b"%PDF")
    (submitted / ".DS_Store").write_bytes(b"")
    found = collect(submitted)
    for each in found:
        reading.find(each, NAME)
        reading.read(each)
    assert [each.student for each in found] == ["Ada Lovelace", "Alan Turing_13", "emmy", "Grace Hopper_12"]
    assert all(each.cells and not each.trouble for each in found)


def test_the_list_of_students_shows_who_is_missing_and_who_is_unknown(submitted, tmp_path):
    hand_in(submitted / "Grace Hopper_12_assignsubmission_file_work.ipynb", assignments.notebook(NAME))
    hand_in(submitted / "stranger.ipynb", assignments.notebook(NAME))
    (tmp_path / "students.csv").write_text("name,mail\nGrace Hopper,g@x\nZoë,z@x\n", encoding="utf-8-sig")
    found = {each.student: each for each in collect(submitted, read_roster(tmp_path / "students.csv"))}
    assert found["Zoë"].trouble == "nothing was handed in"
    assert found["stranger"].notes == ["this name is not on the list of students"]
    assert not found["Grace Hopper"].notes


def test_a_list_of_students_may_be_plain_text(tmp_path):
    (tmp_path / "students.txt").write_text("Noether, Emmy\n\n Ada \n", encoding="utf-8")
    assert read_roster(tmp_path / "students.txt") == ["Noether, Emmy", "Ada"]


def test_a_class_is_handed_out_graded_and_given_back(submitted, tmp_path):
    assert main(["release", str(tmp_path / "handout"), "--seed", "7"]) == 0
    released = nbformat.read(tmp_path / "handout" / NAME / f"{NAME}.ipynb", as_version=4)
    assert main(["solutions", NAME, str(tmp_path / "solutions"), "--seed", "7"]) == 0
    solved = nbformat.read(tmp_path / "solutions" / NAME / f"{NAME}.ipynb", as_version=4)
    written = next(cell for cell in released.cells if assignments.role(cell).get("grade_id") == "explain_repeated")
    written.source += "\n\nBecause <b>nothing</b> knows the place."
    hand_in(submitted / "not yet.ipynb", released)
    hand_in(submitted / "solved.ipynb", solved)
    hand_in(submitted / "last year.ipynb", assignments.notebook(NAME))
    assert main(["grade", NAME, str(submitted), str(tmp_path / "out"), "--seed", "7", "--inputs", "3"]) == 0
    rows = grades(tmp_path / "out")
    assert rows["solved"]["points (of 26)"] == "26" and not rows["solved"]["notes"]
    assert rows["not yet"]["points (of 26)"] == "0"
    assert "says class seed None, but was graded with class seed 7" in rows["last year"]["notes"]
    page = (tmp_path / "out" / "by_hand.html").read_text(encoding="utf-8")
    assert "Because &lt;b&gt;nothing&lt;/b&gt; knows the place." in page
    assert "Points: 1 for seeing that they are equal" in page
    sent_back = (tmp_path / "out" / rows["not yet"]["feedback"]).read_text(encoding="utf-8")
    assert "seed 3" in sent_back and "Points: 1 for seeing" not in sent_back


def test_an_answer_read_from_another_classs_numbers_earns_nothing():
    copied = 'def most_read():\n    return "friend", 0.156'
    result = grade_one.grade(load(NAME, 7), assignments.submission(NAME, copied, seed=7), seed=1)
    assert result.verdicts["check_most_read"][0] == 0
    assert result.points == attacks.FULL - 2


def test_the_same_inputs_give_the_same_feedback():
    wrong = "def softmax_rows(scores):\n    return scores.exp()"
    first, second, changed = (
        grade_one.grade(load(NAME), assignments.submission(NAME, cell), seed=4).verdicts
        for cell in (wrong, wrong, f"# another try\n{wrong}")
    )
    assert first == second
    assert first != changed  # the seed on a page does not tell the inputs of a second attempt


@pytest.mark.parametrize("version", [0, 2])  # none, and one that does not cover emptying a file
def test_without_a_way_to_shut_code_in_nothing_is_run(submitted, tmp_path, monkeypatch, capsys, version):
    hand_in(submitted / "ada.ipynb", assignments.notebook(NAME))
    monkeypatch.setattr(sandbox, "landlock_version", lambda: version)
    assert main(["grade", NAME, str(submitted), str(tmp_path / "out")]) == 2
    assert "--unconfined" in capsys.readouterr().err and not (tmp_path / "out").exists()


def test_unconfined_grading_works_where_it_is_asked_for(submitted, tmp_path):
    hand_in(submitted / "ada.ipynb", assignments.notebook(NAME))
    assert main(["grade", NAME, str(submitted), str(tmp_path / "out"), "--unconfined"]) == 0
    assert grades(tmp_path / "out")["ada"]["points (of 26)"] == "26"


def test_an_empty_folder_that_is_there_already_takes_the_grades(submitted, tmp_path):
    (tmp_path / "out").mkdir()
    assert main(["grade", NAME, str(submitted), str(tmp_path / "out")]) == 0
    assert (tmp_path / "out" / "grades.csv").exists() and (tmp_path / "out" / "by_hand.html").exists()


def test_a_server_that_cannot_start_stops_the_command_in_one_line(submitted, tmp_path, monkeypatch, capsys):
    hand_in(submitted / "ada.ipynb", assignments.notebook(NAME))
    monkeypatch.setattr(fork_server, "SERVER", fork_server.ForkServer())
    monkeypatch.setattr("sys.executable", "/bin/false")
    assert main(["grade", NAME, str(submitted), str(tmp_path / "out")]) == 2
    assert capsys.readouterr().err == "error: the process that starts students' processes did not start\n"
    assert not (tmp_path / "out").exists()  # the same command may be given again


def test_a_server_that_dies_costs_the_grades_in_work_and_is_started_again(submitted, tmp_path, monkeypatch, capsys):
    for name in ("ada", "emmy", "grace"):
        hand_in(submitted / f"{name}.ipynb", assignments.notebook(NAME))
    find = reading.find

    def kill_the_server(submission, assignment):
        if submission.student == "ada":
            server = fork_server.SERVER.process.pid
            os.kill(server, signal.SIGKILL)
            while not has_ended(server):
                time.sleep(0.01)
        find(submission, assignment)

    monkeypatch.setattr(os, "sched_getaffinity", lambda pid: {0})  # one at a time
    monkeypatch.setattr(reading, "find", kill_the_server)
    assert main(["grade", NAME, str(submitted), str(tmp_path / "out")]) == 1
    said = capsys.readouterr().err
    assert "the process that starts students' processes has ended (killed" in said
    assert "not graded, see the notes of: ada\n" in said
    rows = grades(tmp_path / "out")
    assert [row["points (of 26)"] for row in rows.values()] == ["", "26", "26"]
    assert "while judging the code: NotStarted" in rows["ada"]["notes"]


def test_a_worker_that_is_killed_loses_nothing_that_was_done(submitted, tmp_path, monkeypatch, capsys):
    for name in ("ada", "emmy", "grace"):
        hand_in(submitted / f"{name}.ipynb", assignments.notebook(NAME))
    follow = grade_one.say_what_follows

    def killed(result, *given):
        if result.student == "emmy":
            os.kill(os.getpid(), signal.SIGKILL)
        follow(result, *given)

    monkeypatch.setattr(grade_one, "say_what_follows", killed)
    assert main(["grade", NAME, str(submitted), str(tmp_path / "out")]) == 1
    assert "error: not graded, see the notes of: emmy\n" in capsys.readouterr().err
    rows = grades(tmp_path / "out")
    assert [(name, row["points (of 26)"]) for name, row in rows.items()] == [
        ("ada", "26"),
        ("emmy", ""),
        ("grace", "26"),
    ]
    assert "while looking for causes: killed" in rows["emmy"]["notes"]
    assert all((tmp_path / "out" / row["feedback"]).exists() for row in rows.values())


def test_ctrl_c_ends_in_one_line_and_keeps_what_was_graded(submitted, tmp_path):
    hand_in(submitted / "ada.ipynb", assignments.notebook(NAME))
    hand_in(submitted / "zoe.ipynb", attacks.notebook("while True: pass", "while True: pass", "while True: pass"))
    running = subprocess.Popen(
        [sys.executable, "-m", "classroom", "grade", NAME, str(submitted), str(tmp_path / "out")],
        stderr=subprocess.PIPE,
        text=True,
        start_new_session=True,
        preexec_fn=lambda: signal.signal(signal.SIGINT, signal.SIG_DFL),  # nohup, and a shell's &, ignore it
    )
    table = tmp_path / "out" / "grades.csv"
    while not table.exists() or "ada" not in table.read_text(encoding="utf-8"):
        assert running.poll() is None, running.stderr.read()
        time.sleep(0.05)
    os.killpg(running.pid, signal.SIGINT)
    _, said = running.communicate(timeout=60)
    assert running.returncode == 130
    assert said.split("\n")[-2:] == [f"stopped; 1 of 2 graded; see {table}", ""] and "Traceback" not in said
    rows = grades(tmp_path / "out")
    assert [row["points (of 26)"] for row in rows.values()] == ["26"]
    assert sorted(path.name for path in (tmp_path / "out" / "feedback").iterdir()) == ["ada.html"]


@pytest.mark.parametrize(
    "full, kept",
    [
        ({"emmy.html"}, ["ada"]),
        ({"emmy's row", "grades.csv.new"}, ["ada"]),
        ({"grades.csv.new"}, ["ada", "emmy", "grace"]),
    ],
)
def test_a_full_disk_keeps_what_was_written(submitted, tmp_path, monkeypatch, capsys, full, kept):
    write_text, write = Path.write_text, os.write

    def fill(path, text, **options):
        if path.name not in full:
            return write_text(path, text, **options)
        write_text(path, text[:100], **options)
        raise OSError(errno.ENOSPC, "No space left on device")

    def fill_table(file, content):
        if "emmy's row" not in full or not content.startswith(b"emmy"):
            return write(file, content)
        write(file, content[:10])
        raise OSError(errno.ENOSPC, "No space left on device")

    for name in ("ada", "emmy", "grace"):
        hand_in(submitted / f"{name}.ipynb", assignments.notebook(NAME, "release"))
    monkeypatch.setattr(os, "sched_getaffinity", lambda pid: {0})  # one after the other
    monkeypatch.setattr(Path, "write_text", fill)
    monkeypatch.setattr(os, "write", fill_table)
    out = tmp_path / "out"
    assert main(["grade", NAME, str(submitted), str(out)]) == 2
    assert f"No space left on device; {len(kept)} of 3 graded; see {out / 'grades.csv'}\n" in capsys.readouterr().err
    assert list(grades(out)) == kept
    assert sorted(path.stem for path in (out / "feedback").iterdir()) == kept
    assert not list(out.glob("*.new"))


def test_a_folder_that_is_not_there_is_named(tmp_path, capsys):
    assert main(["grade", NAME, str(tmp_path / "nowhere"), str(tmp_path / "out")]) == 2
    assert "nowhere" in capsys.readouterr().err


def test_grading_again_does_not_write_over_a_teachers_marks(submitted, tmp_path, capsys):
    hand_in(submitted / "ada.ipynb", assignments.notebook(NAME))
    (tmp_path / "out").mkdir()
    (tmp_path / "out" / "grades.csv").write_text("my marks", encoding="utf-8")
    assert main(["grade", NAME, str(submitted), str(tmp_path / "out")]) == 2
    assert "may hold your marks: choose a new folder" in capsys.readouterr().err
    assert (tmp_path / "out" / "grades.csv").read_text(encoding="utf-8") == "my marks"


def test_another_assignments_name_and_another_seed_are_pointed_out(submitted, tmp_path, capsys):
    hand_in(submitted / "other.ipynb", assignments.notebook("a2_masks_and_modules"))
    hand_in(submitted / "seed.ipynb", hand_out.source(NAME, 7))
    hand_in(submitted / "right.ipynb", assignments.notebook(NAME))
    assert main(["grade", NAME, str(submitted), str(tmp_path / "out")]) == 0
    assert "another assignment or another --seed? See the notes of: other, seed\n" in capsys.readouterr().err
    rows = grades(tmp_path / "out")
    assert "is it the notebook of another one?" in rows["other"]["notes"]
    assert "says class seed 7, but was graded with class seed None" in rows["seed"]["notes"]
    assert not rows["right"]["notes"]


def test_a_platform_that_drops_the_metadata_raises_no_alarm_over_the_seed(submitted, tmp_path):
    stripped = hand_out.source(NAME, 7)
    stripped.metadata = {}
    for cell in stripped.cells:
        cell.metadata = {}
    hand_in(submitted / "ada.ipynb", stripped)
    assert main(["grade", NAME, str(submitted), str(tmp_path / "out"), "--seed", "7"]) == 0
    row = grades(tmp_path / "out")["ada"]
    assert row["points (of 26)"] == "26" and "class seed" not in row["notes"]
