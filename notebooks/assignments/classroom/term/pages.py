"""What a class's results look like: a table, a page of answers to mark, one for each student, and all on a screen."""

import re

from jinja2 import Environment, PackageLoader

from classroom import tables
from classroom.checks.graded import RULE
from classroom.grader.judge import NOT_ATTEMPTED
from classroom.grader.submissions import NOTHING
from classroom.term.marks import version
from classroom.term.platforms import packed, totals
from classroom.term.result import SAID, WRITE
from companion.checks.feedback import IN_PLACE

TEMPLATES = Environment(loader=PackageLoader("classroom.term"), autoescape=True, trim_blocks=True, lstrip_blocks=True)
LONGEST = 150  # characters of a message


def write_pages(folder, assignment, results, roster):
    """Write all but the table of grades into a folder, and return the text of that: of its feedback/, by_hand.html, and
    what a platform takes in.

    results: {student: Result}.
    """
    feedback, files, rows, pages = folder / "feedback", _file_names(results), [_titles(assignment)], {}
    feedback.mkdir(exist_ok=True)
    for page in set(feedback.glob("*.html")) - {feedback / name for name in files.values()}:
        page.unlink()  # of a name that nobody has any more
    for student, result in results.items():
        page = _drawn("feedback.html", assignment, result=result, rule=RULE)
        tables.replace(feedback / files[student], page)
        pages[result.entry] = page
        rows.append(_row(student, result, f"feedback/{files[student]}"))
    tables.replace(folder / "by_hand.html", _drawn("by_hand.html", assignment, results=results, version=version))
    (folder / "feedback.zip").write_bytes(packed(pages))
    if any(row for _, row in roster.rows):
        tables.replace(folder / "totals.csv", totals(roster, rows[0][1], results))
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
    names = {}
    for student in students:
        name = re.sub(r"[^\w -]", "_", student).strip()[:60] or "student"
        while f"{name}.html".casefold() in map(str.casefold, names.values()):
            name += "_"
        names[student] = f"{name}.html"
    return names


def overview(results):
    """Yield the lines of what needs a look. results: {student: Result}."""
    yield "who needs a look:"
    for student, result in results.items():
        grade, reasons = result.grade, list(result.doubts)
        if grade.trouble and grade.trouble != NOTHING:
            reasons.append(grade.trouble[:LONGEST])
        elif grade.verdicts and all(message == NOT_ATTEMPTED for _, message in grade.verdicts.values()):
            reasons.append("nothing was attempted")
        reasons += [result.late] * result.late.endswith(WRITE)
        reasons += [note[:LONGEST] for note in grade.notes if IN_PLACE not in note]
        if reasons:
            yield f"  {student}: {'; '.join(reasons)}"
    late = [name for name, each in results.items() if each.late.startswith(SAID) or each.late and each.handed_in]
    missing = [name for name, each in results.items() if each.grade.trouble == NOTHING]
    yield from (f"  {what}: {'; '.join(names)}" for what, names in (("late", late), ("nothing from", missing)) if names)
    unmarked = sum(points is None for result in results.values() for points in result.words.values())
    if unmarked:
        yield f"  {unmarked} answers in words wait for their points in words.csv"
