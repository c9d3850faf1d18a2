"""Whose work it is: names as platforms write them, and as lists have them."""

import re
import unicodedata
from collections import Counter, defaultdict
from collections.abc import Iterator
from typing import NamedTuple

from classroom import csv_tables
from classroom.texts import printable

NAME_TITLES = ("student", "name", "students", "full name", "student name")
FIRST_TITLES, LAST_TITLES = ("first name", "first_name", "firstname"), ("last name", "last_name", "lastname", "surname")
NUMBER_TITLES = ("id", "sis user id", "sis login id", "id number", "username", "identifier")
NUMBER_TITLES += ("email address", "email", "mail")  # which tell students apart as well
TITLES = NAME_TITLES + FIRST_TITLES + LAST_TITLES + NUMBER_TITLES
FLOAT = re.compile(r"^(\d+)\.0+$")  # what a sheet makes of a number
NON_STUDENTS = ("points possible", "student, test")  # rows of a gradebook from Canvas
QUOTES = dict.fromkeys(map(ord, "'\"`\u00b4\u2018\u2019\u201a\u201b\u201c\u201d\u201e\u02bc\u2032\uff07"))
# As Moodle and Canvas name what was handed in; the underscore behind Moodle's "file" is gone since Moodle 4.1.
MOODLE_FILE = re.compile(r"(?P<name>.+?)(?:_(?P<number>\d+))?_assignsubmission_[a-z]+(?:_(?P<file>.*))?", re.DOTALL)
CANVAS_FILE = re.compile(r"(?is)(?P<name>.+?)(?P<late>_late)?_(?P<number>\d+)_(?P<upload>\d+)_(?P<file>.+)")


class Label(NamedTuple):
    """What the name of a file or folder says."""

    source: str  # the same for all that one student hands in
    name: str
    number: str = ""  # the platform's for the student
    upload: int = 0  # the platform's for this file, larger for later ones
    late: bool = False  # the platform says so
    file: str = ""  # as the student called it
    platform: str = ""  # "moodle" or "canvas"
    entry: str = ""  # all of it


def read_label(file_name: str, is_folder: bool = False) -> Label:
    """Read the name of a file or folder in a collection."""
    entry = tidy(file_name)
    for platform, pattern in (("moodle", MOODLE_FILE), ("canvas", CANVAS_FILE)):
        if match := pattern.fullmatch(entry):
            parts = match.groupdict("")
            source = "_".join(filter(None, (parts["name"], parts["number"])))
            uploads = {"upload": int(parts.get("upload", 0)), "late": bool(parts.get("late"))}
            return Label(source, platform=platform, entry=entry, **parts | uploads)
    stem = file_name if is_folder else re.sub(r"\.(ipynb|zip)$", "", file_name, flags=re.IGNORECASE)
    name = tidy(stem) or tidy(ascii(stem))  # where no letter can be seen, the letters' numbers
    return Label(name, name, entry=entry)


def tidy(name: str) -> str:
    """Return a name composed (NFC), with plain single spaces and without characters of no width."""
    visible = "".join(letter for letter in printable(name) if unicodedata.category(letter) != "Cf")
    return " ".join(unicodedata.normalize("NFC", visible).split())


def normalize(name: str) -> str:
    """Return what all ways to write a name have in common: no capitals, accents, apostrophes or wide letters."""
    letters = unicodedata.normalize("NFKD", name.translate(QUOTES))
    return tidy("".join(letter for letter in letters if not unicodedata.combining(letter))).casefold()


class Names:
    """Finds the student with exactly this name, or else the only one whose name is the same when normalized.
    Of a list in a file, path: where it is; rows: [(the student as shown, or "" for a row of nobody, {title: cell})]."""

    def __init__(self, path: str | None = None):
        self.path, self.rows = path, []
        self._by_name, self._by_normalized = defaultdict(set), defaultdict(set)

    @property
    def students(self) -> list[str]:
        return [student for student, _ in self.rows if student]

    def add(self, student: str, *names: str):
        for name in filter(None, names):
            self._by_name[tidy(name)].add(student)
            self._by_normalized[normalize(name)].add(student)

    def find(self, *names: str) -> str | None:
        """Return the student meant by the first of these names that fits exactly one; None if no name does."""
        for name in names:
            for students in (self._by_name.get(tidy(name)), self._by_normalized.get(normalize(name))):
                if students and len(students) == 1:
                    return next(iter(students))
        return None

    def find_label(self, label: Label) -> str | None:
        """Return the student to whom a file belongs, by the surest of the names in its label."""
        if label.platform == "canvas":
            return self.find(f"canvas {label.number}", f"canvas {label.name}", label.source)
        return self.find(f"participant {label.number}", label.name, label.source)

    def expect_student(self, name: str, location: str) -> str:
        """Return the student whom a teacher means. Raises ValueError, with the place."""
        student = self.find(name)
        if student is None:
            raise ValueError(f"{location}: {name!r} fits no student, or several; write a name as in grades.csv")
        return student

    def pairs(self) -> list[tuple[str, str]]:
        """Return [(a way to write a name, whom it means)]."""
        return [(name, student) for name, students in self._by_name.items() for student in students]


def read_roster(path: str) -> Names:
    """Read a list of students: a text file with a name a line, or a table, like a platform's own gradebook.

    Raises ValueError, with the file's name, if no column is known, or if no number tells two of one name apart.
    """
    rows = _read_rows(path)
    roster, counts = Names(path), Counter(name for name, _ in rows)
    for name, row in rows:
        numbers = [row[title] for title in NUMBER_TITLES if row.get(title)]  # which tell two of one name apart
        student = f"{name} ({numbers[0]})" if name and counts[name] > 1 and numbers else name
        roster.rows.append((student, row))
        if student:
            roster.add(student, student, *_ways(name, row), *numbers)
    duplicates = [name for name, times in Counter(roster.students).items() if times > 1]
    if duplicates:
        raise ValueError(f"{path} has {', '.join(duplicates)} twice; tell them apart by a column 'id' or 'email'")
    return roster


def _read_rows(path: str) -> list[tuple[str, dict[str, str]]]:
    """Return [(name, {title: cell})] of all rows of a list; the name is "" for a row that is not a student's."""
    if not str(path).casefold().endswith((".csv", ".tsv")):
        return [(tidy(name), {}) for name in csv_tables.read_text(path).splitlines()]
    table = csv_tables.read_table(path)
    columns = table.columns()
    if len(table.rows) == 1 and len(columns) > 1:
        raise ValueError(f"{path} has a header, and no student below it: export it again, with all students")
    title_columns = [title for title in columns if title in TITLES]
    if not title_columns and len(columns) < 2:
        return [(tidy(cells[0]), {}) for _, cells in table.rows]
    rows = []
    for _, row in table.records():
        row = {title: FLOAT.sub(r"\1", cell) if title in NUMBER_TITLES else cell for title, cell in row.items()}
        full_name = _cell(row, NAME_TITLES) or f"{_cell(row, FIRST_TITLES)} {_cell(row, LAST_TITLES)}"
        name = tidy(full_name) or _cell(row, NUMBER_TITLES)
        rows.append(("" if normalize(name) in NON_STUDENTS else name, row))
    if not title_columns or not any(name for name, _ in rows):
        raise ValueError(
            f"{path}: no column holds names; call one of {', '.join(columns)} "
            "'name', or two of them 'first name' and 'last name'; from Moodle, export it in English"
        )
    return rows


def _cell(row: dict[str, str], titles: tuple[str, ...]) -> str:
    return next((row[title] for title in titles if row.get(title)), "")


def _ways(name: str, row: dict[str, str]) -> Iterator[str]:
    """Yield the ways to write a name: as it is, first name first, last name first, and as Canvas names files."""
    first, last = _cell(row, FIRST_TITLES), _cell(row, LAST_TITLES)
    if "," in name:
        last, first = name.split(",", 1)
    yield name
    if first and last:
        yield from (f"{first} {last}", f"{last} {first}", f"{last}, {first}")
    sortable = f"{last}{first}" if first and last else "".join(name.split()[-1:] + name.split()[:-1])
    yield "canvas " + re.sub(r"\W", "", sortable)
    if row.get("id"):
        yield f"canvas {row['id']}"
