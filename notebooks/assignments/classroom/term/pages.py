"""What a class's results look like: a table, a page of answers to mark, one for each student, what Canvas and Moodle
take in, and all on a screen."""

import io
import re
import zipfile
from collections.abc import Iterable, Iterator, Mapping
from pathlib import Path

from jinja2 import Environment, PackageLoader
from nbformat import v4, writes

from classroom import names
from classroom.assignment import Assignment
from classroom.checks.graded import RULE
from classroom.csv_tables import format_row, format_table, read_table, replace_file
from classroom.term.marks import digest_of
from classroom.term.result import Result
from companion.checks.feedback import IN_PLACE
from companion.verdict_words import NOT_ATTEMPTED

TEMPLATES = Environment(loader=PackageLoader("classroom.term"), autoescape=True, trim_blocks=True, lstrip_blocks=True)
LONGEST_REASON = 150  # characters of a message
KEPT_TITLES = (*names.TITLES, "section")
PAGE = "feedback.html"
KERNEL = {"kernelspec": {"name": "python3", "display_name": "Python 3"}}  # or Jupyter would ask for one


def write_pages(folder: Path, assignment: Assignment, results: Mapping[str, Result], roster: names.Names) -> str:
    """Write feedback/, by_hand.html and what a platform takes in, and return the text of the table of grades."""
    feedback, files, rows, pages = folder / "feedback", _file_names(results), [_titles(assignment)], {}
    feedback.mkdir(exist_ok=True)
    for old_page in set(feedback.glob("*.html")) - {feedback / name for name in files.values()}:
        old_page.unlink()  # of a name that nobody has any more
    for student, result in results.items():
        page = TEMPLATES.get_template("feedback.html").render(assignment=assignment, result=result, rule=RULE)
        replace_file(feedback / files[student], page)
        pages[result.entry] = page
        rows.append(_row(student, result, f"feedback/{files[student]}"))
    by_hand = TEMPLATES.get_template("by_hand.html").render(assignment=assignment, results=results, digest_of=digest_of)
    replace_file(folder / "by_hand.html", by_hand)
    pack_pages(folder / "feedback.zip", pages)
    if any(row for _, row in roster.rows):
        replace_file(folder / "totals.csv", format_totals(roster, rows[0][1], results))
    return format_table(rows)


def _titles(assignment: Assignment) -> list[str]:
    words = [f"{name} (by hand, of {question.points:g})" for name, question in assignment.by_hand.items()]
    checks = [f"{check.name} (of {check.points:g})" for check in assignment.checks]
    total, points = f"total (of {assignment.max_total:g})", f"points (of {assignment.max_points:g})"
    return ["student", total, points, *words, *checks, "handed in", "late", "notes", "handed in as", "feedback"]


def _row(student: str, result: Result, page: str) -> list[str]:
    points = [None if result.grade.failed else earned for earned in result.points.values()]
    numbers = [result.total, None if None in points else sum(points), *result.words.values(), *points]
    numbers_shown = ["" if number is None else f"{number:g}" for number in numbers]
    notes = "; ".join(filter(None, [result.grade.trouble, *result.doubts, *result.grade.notes, *result.remarks]))
    return [student, *numbers_shown, result.handed_in, result.lateness, notes, result.entry, page]


def _file_names(students: Iterable[str]) -> dict[str, str]:
    """Return {student: a name for their page}: readable, allowed everywhere, and no two alike."""
    files = {}
    for student in students:
        name = re.sub(r"[^\w -]", "_", student)[:60].strip()
        while f"{name}.html".casefold() in map(str.casefold, files.values()):
            name += "_"
        files[student] = f"{name}.html"
    return files


def overview(results: Mapping[str, Result]) -> Iterator[str]:
    yield "who needs a look:"
    for student, result in results.items():
        grade, reasons = result.grade, list(result.doubts)
        if grade.trouble and not grade.missing:
            reasons.append(grade.trouble[:LONGEST_REASON])
        elif all(message == NOT_ATTEMPTED for _, message in grade.verdicts.values()):
            reasons.append("nothing was attempted")
        reasons += [result.lateness] * (result.percent_off is None)
        reasons += [note[:LONGEST_REASON] for note in grade.notes if IN_PLACE not in note]
        if reasons:
            yield f"  {student}: {'; '.join(reasons)}"
    late = [name for name, result in results.items() if result.is_late]
    missing = [name for name, result in results.items() if result.grade.missing]
    yield from (f"  {what}: {'; '.join(names)}" for what, names in (("late", late), ("nothing from", missing)) if names)
    unmarked = sum(points is None for result in results.values() for points in result.words.values())
    if unmarked:
        yield f"  {unmarked} answers in words wait for their points in words.csv"


def format_totals(roster: names.Names, title: str, results: Mapping[str, Result]) -> str:
    """Return the table of a list of students, with the columns by which its platform knows them, and their totals.
    Who has no total has no row: what the platform has stays."""
    table = read_table(roster.path)
    titles = {small: title for small, title in zip(table.columns(), table.rows[0][1]) if small in KEPT_TITLES}
    lines = [format_row([*titles.values(), title])]
    for student, row in roster.rows:
        if student in results and results[student].total is not None:
            lines.append(format_row([*map(row.get, titles), f"{results[student].total:g}"]))
    return "".join(lines)


def pack_pages(path: Path, pages: Mapping[str, str]) -> None:
    """Write a zip file with the pages of all whose work was named by a platform.

    pages: {name of the file or folder that was handed in: page}. Moodle finds a student by the name of a folder, as it
    named it when it exported the hand-ins (mod/assign/feedback/file/importziplib.php). Canvas finds a student by the
    two numbers in the name of a file that was handed in, and shows the new file under the name that the student gave
    that one (`infer_comment_context_from_filename` in its app/models/abstract_assignment.rb): so a notebook gets a
    notebook.
    """
    with zipfile.ZipFile(path, "w", zipfile.ZIP_DEFLATED) as archive:
        for entry, page in pages.items():
            label = names.read_label(entry)
            if label.platform == "canvas":
                archive.writestr(entry, _for_canvas(label.file, page))
            elif label.number:  # into the folder of the hand-in, or, where Moodle made none, one named as it would be
                archive.writestr(f"{entry.removesuffix(label.file)}/{PAGE}", page)


def _for_canvas(file: str, page: str) -> str | bytes:
    """Return a page as a file of the kind that was handed in."""
    if file.casefold().endswith(".zip"):
        inside = io.BytesIO()
        with zipfile.ZipFile(inside, "w", zipfile.ZIP_DEFLATED) as archive:
            archive.writestr(PAGE, page)
        return inside.getvalue()
    if file.casefold().endswith(".ipynb"):
        output = v4.new_output("display_data", data={"text/html": page})
        cell = v4.new_code_cell("# What your teacher gives back", outputs=[output])
        return writes(v4.new_notebook(cells=[cell], metadata=KERNEL))
    return page
