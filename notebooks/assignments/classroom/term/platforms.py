"""What Canvas and Moodle take in: the totals, and the pages for all students in one zip file."""

import csv
import io
import os
import re
import zipfile

from nbformat import v4, writes

from classroom import names, tables
from classroom.term.record import remembered

OF_CANVAS = ("student", "id", "sis user id", "sis login id", "section")
OF_MOODLE = ("first name", "last name", "surname", "full name", "id number", "email address", "username", "identifier")
COLUMN = re.compile(r".+ \(\d+\)")  # "Name (id)", as Canvas titles an assignment
NUMBER, TOTAL = re.compile(r"\d+(\.\d*)?"), "total (of "
PAGE = "feedback.html"
KERNEL = {"kernelspec": {"name": "python3", "display_name": "Python 3"}}  # or Jupyter would ask for one


def export(folder, platforms, column=""):
    """Return (the content of a file to upload, what it holds in words, warnings).

    folder: the one with grades.csv; platforms: the file that Canvas or Moodle exports; column: the title above the
    grades. Raises ValueError for a file of neither, an unclear column, or two rows of one student.
    """
    roster, given = names.read_roster(platforms), tables.read(platforms)
    kept, place, title = _columns(given, column)
    most, totals, unknown = _totals(folder, roster)
    written = io.StringIO(newline="")
    writer = csv.writer(written)
    writer.writerow([given.rows[0][1][number] for number in kept] + [title])
    warnings = [f"{platforms} does not have: {'; '.join(unknown)}"] if unknown else []
    for (student, row), (_, cells) in zip(roster.rows, given.rows[1:]):
        cells = dict(enumerate(cells))
        before = cells.get(place, "")  # where there is no total, the platform's own stays
        writer.writerow([cells.get(number, "") for number in kept] + [totals.get(student) or before])
        possible = before if names.alike(row.get("student", "")) == "points possible" else ""
        if NUMBER.fullmatch(possible) and float(possible) != float(most):
            warnings.append(f"Canvas says {possible} points possible, but the totals are of {most}: change it there")
    without = [student for student in roster.students if not totals.get(student)]
    said = f"{len(roster.students) - len(without)} totals" + f"; none for: {'; '.join(without)}" * bool(without)
    return written.getvalue().encode(), said, warnings


def _totals(folder, roster):
    """Return (the most that there is, {student on the list: total}, the students whom the list does not have). Two of
    one name are known by the numbers and addresses of the list that `grade` was given."""
    graded, listed = tables.read(folder / "grades.csv"), remembered(folder).get("students")
    rows = names.read_roster(listed).rows if listed and os.path.exists(listed) else []
    numbers = {student: names.numbers(row) for student, row in rows}
    heading = next(title for title in graded.columns() if title.startswith(TOTAL))
    called, totals, unknown = {}, {}, []
    for _, row in graded.records("student"):
        name = row["student"]
        student = roster.find(name, *numbers.get(name, ()))
        if student in called:
            raise ValueError(
                f"{graded.path}: {called[student]!r} and {name!r} both fit {student} in {roster.path}; "
                "--forget one, once its file is gone"
            )
        if student is None:
            unknown.append(name)
        else:
            called[student], totals[student] = name, row[heading]
    return heading.removeprefix(TOTAL).rstrip(")"), totals, unknown


def _columns(given, column):
    """Return the places of the columns to keep, and the place, None for a new one, and the title of the grades."""
    titles, small = given.rows[0][1], given.columns()
    if {"student", "section"} <= set(small):
        choices = [title for title in titles if COLUMN.fullmatch(title)]
        title = column or (choices[0] if len(choices) == 1 else "")
        if title not in titles:
            raise ValueError(f"{given.path}: say which column is meant, by --column and one of: {', '.join(choices)}")
        return [number for number, each in enumerate(small) if each in OF_CANVAS], titles.index(title), title
    if {"id number", "email address", "username"} & set(small):
        if not column:
            raise ValueError(f"{given.path}: say what the column of grades is to be called, by --column")
        place = titles.index(column) if column in titles else None
        return [number for number, each in enumerate(small) if each in OF_MOODLE], place, column
    raise ValueError(
        f"{given.path} is neither a gradebook of Canvas (with columns Student, ID, Section) nor a list from Moodle "
        "(with a column Email address or ID number, exported in English)"
    )


def give_back(folder):
    """Return (the content of a zip file, what it holds in words, warnings).

    folder: the one with grades.csv. Moodle finds a student by the name of a folder, as it named it when it exported the
    hand-ins (mod/assign/feedback/file/importziplib.php). Canvas finds a student by the two numbers in the name of a
    file that was handed in, and shows the new file under the name that the student gave that one
    (`infer_comment_context_from_filename` in its app/models/abstract_assignment.rb): so a notebook gets a notebook.
    """
    content, given, by_hand, unfinished = io.BytesIO(), 0, [], []
    table = tables.read(folder / "grades.csv")
    total = next(title for title in table.columns() if title.startswith(TOTAL))
    with zipfile.ZipFile(content, "w", zipfile.ZIP_DEFLATED) as archive:
        for _, row in table.records("student", "handed in as", "feedback"):
            label = names.label(row["handed in as"])
            if label.number:
                page = (folder / row["feedback"]).read_text(encoding="utf-8")
                if label.platform == "canvas":
                    archive.writestr(label.entry, _for_canvas(label, page))
                else:  # into the folder of the hand-in, or, where Moodle was asked for none, one named as it would be
                    archive.writestr(f"{label.entry.removesuffix(label.file)}/{PAGE}", page)
                given += 1
                unfinished += [row["student"]] * (not row[total])
            elif row["handed in as"]:
                by_hand.append(row["feedback"])
    warnings = [f"not named by Moodle or Canvas, to be sent by hand: {'; '.join(by_hand)}"] if by_hand else []
    warnings += [f"no total yet, and the page says so: {'; '.join(unfinished)}"] if unfinished else []
    return content.getvalue(), f"{given} pages", warnings


def _for_canvas(label, page):
    """Return a page as a file of the kind that was handed in."""
    if label.file.casefold().endswith(".zip"):
        inside = io.BytesIO()
        with zipfile.ZipFile(inside, "w", zipfile.ZIP_DEFLATED) as archive:
            archive.writestr(PAGE, page)
        return inside.getvalue()
    if label.file.casefold().endswith(".ipynb"):
        output = v4.new_output("display_data", data={"text/html": page})
        cell = v4.new_code_cell("# What your teacher gives back", outputs=[output])
        return writes(v4.new_notebook(cells=[cell], metadata=KERNEL))
    return page
