"""The totals in the form in which Canvas and Moodle take grades in."""

import csv
import io
import re

from classroom import names, tables

OF_CANVAS = ("student", "id", "sis user id", "sis login id", "section")
OF_MOODLE = ("first name", "last name", "surname", "full name", "id number", "email address", "username", "identifier")
COLUMN = re.compile(r".+ \(\d+\)")  # "Name (id)", as Canvas titles an assignment
NUMBER, TOTAL = re.compile(r"\d+(\.\d*)?"), "total (of "


def export(table, platforms, column=""):
    """Return (text of a file to upload, what it holds in words, warnings).

    table: a grades.csv; platforms: the file that Canvas or Moodle exports, with the numbers or addresses that it knows
    its students by; column: the title above the grades. Raises ValueError for a file of neither, an unclear column, or
    two rows of one student.
    """
    students, given = names.students_of(platforms), tables.read(platforms)
    roster, titles = names.roster_of(platforms, students), given.rows[0][1]
    kept, place = _columns(given, titles, column)
    graded, found, unknown, possible = tables.read(table), {}, [], ""
    heading = next(title for title in graded.columns() if title.startswith(TOTAL))
    for _, row in graded.records("student"):
        student = roster.names.find(row["student"])
        if student is None:
            unknown.append(row["student"])
        elif student in found:
            both = f"{found[student]['student']!r} and {row['student']!r}"
            raise ValueError(f"{table}: {both} both fit {student} in {platforms}; --forget one, once its file is gone")
        else:
            found[student] = row
    totals = {student: row[heading] for student, row in found.items()}
    written, listed = io.StringIO(newline=""), iter(roster.students)
    writer = csv.writer(written)
    writer.writerow([titles[number] for number in kept] + [column or titles[place]])
    for (name, row), (_, cells) in zip(students, given.rows[1:]):
        cells = dict(enumerate(cells))
        before = cells.get(place, "")  # where there is no total, the platform's own stays
        total = totals.get(next(listed), "") if name else ""
        possible = before if names.alike(row.get("student", "")) == "points possible" else possible
        writer.writerow([cells.get(number, "") for number in kept] + [total or before])
    without = [student for student in roster.students if not totals.get(student)]
    said = f"{len(roster.students) - len(without)} totals" + f"; none for: {'; '.join(without)}" * bool(without)
    warnings = [f"{platforms} does not have: {'; '.join(unknown)}"] if unknown else []
    most = heading.removeprefix(TOTAL).rstrip(")")
    if NUMBER.fullmatch(possible) and float(possible) != float(most):
        warnings.append(f"Canvas says {possible} points possible, but the totals are of {most}: change it there")
    return written.getvalue(), said, warnings


def _columns(given, titles, column):
    """Return the places of the columns to keep, and of the one with the grades, None for a new one."""
    small = given.columns()
    place = titles.index(column) if column in titles else None
    if {"student", "section"} <= set(small):
        choices = [title for title in titles if COLUMN.fullmatch(title)]
        if not column and len(choices) == 1:
            place = titles.index(choices[0])
        if place is None:
            raise ValueError(f"{given.path}: say which column is meant, by --column and one of: {', '.join(choices)}")
        return [number for number, title in enumerate(small) if title in OF_CANVAS], place
    if {"id number", "email address", "username"} & set(small):
        if not column:
            raise ValueError(f"{given.path}: say what the column of grades shall be called, by --column")
        return [number for number, title in enumerate(small) if title in OF_MOODLE], place
    raise ValueError(
        f"{given.path} is no gradebook of Canvas (with columns Student, ID, Section) and no list from Moodle "
        "(with a column Email address or ID number, exported in English)"
    )
