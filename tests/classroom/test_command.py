"""The command line, as a teacher uses it: names, lists, class seeds, files."""

import csv
import os
import signal
import subprocess
import sys

import assignments
import attacks
import nbformat
import pytest

from classroom import release
from classroom.__main__ import main
from classroom.assignment import load
from classroom.grader import batch, causes, sandbox
from classroom.grader.submission import collect, read_roster

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
    found = collect(submitted, NAME)
    assert [each.student for each in found] == ["Ada Lovelace", "Alan Turing_13", "emmy", "Grace Hopper_12"]
    assert all(each.cells and not each.trouble for each in found)


def test_the_list_of_students_shows_who_is_missing_and_who_is_unknown(submitted, tmp_path):
    hand_in(submitted / "Grace Hopper_12_assignsubmission_file_work.ipynb", assignments.notebook(NAME))
    hand_in(submitted / "stranger.ipynb", assignments.notebook(NAME))
    (tmp_path / "students.csv").write_text("name,mail\nGrace Hopper,g@x\nZoë,z@x\n", encoding="utf-8-sig")
    found = {each.student: each for each in collect(submitted, NAME, read_roster(tmp_path / "students.csv"))}
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
    result = batch.grade(load(NAME, 7), assignments.submission(NAME, copied, seed=7), seed=1)
    assert result.verdicts["check_most_read"][0] == 0
    assert result.points == attacks.FULL - 2


def test_the_same_inputs_give_the_same_feedback():
    wrong = "def softmax_rows(scores):\n    return scores.exp()"
    first, second = (
        batch.grade(load(NAME), assignments.submission(NAME, wrong), seed=seed).verdicts for seed in (4, 4)
    )
    assert first == second


def test_without_a_way_to_shut_code_in_nothing_is_run(submitted, tmp_path, monkeypatch, capsys):
    hand_in(submitted / "ada.ipynb", assignments.notebook(NAME))
    monkeypatch.setattr(sandbox, "landlock_version", lambda: 0)
    assert main(["grade", NAME, str(submitted), str(tmp_path / "out")]) == 2
    assert "--unconfined" in capsys.readouterr().err and not (tmp_path / "out").exists()


def test_unconfined_grading_works_where_it_is_asked_for(submitted, tmp_path):
    hand_in(submitted / "ada.ipynb", assignments.notebook(NAME))
    assert main(["grade", NAME, str(submitted), str(tmp_path / "out"), "--unconfined"]) == 0
    assert grades(tmp_path / "out")["ada"]["points (of 26)"] == "26"


def test_a_fault_of_the_grader_is_reported_as_one(submitted, tmp_path, monkeypatch, capsys):
    hand_in(submitted / "ada.ipynb", assignments.notebook(NAME))
    monkeypatch.setattr("sys.executable", "/bin/false")
    assert main(["grade", NAME, str(submitted), str(tmp_path / "out")]) == 1
    assert "by no fault of theirs; see the notes: ada" in capsys.readouterr().err
    assert "the grader failed" in grades(tmp_path / "out")["ada"]["notes"]


def test_a_worker_that_is_killed_leaves_a_row_for_everybody(submitted, tmp_path, monkeypatch, capsys):
    for name in ("ada", "emmy", "grace"):
        hand_in(submitted / f"{name}.ipynb", assignments.notebook(NAME))
    monkeypatch.setattr(causes, "follow", lambda *given: os.kill(os.getpid(), signal.SIGKILL))
    assert main(["grade", NAME, str(submitted), str(tmp_path / "out")]) == 1
    assert "by no fault of theirs" in capsys.readouterr().err
    rows = grades(tmp_path / "out")
    assert list(rows) == ["ada", "emmy", "grace"]
    assert all("the grader failed: BrokenProcessPool" in row["notes"] for row in rows.values())


def test_ctrl_c_ends_in_one_line_and_leaves_no_half_written_grades(submitted, tmp_path):
    hand_in(submitted / "ada.ipynb", assignments.notebook(NAME))
    hand_in(submitted / "zoe.ipynb", attacks.notebook("while True: pass"))
    command = [sys.executable, "-m", "classroom", "grade", NAME, str(submitted), str(tmp_path / "out")]
    running = subprocess.Popen(command, stderr=subprocess.PIPE, text=True, start_new_session=True)
    seen = ""
    while "1/2" not in seen:  # one worker has nothing to do now, the other has
        seen += running.stderr.read(1)
        assert running.poll() is None, seen
    os.killpg(running.pid, signal.SIGINT)
    _, said = running.communicate(timeout=60)
    assert running.returncode == 130
    assert said.split("\n")[-2:] == ["stopped; nothing was written", ""] and "Traceback" not in said
    assert not (tmp_path / "out").exists()


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
    hand_in(submitted / "seed.ipynb", release.source(NAME, 7))
    hand_in(submitted / "right.ipynb", assignments.notebook(NAME))
    assert main(["grade", NAME, str(submitted), str(tmp_path / "out")]) == 0
    assert "another assignment or another --seed? See the notes of: other, seed\n" in capsys.readouterr().err
    rows = grades(tmp_path / "out")
    assert "is it the notebook of another one?" in rows["other"]["notes"]
    assert "says class seed 7, but was graded with class seed None" in rows["seed"]["notes"]
    assert not rows["right"]["notes"]


def test_a_platform_that_drops_the_metadata_raises_no_alarm_over_the_seed(submitted, tmp_path):
    stripped = release.source(NAME, 7)
    stripped.metadata = {}
    for cell in stripped.cells:
        cell.metadata = {}
    hand_in(submitted / "ada.ipynb", stripped)
    assert main(["grade", NAME, str(submitted), str(tmp_path / "out"), "--seed", "7"]) == 0
    row = grades(tmp_path / "out")["ada"]
    assert row["points (of 26)"] == "26" and "class seed" not in row["notes"]
