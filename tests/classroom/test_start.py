"""What the hub brings into a student's folder, and what it leaves alone."""

import os
import subprocess

import pytest

from assignments import FOLDER


@pytest.fixture
def start(tmp_path):
    """Start a server as a student would, with programs in its place that say what they were asked."""
    programs = tmp_path / "programs"
    programs.mkdir()
    for name in ("jupyter", "jupyterhub-singleuser"):
        (programs / name).write_text(f'#!/bin/sh\necho "{name} $* in $PWD"\n')
        (programs / name).chmod(0o755)
    (tmp_path / "class" / "week 1").mkdir(parents=True)
    (tmp_path / "home").mkdir()
    paths = {"HOME": str(tmp_path / "home"), "CLASS": str(tmp_path / "class")}
    paths["PATH"] = f"{programs}:{os.environ['PATH']}"

    def run():
        command = [FOLDER / "hub" / "start.sh", "--an-argument"]
        return subprocess.run(command, env=paths, check=True, capture_output=True, text=True).stdout

    return run


@pytest.fixture
def ours(tmp_path, start):
    """The class's folder, with one file."""
    (tmp_path / "class" / "week 1" / "06.ipynb").write_text("first")
    return tmp_path / "class" / "week 1"


@pytest.fixture
def mine(tmp_path):
    """The student's folder."""
    return tmp_path / "home" / "attention" / "week 1"


def test_a_first_start_brings_the_class_s_files_trusts_them_and_starts_there(start, ours, mine):
    said = start()
    assert (mine / "06.ipynb").read_text() == "first"
    assert f"jupyter trust {mine.parent}/./week 1/06.ipynb" in said
    assert f"jupyterhub-singleuser --an-argument in {mine.parent}" in said
    assert "jupyter trust" not in start()  # nothing new


@pytest.mark.parametrize(
    "what, stays",
    [
        (None, None),  # left as it was
        ("my work", "my work"),
        ("", None),
        ("second", None),  # brought by a start that was cut off before it noted that
        ("deleted", None),
    ],
)
def test_a_file_follows_the_class_until_the_student_changes_it(what, stays, start, ours, mine):
    start()
    file = mine / "06.ipynb"
    if what == "deleted":
        file.unlink()
    elif what is not None:
        file.write_text(what)
    before = file.exists() and file.stat().st_ctime_ns
    for version in ("second", "third"):
        (ours / "06.ipynb").write_text(version)
        start()
        assert file.read_text() == (stays or version)
    assert not stays or file.stat().st_ctime_ns == before  # nor its time, which may be that of a hand-in


def test_a_file_that_the_student_made_stays_when_the_class_gets_one_of_its_name(start, ours, mine):
    start()
    (mine / "07.ipynb").write_text("my own")
    (mine / "08").mkdir()
    (ours / "07.ipynb").write_text("the class's")
    (ours / "08").write_text("the class's")
    start()
    assert (mine / "07.ipynb").read_text() == "my own" and (mine / "08").is_dir()
    assert not list((mine / "08").iterdir())


def test_a_server_starts_even_where_nothing_can_be_brought(start, ours, mine):
    start()
    mine.parent.with_name(".attention").rename(mine.parent.with_name("gone"))
    mine.parent.with_name(".attention").touch()  # a file where the folder was
    (ours / "07.ipynb").write_text("new")
    assert "jupyterhub-singleuser" in start()
