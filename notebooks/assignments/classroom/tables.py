"""Tables as sheets and platforms write them, and tables in which no sheet takes words for a formula."""

import contextlib
import csv
import io
import math
import os
import re
from collections import namedtuple
from datetime import datetime
from pathlib import Path

SEPARATORS = ",;\t"
ONE_COLUMN = "if a sheet shows all in one column, import the file there: Data, From Text/CSV; then save it as CSV again"
BEGINS = '[\\s"]*[=+\\-@\uff1d\uff0b\uff0d\uff20]'  # what makes a sheet calculate, at the start of a cell
ACTIVE = re.compile(rf"(^|[;\t])(?={BEGINS})|^(?=\t)")  # a sheet may begin a cell behind a semicolon or a tab, too
INERT = re.compile(rf"(^|[;\t])'(?={BEGINS})|^'(?=\t)")
DAY = 86_400  # seconds
END = 1 << 32  # the end of all times that may be meant, in 2106
OF_MOODLE = [f"%A, {day}, {hour}" for day in ("%d %B %Y", "%B %d, %Y") for hour in ("%I:%M %p", "%H:%M")]
MOST = 20  # lines, where there may be very many


class Table(namedtuple("Table", "path rows separator")):
    """rows: [(number of its last line in the file, cells as they are)], none empty; separator: what parts cells."""

    def columns(self):
        """Return the titles in the first row, in small letters."""
        return [" ".join(title.casefold().split()) for title in self.rows[0][1]] if self.rows else []

    def records(self, *expected):
        """Return [("FILE, line 2", {title: cell})]. Raises ValueError if an expected column is missing."""

        def said(cell):  # without what `line` adds, and without space around it
            return INERT.sub(r"\1", cell).strip()

        columns = self.columns()
        missing = [title for title in expected if title not in columns]
        if missing:
            titles = f"its first line should hold {', '.join(expected)}"
            raise ValueError(f"{self.path} has no column {missing[0]!r}; {titles}; {ONE_COLUMN}")
        return [
            (f"{self.path}, line {number}", dict.fromkeys(columns, "") | dict(zip(columns, map(said, cells))))
            for number, cells in self.rows[1:]
        ]


def read(path):
    """Read a table whose cells stand between commas, semicolons or tabs: in UTF-8, in UTF-16, or in Windows' Latin-1.

    Raises ValueError, with the file's name, for anything else; OSError where it cannot be read.
    """
    text = text_of(path)
    first = text.split("\n", 1)[0]
    separator = max(SEPARATORS, key=lambda each: len(next(csv.reader([first], delimiter=each), [])))
    try:
        reader = csv.reader(io.StringIO(text, newline=""), delimiter=separator, strict=True)
        rows = [(reader.line_num, row) for row in reader if any(row)]
    except csv.Error as error:
        raise ValueError(f"{path} cannot be read as a table: {error}; {ONE_COLUMN}") from error
    for number, cells in rows:
        if any(cells[len(rows[0][1]) :]):
            raise ValueError(
                f"{path}, line {number} has {len(cells)} cells, but the first line has {len(rows[0][1])}; "
                f"put a cell that holds {separator!r} between double quotes"
            )
    return Table(Path(path), rows, separator)


def text_of(path):
    """Return the text of a file in any of the encodings that sheets write. Raises ValueError with the file's name."""
    content = Path(path).read_bytes()
    encodings = ["utf-16"] if content.startswith((b"\xff\xfe", b"\xfe\xff")) else ["utf-8-sig", "cp1252"]
    for encoding in encodings:
        with contextlib.suppress(UnicodeDecodeError):
            if "\0" not in (text := content.decode(encoding)):
                return text
    raise ValueError(f"{path} is not text; save it as CSV in UTF-8")


def few(lines):
    """Return the first of many lines, and how many more there are."""
    return lines[:MOST] + [f"and {len(lines) - MOST} more"] * (len(lines) > MOST)


def number(place, text):
    """Read a number of points or percent from a cell; some sheets write a comma in it. Raises ValueError."""
    with contextlib.suppress(ValueError):
        if 0 <= (found := float(text.replace(",", "."))) < math.inf:
            return found
    raise ValueError(f"{place}: {text!r} is not a number of points or percent, 0 or more")


def time(place, text):
    """Return the seconds since 1970 of a time, a day's end for a day; also of one as Moodle writes it in English."""
    for form in (None, *OF_MOODLE):
        with contextlib.suppress(ValueError, OverflowError):
            moment = datetime.strptime(text, form) if form else datetime.fromisoformat(text)
            if len(text) == len("2027-03-01"):
                moment = moment.replace(hour=23, minute=59, second=59)  # a day has 23 or 25 hours when clocks change
            if 0 < (seconds := moment.timestamp()) < END:
                return seconds
    raise ValueError(f"{place}: write {text!r} like 2027-03-01 23:59; a ' before it lets a sheet keep it so")


def line(row, separator=","):
    """Return a row as a line of a table, in which no sheet takes a word for a formula, wherever it splits the line."""
    entries = [ACTIVE.sub(r"\1'", " ".join(entry.splitlines())) for entry in row]
    written = io.StringIO(newline="")
    csv.writer(written, delimiter=separator).writerow(entries)
    return written.getvalue()


def replace(path, text):
    """Write a file as a whole, or leave what was there."""
    new = path.with_name(f"{path.name}.new")
    try:
        new.write_text(text, encoding="utf-8", newline="")
        os.replace(new, path)
    except OSError:
        new.unlink(missing_ok=True)
        raise
