"""The gradebook: a page for each student, one page of answers to mark by hand, and one table.

It is written as the grades come, so that whatever stops the grader, what it has graded is there.
"""

import csv
import io
import os
import re
from dataclasses import dataclass
from pathlib import Path

from jinja2 import Environment, PackageLoader

from classroom.grader.grade_one import PASSED

TEMPLATES = Environment(loader=PackageLoader("classroom.grader"), autoescape=True, trim_blocks=True, lstrip_blocks=True)
FORMULA = ("=", "+", "-", "@", "\t", "\r")  # what makes a spreadsheet calculate


@dataclass
class Pages:
    """What is drawn for one student. feedback: the page to send back; answers: {question: a part of by_hand.html}."""

    feedback: str
    answers: dict


def draw(assignment, grade, seed):
    """Draw the pages of one grade."""
    feedback = _drawn("feedback.html", assignment, grade=grade, seed=seed, passed=PASSED)
    answers = {name: _drawn("by_hand_answer.html", assignment, grade=grade, name=name) for name in assignment.by_hand}
    return Pages(feedback, answers)


class Gradebook:
    """The folder of results: `add` each grade as it comes; leaving the context puts all in order.

    students: all names, in order; written: {number: (row, answers)} of those added. Raises ValueError if there is a
    table already, and OSError where nothing can be written.
    """

    def __init__(self, assignment, students, folder):
        self.assignment, self.folder, self.table = assignment, Path(folder), Path(folder, "grades.csv")
        if self.table.exists():
            raise ValueError(f"{self.table} is there already, and may hold your marks: choose a new folder")
        self.files, self.written = _file_names(students), {}
        Path(folder, "feedback").mkdir(parents=True, exist_ok=True)
        self.file = os.open(self.table, os.O_WRONLY | os.O_CREAT | os.O_EXCL | os.O_APPEND, 0o666)
        self._append(self._titles())

    def __enter__(self):
        return self

    def __exit__(self, *error):
        os.close(self.file)
        in_order = [self.written[number] for number in sorted(self.written)]
        _replace(self.table, self._titles() + "".join(row for row, _ in in_order))
        parts = {name: [answers[name] for _, answers in in_order] for name in self.assignment.by_hand}
        _replace(self.folder / "by_hand.html", _drawn("by_hand.html", self.assignment, parts=parts))

    def add(self, number, grade, pages):
        """Write a student's page, then their row. Raises OSError; what was added before stays."""
        page, row = self.folder / "feedback" / self.files[number], self._row(number, grade)
        try:
            page.write_text(pages.feedback, encoding="utf-8", newline="\n")
            self._append(row)
        except OSError:
            page.unlink(missing_ok=True)
            raise
        self.written[number] = row, pages.answers

    def _append(self, text):
        """Add text to the table, on the disk, or leave the table as it was."""
        end, left = os.fstat(self.file).st_size, text.encode()
        try:
            while left:
                left = left[os.write(self.file, left) :]
            os.fsync(self.file)
        except OSError:
            os.ftruncate(self.file, end)
            raise

    def _titles(self):
        by_hand = [f"{name} (by hand, of {question.points:g})" for name, question in self.assignment.by_hand.items()]
        columns = [f"{check.name} (of {check.points:g})" for check in self.assignment.checks]
        points = f"points (of {sum(check.points for check in self.assignment.checks):g})"
        return "\ufeff" + _line(["student", points, *by_hand, *columns, "notes", "feedback"])  # the mark is for Excel

    def _row(self, number, grade):
        points = [grade.points, *(grade.verdicts[check.name][0] for check in self.assignment.checks)]
        first, *others = ["" if grade.failed else f"{each:g}" for each in points]
        notes = "; ".join(filter(None, [grade.trouble, *grade.notes]))
        by_hand = [""] * len(self.assignment.by_hand)
        return _line([grade.student, first, *by_hand, *others, notes, f"feedback/{self.files[number]}"])


def _drawn(template, assignment, **values):
    most = sum(check.points for check in assignment.checks)
    by_hand = sum(question.points for question in assignment.by_hand.values())
    return TEMPLATES.get_template(template).render(assignment=assignment, most=most, by_hand=by_hand, **values)


def _line(row):
    """Return a row as a line of the table, in which no spreadsheet takes a name for a formula."""
    entries = [entry.replace("\n", " ") for entry in row]
    line = io.StringIO(newline="")
    csv.writer(line).writerow([f"'{entry}" if entry.startswith(FORMULA) else entry for entry in entries])
    return line.getvalue()


def _replace(path, text):
    """Write a file as a whole, or leave what was there."""
    new = path.with_name(f"{path.name}.new")
    try:
        new.write_text(text, encoding="utf-8", newline="")
        os.replace(new, path)
    except OSError:
        new.unlink(missing_ok=True)
        raise


def _file_names(students):
    """Return a file name for each student: readable, allowed everywhere, and no two alike."""
    taken, names = set(), []
    for student in students:
        stem = re.sub(r"[^\w -]", "_", student).strip()[:60] or "student"
        number = 1
        name = stem
        while name.casefold() in taken:
            number += 1
            name = f"{stem} ({number})"
        taken.add(name.casefold())
        names.append(f"{name}.html")
    return names
