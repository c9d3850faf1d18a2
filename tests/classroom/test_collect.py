"""What a hub's students hand in is collected with their own rights, whole, and with the time at which it changed."""

import os
import runpy
import stat
import time

import pytest
from students import account

from assignments import FOLDER

collect = runpy.run_path(FOLDER / "hub" / "collect.py")["collect"]
NAME = "a1_single_head"
ADA, EMMY, TEACHER = 20_001, 20_002, 20_003  # numbers of users, who need no names
as_root = pytest.mark.skipif(os.geteuid() != 0, reason="only root can be students")


def hand_in(home, text="{}"):
    path = home / "attention" / "assignments" / NAME / f"{NAME}.ipynb"
    path.parent.mkdir(parents=True, exist_ok=True)
    path.write_text(text)
    return path


def hand_over(home, user):
    """Make a home one student's own, as `useradd` does, and return the account."""
    for path in [home, *home.rglob("*")]:
        os.lchown(path, user, user)
    home.chmod(0o700)
    return account(home, user)


@pytest.fixture
def tmp_path(tmp_path):
    """A folder that all may enter, as /home is."""
    for folder in (tmp_path, *tmp_path.parents):
        if folder.stat().st_mode & stat.S_IXOTH:
            break
        folder.chmod(0o755)
    return tmp_path


def test_what_was_handed_in_counts_until_there_is_something_newer(tmp_path, submitted):
    home, missing = tmp_path / "ada", tmp_path / "emmy"
    missing.mkdir()
    file, began = hand_in(home, "first"), time.time()
    os.utime(file, (0, 0))  # by which a student would be in time
    collected = submitted / "ada" / f"{NAME}.ipynb"
    assert list(collect(NAME, [account(home), account(missing)], submitted)) == ["emmy"]
    first = collected.stat().st_mtime
    assert collected.read_text() == "first" and abs(first - began) < 60
    file.chmod(0o600)
    collect(NAME, [account(home)], submitted)
    assert collected.stat().st_mtime == first  # the same work does not become late
    time.sleep(0.02)
    hand_in(home, "second")
    collect(NAME, [account(home)], submitted)
    assert collected.read_text() == "second" and collected.stat().st_mtime > first
    file.unlink()
    assert "ada" in collect(NAME, [account(home)], submitted)
    assert collected.read_text() == "second"


@pytest.mark.parametrize("what", ["a link", "a link on the way", "a pipe", "a folder", "nothing in it", "too much"])
def test_only_a_plain_file_of_the_students_own_is_collected(what, tmp_path, submitted):
    home, others = tmp_path / "ada", tmp_path / "others"
    file, secret = hand_in(home, ""), hand_in(others, "secret")
    file.unlink()
    if what == "a link":
        file.symlink_to(secret)
    elif what == "a link on the way":
        file.parent.rmdir()
        file.parent.symlink_to(secret.parent)
    elif what == "a pipe":
        os.mkfifo(file)
    elif what == "a folder":
        file.mkdir()
    else:
        file.touch()
        os.truncate(file, 0 if what == "nothing in it" else 21 << 20)
    assert list(collect(NAME, [account(home)], submitted)) == ["ada"]
    assert not list(submitted.iterdir())


@as_root
def test_what_only_another_may_read_is_not_collected_through_a_second_name_for_it(tmp_path, submitted):
    ada, emmy = tmp_path / "ada", tmp_path / "emmy"
    theirs, file = hand_in(emmy, "emmy's"), hand_in(ada, "")
    theirs.chmod(0o600)
    file.unlink()
    file.hardlink_to(theirs)
    students = [hand_over(ada, ADA), hand_over(emmy, EMMY)]
    missing = collect(NAME, students, submitted)
    assert list(missing) == ["ada"] and "Permission denied" in missing["ada"]
    assert (submitted / "emmy" / f"{NAME}.ipynb").read_text() == "emmy's"


@as_root
def test_what_was_collected_is_the_teachers_alone(tmp_path, submitted):
    os.chown(submitted, TEACHER, TEACHER)
    home = tmp_path / "ada"
    hand_in(home)
    collect(NAME, [hand_over(home, ADA)], submitted)
    folder = submitted / "ada"
    assert folder.stat().st_mode & 0o777 == 0o700
    assert {path.stat().st_uid for path in (folder, folder / f"{NAME}.ipynb")} == {TEACHER}
    assert os.geteuid() == 0  # the rights are back
