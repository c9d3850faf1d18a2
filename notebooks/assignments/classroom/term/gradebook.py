"""The folder of an assignment through the term: grades are on the disk as they come (`grade_log.py`); at the end of a
run, table and pages (`pages.py`) are drawn again from them and from the teacher's own tables (`marks.py`)."""

import hashlib
from pathlib import Path

from classroom import csv_tables
from classroom.assignment import Assignment
from classroom.grader.collecting import NOTHING, name_as_listed
from classroom.grader.records import Grade, Submission
from classroom.names import Names
from classroom.term.grade_log import GradeLog
from classroom.term.marks import TOTAL, Marks
from classroom.term.pages import write_pages
from classroom.term.result import Result, make_result

MODIFIED = "last modified (submission)"  # when it was handed in, in Moodle's grading worksheet; "-" for nothing


class Gradebook:
    """The grades of a class: `add` each as it comes, then `write` table and pages. Raises ValueError if the folder has
    something else, if its table was changed since, or if the teacher's tables or the list cannot be read; or OSError.

    submissions: those collected in this round, those of earlier rounds, and the missing
    vanished_names: of earlier rounds, who was left out, as a file was renamed
    results: by student, of the last `write`; new_count: how many were added, of what could be graded
    """

    def __init__(self, assignment: Assignment, collected: list[Submission], roster: Names | None, folder: Path):
        self.assignment, self.folder, self.roster = assignment, folder, roster or Names()
        self.table, self.record = folder / "grades.csv", GradeLog(assignment, folder)
        self._expect_own_table()
        earlier, self.vanished_names = self._find_earlier(collected)
        self.submissions = name_as_listed([*collected, *earlier], self.roster)
        self.names = _make_names(self.submissions, self.vanished_names, self.roster)
        self.listed_times = _read_listed_times(self.roster)
        self.marks = Marks(assignment, folder, self.names)
        self.results: dict[str, Result] = {}
        self.new_count = 0

    def _expect_own_table(self) -> None:
        if self.table.exists() and hashlib.sha256(self.table.read_bytes()).hexdigest() not in self.record.table_digests:
            raise ValueError(
                f"{self.table} was not written here, or changed since, and would be written over: move it away, and "
                "put what you typed into words.csv and overrides.csv"
            )

    def _find_earlier(self, collected: list[Submission]) -> tuple[list[Submission], list[str]]:
        """Return the submissions of earlier rounds, and the names of those that the list lacks or has for others."""
        new, find = {submission.source for submission in collected}, self.roster.find_label
        earlier = [Submission(source, label) for source, label in self.record.labels.items() if source not in new]
        present = {None, *(find(submission.label) for submission in collected)} if self.roster.students else ()
        vanished = [submission.student for submission in earlier if find(submission.label) in present]
        return [submission for submission in earlier if submission.student not in vanished], vanished

    def begin(self) -> list[int]:
        """Return the numbers of the submissions to look into: all that hold something."""
        for submission in self.submissions:
            if submission.source not in self.record.outdated:
                submission.before = self.record.grades.get(submission.source)
        return [number for number, submission in enumerate(self.submissions) if submission.paths]

    def add(self, number: int, grade: Grade | None) -> None:
        """Take the grade of the submission with this number, None for one that is as it was graded before."""
        label = self.submissions[number].label
        self.new_count += grade is not None and not grade.trouble
        if grade or label != self.record.labels[label.source]:  # the same work in a newer file gets its feedback there
            self.record.add_grade(label, grade or self.record.grades[label.source])

    def write(self) -> None:
        """Put the results together, and write table and pages: of all whose turn has come."""
        nothing: dict[str, tuple[float, str]] = {check.name: (0, NOTHING) for check in self.assignment.checks}
        self.results, new_statements = {}, {}
        for submission in self.submissions:
            grade = self.record.grades.get(submission.source)
            if grade or submission.trouble:
                statements = self._add_result(submission, grade or Grade("", nothing, trouble=NOTHING, missing=True))
                new_statements |= {submission.source: statements} if statements else {}
        self.marks.add_answers({student: result.grade for student, result in self.results.items()})
        table = write_pages(self.folder, self.assignment, self.results, self.roster)
        # Where the same is said of a later notebook, it is too old.
        self.record.add({"table": hashlib.sha256(table.encode()).hexdigest(), "said": new_statements})
        csv_tables.replace_file(self.table, table)

    def _add_result(self, submission: Submission, grade: Grade) -> list:
        """Put together one result, and return what the list and the teacher say, now or of an earlier notebook."""
        student, old_statements = submission.student, self.record.old_statements[submission.source]
        grade.student, time = student, self.listed_times.get(student, 0)
        result = make_result(self.marks, grade, time, old_statements, submission.label.platform)
        result.doubts, result.entry = submission.doubts + result.doubts, submission.label.entry
        self.results[student] = result
        statements = time, self.marks.overrides.get((student, TOTAL))
        return [statement for statement in statements if statement]


def _make_names(submissions: list[Submission], vanished_names: list[str], roster: Names) -> Names:
    """Return the names of students: as shown, and where that is clear, as files and the list of students have them."""
    names, students = Names(), [submission.student for submission in submissions] + vanished_names
    pairs = [(student, student) for student in students]
    pairs += [(submission.source, submission.student) for submission in submissions]
    pairs += [(name, student) for name, student in roster.pairs() if student in students]
    for name, student in pairs:
        if names.find(name) is None:
            names.add(student, name)
    return names


def _read_listed_times(roster: Names) -> dict[str, float]:
    """Return {student: when something was handed in, in seconds since 1970}, as the list says, if it is Moodle's."""
    texts = {student: row.get(MODIFIED, "") for student, row in roster.rows if student}
    times = {student: text for student, text in texts.items() if text not in ("", "-")}
    return {student: csv_tables.read_time(f"{roster.path}, {student}", text) for student, text in times.items()}
