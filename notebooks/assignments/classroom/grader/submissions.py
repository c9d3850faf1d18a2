"""Who handed something in: the entries of a folder by their names alone. What is inside them is for `reading.py`."""

import csv
import re
from dataclasses import dataclass, field
from pathlib import Path

NOTHING = "nothing was handed in"
EXPORTED = re.compile(r"(?P<student>.+?)_assignsubmission_.*")  # as Moodle names files and folders
PARTICIPANT = re.compile(r"_\d+$")  # the number behind a name in such an export


@dataclass
class Submission:
    """What one student handed in.

    paths: files and folders, not yet looked into. `reading.py` fills in the rest: path: the notebook; cells:
    [(name, source)] of all code cells, in order; texts: [(grade_id, source)] of all others; class_seed: what the
    notebook says, to warn about a mix-up. trouble: why there is nothing to grade, or "".
    """

    student: str
    paths: tuple = ()
    path: Path | None = None
    cells: list = field(default_factory=list)
    texts: list = field(default_factory=list)
    notes: list = field(default_factory=list)
    trouble: str = ""
    class_seed: int | None = None


def collect(folder, roster=()):
    """Return a submission for each student, in order of their names.

    folder: each file or folder directly in it belongs to one student: files named after the student, a learning
    platform's export, or nbgrader's student/assignment/notebook. roster: names of all students; who is missing
    gets an empty submission.
    """
    belongings = {}
    for path in sorted(Path(folder).iterdir()):
        if not path.name.startswith((".", "__")):
            belongings.setdefault(_student(path), []).append(path)
    found = [Submission(printable(student), tuple(paths)) for student, paths in belongings.items()]
    known = {name for submission in found for name in _names(submission.student)}
    missing = [name for name in roster if name.casefold() not in known]
    found += [Submission(printable(name), trouble=NOTHING) for name in missing]
    if roster:
        _name_as_listed(found, roster)
    return sorted(found, key=lambda submission: submission.student.casefold())


def read_roster(path):
    """Return the names in a text file, one a line, or in the first column of a .csv file."""
    with open(path, encoding="utf-8-sig", newline="") as file:
        rows = [row[0] for row in csv.reader(file) if row] if Path(path).suffix == ".csv" else file.readlines()
    rows = [row.strip() for row in rows if row.strip()]
    return rows[1:] if rows and rows[0].casefold() in ("name", "student", "students", "id") else rows


def printable(text):
    """Replace what cannot be written or printed: half characters, control characters."""
    text = text.encode("utf-8", "replace").decode()
    return "".join(letter if letter.isprintable() or letter == "\n" else "\N{REPLACEMENT CHARACTER}" for letter in text)


def _name_as_listed(found, roster):
    """Give each submission the name on the list, unless two would have the same, and note who is not on it."""
    listed = {name.casefold(): name for name in roster}
    names = [next((listed[name] for name in _names(each.student) if name in listed), None) for each in found]
    for submission, name in zip(found, names):
        if name is None:
            submission.notes.append("this name is not on the list of students")
        elif names.count(name) == 1:
            submission.student = printable(name)


def _student(path):
    exported = EXPORTED.fullmatch(path.name)
    if exported:
        return exported["student"]
    return path.name if path.is_dir() else path.stem


def _names(student):
    return {student.casefold(), PARTICIPANT.sub("", student).casefold()}
