"""The folder of an assignment through the term: grades are on the disk as they come (`record.py`); at the end of each
run, table and pages (`pages.py`) are drawn again from them and from the teacher's own tables (`marks.py`)."""

import dataclasses
import hashlib
from collections.abc import Sequence
from pathlib import Path

from classroom import tables
from classroom.grader.records import Grade, Submission
from classroom.grader.submissions import NOTHING, name_as_listed
from classroom.hand_out import Assignment
from classroom.names import Names
from classroom.term.marks import TOTAL, Marks
from classroom.term.pages import write_pages
from classroom.term.record import Record
from classroom.term.result import Result, result

MODIFIED = "last modified (submission)"  # when it was handed in, in Moodle's grading worksheet; "-" for nothing


class Gradebook:
    """The grades of a class: `add` each as it comes, then `write` table and pages.

    collected: the submissions of this round; roster: the list of students, or None; submissions: these, those of
    earlier rounds, and the missing; left_out: names of earlier rounds that are not among those collected, and that the
    list has not, or has for one of these: files were renamed; results: by student, of the last `write`; new: how
    many were added, of what could be graded. Raises ValueError if the folder holds something else, if the table was
    changed since it was written, or if the teacher's tables or the list cannot be read; OSError where nothing can be
    written.
    """

    results: dict[str, Result]

    def __init__(self, assignment: Assignment, collected: Sequence[Submission], roster: Names | None, folder: Path):
        self.assignment, self.folder = assignment, folder
        self.roster = roster = roster or Names()
        self.table, self.results, self.new = self.folder / "grades.csv", {}, 0
        self.record = Record(assignment, folder)
        if self.table.exists() and hashlib.sha256(self.table.read_bytes()).hexdigest() not in self.record.tables:
            raise ValueError(
                f"{self.table} was not written here, or changed since, and would be written over: move it away, and "
                "put what you typed into words.csv and overrides.csv"
            )
        now = [dataclasses.replace(each, student=each.label.source, doubts=[]) for each in collected]
        sources, labels = {each.student for each in now}, self.record.labels
        earlier = [Submission(source, label) for source, label in labels.items() if source not in sources]
        taken = {None, *(roster.find(*each.label.ways()) for each in now)} if roster.students else ()
        self.left_out = [each.student for each in earlier if roster.find(*each.label.ways()) in taken]
        kept = [each for each in earlier if each.student not in self.left_out]
        self.submissions = name_as_listed([*now, *kept], roster)
        self.names = _names(self.submissions, self.left_out, roster)
        self.listed = _listed_times(roster)
        self.marks = Marks(assignment, folder, self.names)

    def open(self) -> list[int]:
        """Return the numbers of the submissions to look into: all that hold something."""
        for each in self.submissions:
            if each.label.source not in self.record.stale:
                each.before = self.record.grades.get(each.label.source)
        return [number for number, each in enumerate(self.submissions) if each.paths]

    def add(self, number: int, grade: Grade | None) -> None:
        """Take the grade of the submission with this number, None for one that is as it was graded before."""
        label = self.submissions[number].label
        self.new += grade is not None and not grade.trouble
        if grade or label != self.record.labels[label.source]:  # the same work in a newer file gets its feedback there
            self.record.add_grade(label, grade or self.record.grades[label.source])

    def write(self) -> None:
        """Put the results together, and write table and pages: of all whose turn has come."""
        nothing = {check.name: (0, NOTHING) for check in self.assignment.checks}
        self.results, said = {}, {}
        for each in self.submissions:
            source, time = each.label.source, self.listed.get(each.student, 0)
            grade = self.record.grades.get(source)
            if grade or each.trouble == NOTHING:
                grade, earlier = grade or Grade("", nothing, trouble=NOTHING), self.record.earlier[source]
                grade.student = each.student
                found = self.results[each.student] = result(self.marks, grade, time, earlier, each.label.platform)
                found.doubts, found.entry = each.doubts + found.doubts, each.label.entry
                now = [time, self.marks.overrides.get((each.student, TOTAL))]
                if words := [word for word in now if word and word not in earlier]:
                    said[source] = words
        self.marks.add_answers({student: found.grade for student, found in self.results.items()})
        table = write_pages(self.folder, self.assignment, self.results, self.roster)
        # Where the same is said of a later notebook, it is too old.
        self.record.add({"table": hashlib.sha256(table.encode()).hexdigest(), "said": said})
        tables.replace(self.table, table)


def _names(submissions: Sequence[Submission], left_out: list[str], roster: Names) -> Names:
    """Return the names of students: as shown, and where that is clear, as files and the list of students have them."""
    names, shown = Names(), [each.student for each in submissions] + left_out
    others = [(each.label.source, each.student) for each in submissions] + roster.pairs()
    for name, student in [*zip(shown, shown), *(pair for pair in others if pair[1] in shown)]:
        if names.find(name) is None:
            names.add(student, name)
    return names


def _listed_times(roster: Names) -> dict[str, float]:
    """Return {student: when something was handed in, in seconds since 1970}, as the list says, if it is Moodle's."""
    listed = {student: row.get(MODIFIED, "") for student, row in roster.rows if student}
    times = {student: text for student, text in listed.items() if text not in ("", "-")}
    return {student: tables.time(f"{roster.path}, {student}", text) for student, text in times.items()}
