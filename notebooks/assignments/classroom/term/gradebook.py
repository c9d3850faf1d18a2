"""The folder of an assignment, which lives through the term: what was graded, what the teacher decides, what follows.

Grades are on the disk as they come (`record.py`); table and pages are drawn anew from them, and from the teacher's own
tables (`marks.py`), at the end of each run.
"""

import hashlib
import re
from pathlib import Path

from jinja2 import Environment, PackageLoader

from classroom import tables
from classroom.grader.judge import PASSED, Grade
from classroom.grader.submissions import NOTHING, Submission, name_as_listed
from classroom.names import Names
from classroom.term import cells
from classroom.term.marks import OLD, Marks, version
from classroom.term.record import Record

TEMPLATES = Environment(loader=PackageLoader("classroom.term"), autoescape=True, trim_blocks=True, lstrip_blocks=True)


class Gradebook:
    """The grades of a class: `add` each as it comes; leaving the context writes table and pages.

    collected: the submissions of this round; roster: the list of students, or None; submissions: these, those of
    earlier rounds, and the missing, in the order of the table; results: {student: Result}, as the context is left.
    Raises ValueError if the folder holds something else, if the teacher's tables cannot be read, or if the table was
    changed since it was written; OSError where nothing can be written.
    """

    def __init__(self, assignment, collected, roster, folder):
        self.assignment, self.folder, self.record = assignment, Path(folder), Record(assignment, folder)
        self.most = sum(check.points for check in assignment.checks)
        self.by_hand = sum(question.points for question in assignment.by_hand.values())
        now = {each.label.source for each in collected}
        earlier = [Submission(name, label) for name, label in self.record.labels.items() if name not in now]
        self.submissions = name_as_listed([*collected, *earlier], roster)
        self.table = self.folder / "grades.csv"
        if self.table.exists() and _digest(self.table.read_bytes()) not in self.record.tables:
            raise ValueError(
                f"{self.table} was changed since it was written, and would be written anew: move it away, and put what "
                "you typed into words.csv and overrides.csv"
            )
        self.names = _names(self.submissions, roster)
        hours = roster.hours if roster else {}
        self.hours = {student: cells.time(f"{roster.path}, {student}", text) for student, text in hours.items()}
        self.marks, self.results = Marks(assignment, folder, self.names, self.record.forgotten), {}

    def __enter__(self):
        return self

    def __exit__(self, *error):
        hours = {}
        for each in self.submissions:
            grade = self.record.grades.get(each.label.source)
            if grade is None and each.trouble == NOTHING:
                nothing = {check.name: (0, NOTHING) for check in self.assignment.checks}
                grade = Grade(each.student, nothing, trouble=NOTHING)
            if grade is not None:
                grade.student, hour = each.student, self.hours.get(each.student, 0)
                old = hour in self.record.earlier[each.label.source]
                self.results[each.student] = self.marks.result(each.student, grade, 0 if old else hour, OLD * old)
                if hour and not old:
                    hours[each.label.source] = hour
        self.record.add_hours(hours)
        self.marks.add_answers(self.results)
        self._write_pages(_file_names(self.results))

    def open(self, again=None):
        """Return the numbers of the submissions to look into: all that hold something.

        again: names of students who are graded even if nothing has changed; an empty list for all of them. Raises
        ValueError for a name of nobody.
        """
        wanted = [self.names.meant(name, "--again") for name in again or ()]
        for each in self.submissions:
            grade = self.record.grades.get(each.label.source)
            if grade and again != [] and each.student not in wanted:
                each.graded = grade.digest
        return [number for number, each in enumerate(self.submissions) if each.paths]

    def forget(self, names):
        """Take what was graded under these names out of the record; whoever opens the folder anew does not find it.

        Raises ValueError for a name of nobody, and where the file is still there.
        """
        meant = [self.names.meant(name, "--forget") for name in names]
        for each in [each for each in self.submissions if each.student in meant]:
            if each.paths or each.trouble:
                why = each.trouble or f"{each.paths[0][0]} is still there: rename it, or take it away"
                raise ValueError(f"--forget {each.student}: {why}")
            self.record.forget(each.label.source, each.student)

    def add(self, number, grade):
        """Take the grade of the submission with this number. Raises OSError; what was added before stays."""
        if grade is not None:
            self.record.add_grade(self.submissions[number].label, grade)

    def _write_pages(self, files):
        feedback, rows = self.folder / "feedback", [self._titles()]
        feedback.mkdir(exist_ok=True)
        for page in set(feedback.glob("*.html")) - {feedback / name for name in files.values()}:
            page.unlink()  # of a name that nobody has any more
        doubts = {each.student: each.doubts for each in self.submissions}
        for student, result in self.results.items():
            notes = [*doubts[student], *result.grade.notes]
            page = self._drawn("feedback.html", result=result, notes=result.grade.notes, passed=PASSED)
            tables.replace(feedback / files[student], page)
            rows.append(self._row(student, result, notes, f"feedback/{files[student]}"))
        by_hand = self._drawn("by_hand.html", results=self.results, version=version)
        tables.replace(self.folder / "by_hand.html", by_hand)
        table = "\ufeff" + "".join(map(tables.line, rows))  # the mark is for Excel
        self.record.add({"table": _digest(table.encode())})
        tables.replace(self.table, table)

    def _titles(self):
        words = [f"{name} (by hand, of {question.points:g})" for name, question in self.assignment.by_hand.items()]
        checks = [f"{check.name} (of {check.points:g})" for check in self.assignment.checks]
        total, points = f"total (of {self.most + self.by_hand:g})", f"points (of {self.most:g})"
        return ["student", total, points, *words, *checks, "handed in", "late", "notes", "feedback"]

    def _row(self, student, result, notes, page):
        points = [None if result.grade.failed else each for each in result.points.values()]
        numbers = [result.total, None if None in points else sum(points), *result.words.values(), *points]
        shown = ["" if number is None else f"{number:g}" for number in numbers]
        said = "; ".join(filter(None, [result.grade.trouble, *notes, *result.remarks]))
        return [student, *shown, result.handed_in, result.late, said, page]

    def _drawn(self, template, **values):
        page = TEMPLATES.get_template(template)
        return page.render(assignment=self.assignment, most=self.most, by_hand=self.by_hand, **values)


def _names(submissions, roster):
    """Return the names of students: as shown, and where that is clear, as files and the list of students have them."""
    names, shown = Names(), {each.student for each in submissions}
    for student in shown:
        names.add(student, student)
    others = [(each.label.source, each.student) for each in submissions] + (roster.names.pairs() if roster else [])
    for name, student in [pair for pair in others if names.find(pair[0]) is None and pair[1] in shown]:
        names.add(name, student)
    return names


def _digest(content):
    return hashlib.sha256(content).hexdigest()


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
