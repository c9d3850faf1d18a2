"""What the grader's steps hand on: the files that may be graded, what a student handed in, and the grade of it."""

import zipfile
from collections.abc import Sequence
from dataclasses import dataclass, field
from pathlib import Path
from typing import NamedTuple

from classroom.assignment import Assignment
from classroom.names import Label
from classroom.texts import printable

LARGEST = 20 << 20  # bytes; a notebook full of pictures is smaller
Text = tuple[str | None, str]  # (grade_id, words)


class Candidate(NamedTuple):
    """A file that may be the one to grade."""

    path: Path
    name: str
    depth: int
    upload: int  # the platform's number of the file
    changed: float  # in seconds since 1970
    handed_in: float  # the same, 0 if nothing says when
    inside: str = ""  # its name in a zip file

    def content(self) -> bytes:
        """Return its bytes, one more than may be at most. Raises ValueError if a zip file cannot be opened."""
        if not self.inside:
            with open(self.path, "rb") as file:
                return file.read(LARGEST + 1)
        try:
            with zipfile.ZipFile(self.path) as archive, archive.open(self.inside) as file:
                return file.read(LARGEST + 1)
        except Exception as error:  # each kind of compression has its own for damage
            raise ValueError(f"{self.path.name} cannot be unpacked: {str(error) or type(error).__name__}") from error


@dataclass
class Grade:
    """What the grader makes of one submission, before a teacher's marks and the deadline count."""

    student: str
    verdicts: dict[str, tuple[float, str]]  # {check: (points, message)}
    answers: dict[str, str] = field(default_factory=dict)  # {grade_id: text} to mark by hand
    notes: list[str] = field(default_factory=list)
    open: list[str] = field(default_factory=list)  # checks that ran out of time
    trouble: str = ""  # why nothing was judged
    failed: bool = False  # no grade could be made
    missing: bool = False  # nothing was handed in
    digest: str = ""  # of the notebook, "" if none was read
    handed_in: float = 0  # in seconds since 1970, 0 if nothing says when
    late: bool = False  # the platform says so

    @property
    def points(self) -> float:
        return sum(points for points, _ in self.verdicts.values())


@dataclass
class Submission:
    """What one student handed in."""

    student: str  # the name to show
    label: Label = Label("", "")  # of the newest file
    paths: Sequence[tuple[Path, Label]] = ()
    before: Grade | None = None  # what there is already
    notebook: Candidate | None = None  # the one of `paths` that counts
    digest: str = ""  # of its bytes
    cells: list[tuple[str, str]] = field(default_factory=list)  # (name, source) of all code cells
    texts: list[Text] = field(default_factory=list)  # of all others, and of each sentence in code
    notes: list[str] = field(default_factory=list)
    doubts: list[str] = field(default_factory=list)  # about whose it is
    trouble: str = ""  # why there is nothing to grade
    class_seed: int | None = None  # as the notebook says

    @property
    def source(self) -> str:
        return self.label.source

    @property
    def late(self) -> bool:
        return any(label.late for _, label in self.paths)

    def was_graded(self) -> bool:
        """Say whether the grade from before holds, now that it has been read: the same notebook, and no other news."""
        if not self.before or not self.digest or self.before.digest != self.digest:
            return False
        return set(self.notes) <= set(self.before.notes) and self.late == self.before.late


def to_plain(grade: Grade) -> dict:
    """Return a grade as plain data, without the name."""
    return {name: value for name, value in vars(grade).items() if name not in ("student", "failed", "missing")}


def restore(assignment: Assignment, student: str, data: dict) -> Grade:
    """Return the grade that plain data stands for; one that has failed if it is of other checks or another version."""
    names = [check.name for check in assignment.checks]
    if data.keys() == to_plain(Grade("", {})).keys() and list(data["verdicts"]) == names:
        return Grade(student, **data)
    return make_failed_grade(assignment, student, "what came of it cannot be read")


def make_failed_grade(assignment: Assignment, student: str, trouble: str) -> Grade:
    """Return the grade of a submission that could not be graded within its bounds."""
    trouble = printable(f"not graded: {trouble}")
    return Grade(student, {check.name: (0, trouble) for check in assignment.checks}, trouble=trouble, failed=True)
