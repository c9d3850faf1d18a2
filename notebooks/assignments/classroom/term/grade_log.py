"""What was graded through the term: a file with a line of JSON each, to which lines are added as grades come."""

import json
import os
from collections import defaultdict
from pathlib import Path

from classroom.assignment import Assignment
from classroom.grader.records import Grade, restore, to_plain
from classroom.names import Label

FILE = "record.jsonl"
EARLIER_NOTE, MORE_NOTE = "another notebook was handed in before, for", ", more than this one"
UNREADABLE_NOTE = "handed in again, but this could not be graded: "


class GradeLog:
    """The grades in a folder. Raises ValueError if it holds another assignment's grades, or another class's."""

    def __init__(self, assignment: Assignment, folder: Path):
        self.assignment, self.path = assignment, folder / FILE
        self.grades: dict[str, Grade] = {}  # by source
        self.labels: dict[str, Label] = {}
        self.statements: dict[str, list] = {}  # what the list and the teacher say of this notebook
        self.old_statements: defaultdict[str, list] = defaultdict(list)  # the same of other notebooks
        self.table_digests: set[str] = set()  # of those written
        self.outdated: set[str] = set()  # sources of grades from before the class's seed was given
        about, known = {"assignment": assignment.name, "class_seed": assignment.class_seed}, {}
        self.path.parent.mkdir(parents=True, exist_ok=True)
        for line in _read_lines(self.path):
            known = line if "assignment" in line else known
            self._read_entry(line)
        if known and known not in (about, about | {"class_seed": None}):
            raise ValueError(
                f"{folder} was graded as {known['assignment']} with --seed {known['class_seed']}, not as "
                f"{assignment.name} with --seed {assignment.class_seed}: give the same, or choose a new folder"
            )
        if known != about:  # it is new, or its seed was forgotten
            self.add(about)
            self._read_entry(about)

    def add(self, entry: dict) -> None:
        """Write an entry to the disk, or leave the file as it was."""
        left = json.dumps(entry).encode() + b"\n"
        with open(self.path, "ab", buffering=0) as file:
            end = file.tell()
            try:
                while left:
                    left = left[os.write(file.fileno(), left) :]
                os.fsync(file)
            except OSError:
                file.truncate(end)
                raise

    def add_grade(self, label: Label, grade: Grade) -> None:
        """Take a new grade; one that has failed is not kept, and so is tried again."""
        if not grade.failed:
            self.add({"label": label._asdict(), "grade": to_plain(grade)})
        self._replace_grade(label, grade)

    def _read_entry(self, line: dict) -> None:
        if "assignment" in line:
            self.outdated = set(self.grades)
        elif "table" in line:
            self.table_digests.add(line["table"])
            self.statements |= line["said"]
        elif "label" in line:
            label = Label(**line["label"])
            self._replace_grade(label, restore(self.assignment, label.source, line["grade"]))

    def _replace_grade(self, label: Label, grade: Grade) -> None:
        """Put a grade in place of an earlier one, and note that; a file that cannot be read does not replace one."""
        source = label.source
        self.outdated -= {source}
        self.labels[source] = label
        old = self.grades.get(source, grade)
        if old.digest == grade.digest:
            notes = [note for note in old.notes if note.startswith((EARLIER_NOTE, UNREADABLE_NOTE))]
            grade.notes += [note for note in notes if note not in grade.notes]
        elif grade.trouble and not old.trouble and not grade.failed:
            note = f"{UNREADABLE_NOTE}{grade.trouble}"
            old.notes += [note] * (note not in old.notes)
            grade = old
        else:
            if not old.trouble:
                more = MORE_NOTE if old.points > grade.points and not grade.failed else ""
                grade.notes.append(f"{EARLIER_NOTE} {old.points:g} points{more}")
            self.old_statements[source] += self.statements.pop(source, [])
        self.grades[source] = grade


def read_settings(folder: Path) -> dict:
    """Return what needs to be given once: {"class_seed": the folder's, "students": the path of the list}, or less."""
    lines = _read_lines(folder / FILE)
    return {name: line[name] for line in lines for name in ("class_seed", "students") if name in line}


def _read_lines(path: Path) -> list[dict]:
    """Return the lines of the file; half a line at its end, where a computer stopped, is cut off."""
    content = path.read_bytes() if path.exists() else b""
    lines = content[: content.rfind(b"\n") + 1]
    if lines != content:
        os.truncate(path, len(lines))
    try:
        return [json.loads(line) for line in lines.splitlines()]
    except ValueError as error:
        raise ValueError(f"{path} was changed or damaged: put back a copy, or choose a new folder") from error
