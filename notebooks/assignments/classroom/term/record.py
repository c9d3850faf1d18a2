"""What was graded through the term: a file with a line of JSON each, to which lines are added as grades come."""

import json
import os
from collections import defaultdict
from pathlib import Path

from classroom.grader.records import Grade
from classroom.grader.whole_class import plain, restored
from classroom.hand_out import Assignment
from classroom.names import Label

FILE = "record.jsonl"
BEFORE, MORE = "another notebook was handed in before, for", ", more than this one"
AGAIN = "handed in again, but this could not be graded: "


class Record:
    """The grades in a folder. grades: {source: Grade}, labels: {source: Label}; tables: the digests of those written;
    said: {source: what the list and the teacher say of this notebook}, earlier: {source: the same of other notebooks};
    stale: sources of grades from before the class's seed was given.
    Raises ValueError if the folder holds another assignment's grades, or another class's."""

    def __init__(self, assignment: Assignment, folder: Path):
        self.assignment, self.path = assignment, folder / FILE
        self.grades: dict[str, Grade] = {}
        self.labels: dict[str, Label] = {}
        self.said: dict[str, list] = {}
        self.earlier: defaultdict[str, list] = defaultdict(list)
        self.tables: set[str] = set()
        self.stale: set[str] = set()
        about, known = {"assignment": assignment.name, "class_seed": assignment.class_seed}, {}
        self.path.parent.mkdir(parents=True, exist_ok=True)
        for line in _whole_lines(self.path):
            known = line if "assignment" in line else known
            self._take(line)
        if known and known not in (about, about | {"class_seed": None}):
            raise ValueError(
                f"{folder} was graded as {known['assignment']} with --seed {known['class_seed']}, not as "
                f"{assignment.name} with --seed {assignment.class_seed}: give the same, or choose a new folder"
            )
        if known != about:  # it is new, or its seed was forgotten
            self.add(about)
            self._take(about)

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
            self.add({"label": label._asdict(), "grade": plain(grade)})
        self._newer(label, grade)

    def _take(self, line: dict) -> None:
        if "assignment" in line:
            self.stale = set(self.grades)
        elif "table" in line:
            self.tables.add(line["table"])
            self.said |= line["said"]
        elif "label" in line:
            label = Label(**line["label"])
            self._newer(label, restored(self.assignment, label.source, line["grade"]))

    def _newer(self, label: Label, grade: Grade) -> None:
        """Put a grade in place of an earlier one, and note that; a file that cannot be read does not replace one."""
        source = label.source
        self.stale -= {source}
        self.labels[source] = label
        earlier = self.grades.get(source, grade)
        if earlier.digest == grade.digest:
            own = [note for note in earlier.notes if note.startswith((BEFORE, AGAIN)) and note not in grade.notes]
            grade.notes += own
        elif grade.trouble and not earlier.trouble and not grade.failed:
            note = f"{AGAIN}{grade.trouble}"
            earlier.notes += [note] * (note not in earlier.notes)
            grade = earlier
        else:
            if not earlier.trouble:
                more = MORE if earlier.points > grade.points and not grade.failed else ""
                grade.notes.append(f"{BEFORE} {earlier.points:g} points{more}")
            self.earlier[source] += self.said.pop(source, [])
        self.grades[source] = grade


def remembered(folder: Path) -> dict:
    """Return what needs to be given once: {"class_seed": the folder's, "students": the path of the list}, or less."""
    lines = _whole_lines(folder / FILE)
    return {name: line[name] for line in lines for name in ("class_seed", "students") if name in line}


def _whole_lines(path: Path) -> list[dict]:
    """Return the lines of the file; half a line at its end, where a computer stopped, is cut off."""
    content = path.read_bytes() if path.exists() else b""
    whole = content[: content.rfind(b"\n") + 1]
    if whole != content:
        os.truncate(path, len(whole))
    try:
        return [json.loads(line) for line in whole.splitlines()]
    except ValueError as error:
        raise ValueError(f"{path} was changed or damaged: put back a copy, or choose a new folder") from error
