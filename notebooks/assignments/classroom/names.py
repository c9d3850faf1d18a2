"""Whose work it is: names as platforms write them, and as lists have them."""

import re
import unicodedata
from collections import Counter, defaultdict
from typing import NamedTuple

from classroom import tables

NAME = ("student", "name", "students", "full name", "student name")
FIRST, LAST = ("first name", "first_name", "firstname"), ("last name", "last_name", "lastname", "surname")
NUMBERS = ("id", "sis user id", "sis login id", "id number", "username", "identifier", "email address", "email", "mail")
FLOAT = re.compile(r"^(\d+)\.0+$")  # what a sheet makes of a number
NO_STUDENTS = ("points possible", "student, test")  # rows of a gradebook from Canvas
QUOTES = dict.fromkeys(map(ord, "'\"`\u00b4\u2018\u2019\u201a\u201b\u201c\u201d\u201e\u02bc\u2032\uff07"))
# Control characters, half characters, and what changes the order in which other letters are shown.
HIDDEN = re.compile("[\0-\x08\x0b-\x1f\x7f-\x9f\ud800-\udfff\u202a-\u202e\u2066-\u2069]")
# As Moodle and Canvas name what was handed in; the underscore behind Moodle's "file" is gone since Moodle 4.1.
OF_MOODLE = re.compile(r"(?P<name>.+?)(?:_(?P<number>\d+))?_assignsubmission_[a-z]+(?:_(?P<file>.*))?", re.DOTALL)
OF_CANVAS = re.compile(r"(?is)(?P<name>.+?)(?P<late>_late)?_(?P<number>\d+)_(?P<upload>\d+)_(?P<file>.+)")


class Label(NamedTuple):
    """What the name of a file or folder says. source: the same for all that one student hands in; number: the
    platform's for the student, "" if there is none; upload: the platform's for this file, larger for later ones; late:
    if the platform says so; file: as the student called it, "" if it is not known; platform: "moodle", "canvas" or "";
    entry: all of it."""

    source: str
    name: str
    number: str = ""
    upload: int = 0
    late: bool = False
    file: str = ""
    platform: str = ""
    entry: str = ""

    def ways(self) -> tuple[str, str, str]:
        """Return the names by which a list may know whose this is, the surest first."""
        if self.platform == "canvas":
            return f"canvas {self.number}", f"canvas {self.name}", self.source
        return self.number and f"participant {self.number}", self.name, self.source


def label(file_name, is_folder=False):
    """Read the name of a file or folder in a collection."""
    entry = tidy(file_name)
    for platform, pattern in (("moodle", OF_MOODLE), ("canvas", OF_CANVAS)):
        if found := pattern.fullmatch(entry):
            parts = found.groupdict("")
            source = "_".join(filter(None, (parts["name"], parts["number"])))
            more = {"upload": int(parts.get("upload", 0)), "late": bool(parts.get("late"))}
            return Label(source, platform=platform, entry=entry, **parts | more)
    stem = file_name if is_folder else re.sub(r"\.(ipynb|zip)$", "", file_name, flags=re.IGNORECASE)
    name = tidy(stem) or tidy(ascii(stem))  # where no letter can be seen, the letters' numbers
    return Label(name, name, entry=entry)


def printable(text):
    """Replace what cannot be written or shown: half characters, control characters, marks that reorder letters."""
    return HIDDEN.sub("\N{REPLACEMENT CHARACTER}", text.replace("\r\n", "\n"))


def tidy(name):
    """Return a name composed (NFC), with plain single spaces and without characters of no width."""
    seen = "".join(letter for letter in printable(name) if unicodedata.category(letter) != "Cf")
    return " ".join(unicodedata.normalize("NFC", seen).split())


def alike(name):
    """Return what all ways to write a name have in common: no capitals, accents, apostrophes or wide letters."""
    letters = unicodedata.normalize("NFKD", name.translate(QUOTES))
    return tidy("".join(letter for letter in letters if not unicodedata.combining(letter))).casefold()


class Names:
    """Finds the student with exactly this name, or else the only one whose name is `alike`. Of a list in a file, path:
    where it is; rows: [(the student as shown, or "" for a row of nobody, {title: cell})]."""

    def __init__(self, path=None):
        self.path, self.rows, self._found = path, [], defaultdict(set)

    @property
    def students(self):
        return [student for student, _ in self.rows if student]

    def add(self, whom, *names):
        for name in filter(None, names):
            self._found[tidy(name)].add(whom)
            self._found["alike", alike(name)].add(whom)

    def find(self, *names):
        """Return the student meant by the first of these names that fits exactly one; None if no name does."""
        for name in names:
            for form in (tidy(name), ("alike", alike(name))):
                if len(self._found.get(form, ())) == 1:
                    return next(iter(self._found[form]))
        return None

    def meant(self, name, place):
        """Return the student whom a teacher means. Raises ValueError, with the place."""
        whom = self.find(name)
        if whom is None:
            raise ValueError(f"{place}: {name!r} fits no student, or several; write a name as in grades.csv")
        return whom

    def pairs(self):
        """Return [(a way to write a name, whom it means)]."""
        return [(name, whom) for name, found in self._found.items() if isinstance(name, str) for whom in found]


def read_roster(path):
    """Read a list of students: a text file with a name a line, or a table, like a platform's own gradebook.

    Raises ValueError, with the file's name, if no column is known, or if no number tells two of one name apart.
    """
    named = _rows(path)
    roster, often = Names(path), Counter(name for name, _ in named)
    for name, row in named:
        known = [row[title] for title in NUMBERS if row.get(title)]  # which tell two of one name apart
        shown = f"{name} ({known[0]})" if name and often[name] > 1 and known else name
        roster.rows.append((shown, row))
        if shown:
            roster.add(shown, shown, *_ways(name, row), *known)
    again = [name for name, times in Counter(roster.students).items() if times > 1]
    if again:
        raise ValueError(f"{path} has {', '.join(again)} twice; tell them apart by a column 'id' or 'email'")
    return roster


def _rows(path):
    """Return [(name, {title: cell})] of all rows of a list; the name is "" for a row that is not a student's."""
    if not str(path).casefold().endswith((".csv", ".tsv")):
        return [(tidy(name), {}) for name in tables.text_of(path).splitlines()]
    table = tables.read(path)
    columns = table.columns()
    if len(table.rows) == 1 and len(columns) > 1:
        raise ValueError(f"{path} has a header, and no student below it: export it again, with all students")
    known = [title for title in columns if title in NAME + FIRST + LAST + NUMBERS]
    if not known and len(columns) < 2:
        return [(tidy(cells[0]), {}) for _, cells in table.rows]
    found = []
    for _, row in table.records():
        row = {title: FLOAT.sub(r"\1", cell) if title in NUMBERS else cell for title, cell in row.items()}
        name = tidy(_cell(row, NAME) or f"{_cell(row, FIRST)} {_cell(row, LAST)}") or _cell(row, NUMBERS)
        found.append(("" if alike(name) in NO_STUDENTS else name, row))
    if not known or not any(name for name, _ in found):
        raise ValueError(
            f"{path}: no column holds names; call one of {', '.join(columns) or 'its columns'} "
            "'name', or two of them 'first name' and 'last name'; from Moodle, export it in English"
        )
    return found


def _cell(row, titles):
    return next((row[title] for title in titles if row.get(title)), "")


def _ways(name, row):
    """Yield the ways to write a name: as it is, first name first, last name first, and as Canvas names files."""
    first, last = _cell(row, FIRST), _cell(row, LAST)
    if "," in name:
        last, first = (part.strip() for part in name.split(",", 1))
    yield name
    if first and last:
        yield from (f"{first} {last}", f"{last} {first}", f"{last}, {first}")
    sortable = f"{last}{first}" if first and last else "".join(name.split()[-1:] + name.split()[:-1])
    yield "canvas " + re.sub(r"\W", "", sortable)
    if row.get("id"):
        yield f"canvas {row['id']}"
