"""Write what was graded: a page for each student, one page of answers to mark by hand, and one table."""

import csv
import re
from pathlib import Path

from jinja2 import Environment, PackageLoader

from classroom.grader.batch import PASSED

PAGES = Environment(loader=PackageLoader("classroom.grader"), autoescape=True, trim_blocks=True, lstrip_blocks=True)
FORMULA = ("=", "+", "-", "@", "\t", "\r")  # what makes a spreadsheet calculate


def write(assignment, grades, seed, folder):
    """Write grades.csv, by_hand.html and feedback/<student>.html into the folder."""
    feedback = Path(folder, "feedback")
    feedback.mkdir(parents=True, exist_ok=True)
    files = _file_names([grade.student for grade in grades])
    most = sum(check.points for check in assignment.checks)
    by_hand = sum(question.points for question in assignment.by_hand.values())
    common = {"assignment": assignment, "seed": seed, "passed": PASSED, "most": most, "by_hand": by_hand}
    for grade, name in zip(grades, files):
        _write(feedback / name, PAGES.get_template("feedback.html").render(grade=grade, **common))
    _write(Path(folder, "by_hand.html"), PAGES.get_template("by_hand.html").render(grades=grades, **common))
    _write_table(assignment, grades, files, most, Path(folder, "grades.csv"))


def _write_table(assignment, grades, files, most, path):
    by_hand = [f"{name} (by hand, of {question.points:g})" for name, question in assignment.by_hand.items()]
    columns = [f"{check.name} (of {check.points:g})" for check in assignment.checks]
    with open(path, "w", encoding="utf-8-sig", newline="") as file:
        table = csv.writer(file)
        table.writerow(["student", f"points (of {most:g})", *by_hand, *columns, "notes", "feedback"])
        for grade, name in zip(grades, files):
            verdicts = [f"{grade.verdicts[check.name][0]:g}" for check in assignment.checks]
            notes = "; ".join(filter(None, [grade.trouble, *grade.notes]))
            row = [grade.student, f"{grade.points:g}", *[""] * len(by_hand), *verdicts, notes, f"feedback/{name}"]
            table.writerow([_harmless(entry) for entry in row])


def _harmless(text):
    """Keep a spreadsheet from taking a name for a formula."""
    text = text.replace("\n", " ")
    return f"'{text}" if text.startswith(FORMULA) else text


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


def _write(path, text):
    path.write_text(text, encoding="utf-8", newline="\n")
