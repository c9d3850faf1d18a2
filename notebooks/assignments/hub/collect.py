"""Collect a class's notebooks from the students' homes: sudo python collect.py a1_single_head submitted.

Root reads what students made, so it reads as they: with their rights alone, through no link, and only a plain file. So
nobody can hand in, through any kind of link, what only the teacher or another student may read.
"""

import contextlib
import grp
import os
import pwd
import stat
import sys
from pathlib import Path

PLACE = "attention/assignments/{0}/{0}.ipynb"  # in a home, where start.sh brings it
LARGEST = 20 << 20  # bytes, as for the grader


def collect(assignment, students, folder):
    """Copy each student's notebook to folder/<name>/<assignment>.ipynb; return {name: why there is none}.

    students: as `pwd` has them; the copies belong to the folder's owner. A copy's time is when the file was last
    changed by the system's clock, which, unlike the time that a file shows, no student can set back. What was collected
    before stays where nothing newer is found.
    """
    owner, missing = (folder.stat().st_uid, folder.stat().st_gid), {}
    for student in students:
        try:
            with _rights_of(student):
                content, changed = _read(student.pw_dir, PLACE.format(assignment))
        except (OSError, ValueError) as error:
            missing[student.pw_name] = str(error)
            continue
        target = folder / student.pw_name / f"{assignment}.ipynb"
        if not target.exists() or target.read_bytes() != content:
            target.parent.mkdir(mode=0o700, exist_ok=True)
            new = target.with_suffix(".new")
            new.write_bytes(content)
            os.utime(new, (changed, changed))
            for path in (target.parent, new):
                os.chown(path, *owner)
            new.replace(target)
    return missing


@contextlib.contextmanager
def _rights_of(student):
    """Have a student's rights for a while; the student has none over the process, which stays root's."""
    user, group, groups = os.geteuid(), os.getegid(), os.getgroups()
    if user == 0:
        os.setgroups([])
    os.setegid(student.pw_gid)
    os.seteuid(student.pw_uid)
    try:
        yield
    finally:
        os.seteuid(user)
        os.setegid(group)
        if user == 0:
            os.setgroups(groups)


def _read(home, place):
    """Return a file's bytes, and when it was changed. Raises OSError where a link is on the way, or nothing at all."""
    *folders, name = place.split("/")
    with contextlib.ExitStack() as opened:
        at = None
        for part in (home, *folders):
            at = os.open(part, os.O_RDONLY | os.O_DIRECTORY | os.O_NOFOLLOW, dir_fd=at)
            opened.callback(os.close, at)
        file = os.open(name, os.O_RDONLY | os.O_NOFOLLOW | os.O_NONBLOCK, dir_fd=at)  # nor wait for a pipe's writer
    with open(file, "rb") as file:
        state = os.fstat(file.fileno())
        content = file.read(LARGEST + 1) if stat.S_ISREG(state.st_mode) else b""
    if not 0 < len(content) <= LARGEST:
        raise ValueError(f"{place} is not a file of 1 byte to {LARGEST >> 20} MB")
    return content, state.st_ctime


if __name__ == "__main__":
    if len(sys.argv) != 3 or not Path(sys.argv[2]).is_dir():
        sys.exit("name an assignment and an existing folder, as in:  sudo python3 collect.py a1_single_head submitted")
    members = [pwd.getpwnam(name) for name in grp.getgrnam("students").gr_mem]
    missing = collect(sys.argv[1], members, Path(sys.argv[2]))
    print(f"{len(members) - len(missing)} of {len(members)} collected")
    for name, reason in sorted(missing.items()):
        print(f"{name}: {reason}")
