"""Tables as sheets and platforms write them, and tables in which no sheet takes words for a formula."""

import contextlib
import csv
import io
import math
import os
import re
from collections.abc import Iterable
from datetime import datetime
from pathlib import Path
from typing import NamedTuple

ONE_COLUMN = "if a sheet shows all in one column, import the file there: Data, From Text/CSV; then save it as CSV again"
FORMULA_START = '[\\s"]*[=+\\-@\uff1d\uff0b\uff0d\uff20]'  # what makes a sheet calculate, at the start of a cell
# Also after a semicolon or a tab, where a sheet may split.
FORMULA = re.compile(rf"(^|[;\t])(?={FORMULA_START})|^(?=\t)")
QUOTED_FORMULA = re.compile(rf"(^|[;\t])'(?={FORMULA_START})|^'(?=\t)")
LATEST_TIME = 1 << 32  # the end of all times that may be meant, in 2106
MOODLE_TIMES = [f"%A, {day}, {hour}" for day in ("%d %B %Y", "%B %d, %Y") for hour in ("%I:%M %p", "%H:%M")]


class Table(NamedTuple):
    """A table as it stands in a file."""

    path: Path
    rows: list[tuple[int, list[str]]]  # (the number of its last line in the file, cells as they are), none empty
    separator: str  # what parts cells

    def columns(self) -> list[str]:
        """Return the titles in the first row, in small letters."""
        return [" ".join(title.casefold().split()) for title in self.rows[0][1]] if self.rows else []

    def records(self, *titles: str) -> list[tuple[str, dict[str, str]]]:
        """Return [("FILE, line 2", {title: cell})]. Raises ValueError if one of these titles is missing."""
        columns = self.columns()
        missing = [title for title in titles if title not in columns]
        if missing:
            first_line = f"its first line should hold {', '.join(titles)}"
            raise ValueError(f"{self.path} has no column {missing[0]!r}; {first_line}; {ONE_COLUMN}")
        records = []
        for number, cells in self.rows[1:]:
            clean = [QUOTED_FORMULA.sub(r"\1", cell).strip() for cell in cells]  # without what `format_row` adds
            records.append((f"{self.path}, line {number}", dict.fromkeys(columns, "") | dict(zip(columns, clean))))
        return records


def read_table(path: Path | str) -> Table:
    """Read a table whose cells stand between commas, semicolons or tabs: in UTF-8, in UTF-16, or in Windows' Latin-1.

    Raises ValueError, with the file's name, for anything else; OSError where it cannot be read.
    """
    text = read_text(path)
    first_line = text.splitlines()[:1]
    separator = max(",;\t", key=lambda mark: len(next(csv.reader(first_line, delimiter=mark), [])))
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


def read_text(path: Path | str) -> str:
    """Return the text of a file in any of the encodings that sheets write. Raises ValueError with the file's name."""
    content = Path(path).read_bytes()
    encodings = ["utf-16"] if content.startswith((b"\xff\xfe", b"\xfe\xff")) else ["utf-8-sig", "cp1252"]
    for encoding in encodings:
        with contextlib.suppress(UnicodeDecodeError):
            if "\0" not in (text := content.decode(encoding)):
                return text
    raise ValueError(f"{path} is not text; save it as CSV in UTF-8")


def read_number(location: str, text: str) -> float:
    """Read a number of points or percent from a cell; some sheets write a comma in it. Raises ValueError."""
    with contextlib.suppress(ValueError):
        if 0 <= (value := float(text.replace(",", "."))) < math.inf:
            return value
    raise ValueError(f"{location}: {text!r} is not a number of points or percent, 0 or more")


def read_time(location: str, text: str) -> float:
    """Return the seconds since 1970 of a time, a day's end for a day; also of one as Moodle writes it in English."""
    for form in (None, *MOODLE_TIMES):
        with contextlib.suppress(ValueError):
            moment = datetime.strptime(text, form) if form else datetime.fromisoformat(text)
            if len(text) == len("2027-03-01"):
                moment = moment.replace(hour=23, minute=59, second=59)  # a day has 23 or 25 hours when clocks change
            if 0 < (seconds := moment.timestamp()) < LATEST_TIME:
                return seconds
    raise ValueError(f"{location}: write {text!r} like 2027-03-01 23:59; a ' before it lets a sheet keep it so")


def format_row(row: Iterable[str], separator: str = ",") -> str:
    """Return a row as a line of a table, in which no sheet takes a word for a formula, wherever it splits the line."""
    entries = [FORMULA.sub(r"\1'", " ".join(entry.splitlines())) for entry in row]
    written = io.StringIO()
    csv.writer(written, delimiter=separator).writerow(entries)
    return written.getvalue()


def format_table(rows: Iterable[Iterable[str]], separator: str = ",") -> str:
    """Return a table of ours; the mark at its beginning lets Excel know the encoding."""
    return "\ufeff" + "".join(format_row(row, separator) for row in rows)


def replace_file(path: Path, text: str):
    """Write a file as a whole, or leave what was there."""
    fresh = path.with_name(f"{path.name}.new")
    try:
        fresh.write_text(text, encoding="utf-8", newline="")
        os.replace(fresh, path)
    except OSError:
        fresh.unlink(missing_ok=True)
        raise
