"""Who handed something in: the entries of a folder by their names alone. What is inside them is for `parsing.py`."""

from dataclasses import dataclass, field
from pathlib import Path

from classroom.names import Label, Roster, label, tidy

NOTHING = "nothing was handed in"
RENAME = "rename the file, and --forget the old name"


@dataclass
class Submission:
    """What one student handed in.

    student: the name to show; label: its `source` is the same in every round of collecting; paths: [(path, Label)] of
    files and folders, not yet looked into, the label being that of the newest; before: the grade that there is already,
    or None. `parsing.py` fills in the rest: found: the notebook; digest: of its bytes; cells: [(name, source)] of all
    code cells, in order; texts: [(grade_id, source)] of all others; class_seed: what the notebook says, to warn about a
    mix-up; notes.
    trouble: why there is nothing to grade, or ""; doubts: about whose it is.
    """

    student: str
    label: Label | None = None
    paths: tuple = ()
    before: object = None
    found: object = None
    digest: str = ""
    cells: list = field(default_factory=list)
    texts: list = field(default_factory=list)
    notes: list = field(default_factory=list)
    doubts: list = field(default_factory=list)
    trouble: str = ""
    class_seed: int | None = None

    @property
    def late(self):
        """Say whether the platform says so of any file."""
        return any(label.late for _, label in self.paths)


def collect(folder):
    """Return a submission for each student, and the names that were left out.

    folder: each file or folder directly in it belongs to one student: files named after the student, a learning
    platform's export, or nbgrader's student/assignment/notebook. Names that begin with "." or "__" are left out.
    """
    belongings, left_out = {}, []
    for path in sorted(Path(folder).iterdir()):
        if path.name.startswith((".", "__")):
            left_out.append(tidy(path.name))
        else:
            said = label(path.name, path.is_dir())
            belongings.setdefault(said.source, []).append((path, said))
    newest = {
        source: max((each for _, each in paths), key=lambda each: each.upload) for source, paths in belongings.items()
    }
    return [Submission(source, newest[source], tuple(paths)) for source, paths in belongings.items()], left_out


def name_as_listed(submissions, roster=None):
    """Give each submission the name on the list, note what is doubtful, and add those who are missing: all by name.

    One name on the list that several would have is given to none of them; names that differ in capitals only belong
    to different students.
    """
    roster = roster or Roster()
    listed = [roster.find(each.label) for each in submissions]
    claimed = set(filter(None, listed))
    for submission, name in zip(submissions, listed):
        if name is None and roster.students:
            submission.doubts.append(f"this name is not on the list of students, or fits several there: {RENAME}")
        elif name is not None and listed.count(name) > 1:
            others = [
                each.label.source for each, other in zip(submissions, listed) if other == name and each != submission
            ]
            submission.doubts.append(f"the list has {name} once, and {'; '.join(others)} fits that, too: {RENAME}")
        elif name is not None:
            submission.student = name
    missing = [Submission(name, Label(name, name), trouble=NOTHING) for name in roster.students if name not in claimed]
    return sorted([*submissions, *missing], key=lambda each: each.student.casefold())
