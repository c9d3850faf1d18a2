"""What a class's results look like: a table, a page of answers to mark, and a page for each student."""

import re

from jinja2 import Environment, PackageLoader

from classroom import tables
from classroom.grader.judge import PASSED
from classroom.term.marks import version

TEMPLATES = Environment(loader=PackageLoader("classroom.term"), autoescape=True, trim_blocks=True, lstrip_blocks=True)


def write_pages(folder, assignment, results):
    """Write feedback/ and by_hand.html into a folder, and return the text of the table that goes with them.

    results: {student: Result}.
    """
    feedback, files, rows = folder / "feedback", _file_names(results), [_titles(assignment)]
    feedback.mkdir(exist_ok=True)
    for page in set(feedback.glob("*.html")) - {feedback / name for name in files.values()}:
        page.unlink()  # of a name that nobody has any more
    for student, result in results.items():
        page = _drawn("feedback.html", assignment, result=result, passed=PASSED)
        tables.replace(feedback / files[student], page)
        rows.append(_row(student, result, f"feedback/{files[student]}"))
    tables.replace(folder / "by_hand.html", _drawn("by_hand.html", assignment, results=results, version=version))
    return "\ufeff" + "".join(map(tables.line, rows))  # the mark is for Excel


def _titles(assignment):
    words = [f"{name} (by hand, of {question.points:g})" for name, question in assignment.by_hand.items()]
    checks = [f"{check.name} (of {check.points:g})" for check in assignment.checks]
    total, points = f"total (of {assignment.most + assignment.most_by_hand:g})", f"points (of {assignment.most:g})"
    return ["student", total, points, *words, *checks, "handed in", "late", "notes", "handed in as", "feedback"]


def _row(student, result, page):
    points = [None if result.grade.failed else each for each in result.points.values()]
    numbers = [result.total, None if None in points else sum(points), *result.words.values(), *points]
    shown = ["" if number is None else f"{number:g}" for number in numbers]
    said = "; ".join(filter(None, [result.grade.trouble, *result.doubts, *result.grade.notes, *result.remarks]))
    return [student, *shown, result.handed_in, result.late, said, result.entry, page]


def _drawn(template, assignment, **values):
    return TEMPLATES.get_template(template).render(assignment=assignment, **values)


def _file_names(students):
    """Return {student: a name for their page}: readable, allowed everywhere, and no two alike."""
    taken, names = set(), {}
    for student in students:
        stem = re.sub(r"[^\w -]", "_", student).strip()[:60] or "student"
        name, number = stem, 1
        while name.casefold() in taken:
            number += 1
            name = f"{stem} ({number})"
        taken.add(name.casefold())
        names[student] = f"{name}.html"
    return names
