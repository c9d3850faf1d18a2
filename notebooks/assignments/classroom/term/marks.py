"""What a teacher decides: three tables in the folder of an assignment, to edit in any sheet.

words.csv holds the points for answers in words, overrides.csv what is changed by hand, deadlines.csv until when.
"""

import hashlib
from collections.abc import Hashable, Iterable, Mapping
from pathlib import Path

from classroom.assignment import Assignment
from classroom.csv_tables import format_table, read_number, read_table, read_time, replace_file
from classroom.grader.records import Grade
from classroom.names import Names
from classroom.texts import shorten_list

FILES = {
    "words.csv": ("student", "question", "points", "of", "remark", "answer", "begins"),
    "overrides.csv": ("student", "what", "points", "reason"),
    "deadlines.csv": ("student", "deadline", "percent off a day", "handed in"),
}
WORDS, OVERRIDES, DEADLINES = FILES
SHOWN = 1_000  # characters of an answer in words.csv
EVERYBODY, TOTAL = "everybody", "total"


class Marks:
    """The teacher's tables in a folder; one that is not there is written, empty. Several rows for one student add up.

    max_points: {check, question or "total": the points that there are}
    points, remarks: {(student, question, version of the answer): points, or words}
    overrides: {(student, check, question or "total"): [points, reason]}
    deadlines, percents, times: {student or "everybody": seconds since 1970, percent a day, seconds since 1970}

    Raises ValueError, with file and line of each cell that means nothing, or that is filled in two rows.
    """

    def __init__(self, assignment: Assignment, folder: Path, names: Names):
        self.assignment, self.folder, self.names = assignment, folder, names
        self.max_points = {check.name: check.points for check in assignment.checks}
        self.max_points |= {name: question.points for name, question in assignment.by_hand.items()}
        self.max_points[TOTAL] = assignment.max_total
        self.locations = {}
        self.points, self.remarks, self.overrides, self.deadlines, self.percents, self.times = ({} for _ in range(6))
        readers = {WORDS: self._read_words, OVERRIDES: self._read_override, DEADLINES: self._read_deadline}
        problems = []
        for name, titles in FILES.items():
            if not (self.folder / name).exists():
                everybody = [[EVERYBODY, "", "", ""]] if name == DEADLINES else []
                replace_file(self.folder / name, format_table([titles, *everybody]))
            for location, row in read_table(self.folder / name).records(*titles[:6]):
                try:
                    everybody = name == DEADLINES and row["student"].casefold() == EVERYBODY
                    student = EVERYBODY if everybody else names.expect_student(row["student"], location)
                    readers[name](location, row, student)
                except ValueError as error:
                    problems.append(str(error))
        if problems:
            raise ValueError("\n".join(shorten_list(problems)))

    def add_answers(self, grades: Mapping[str, Grade]) -> None:
        """Add a row to words.csv for each answer without one: a mark belongs to the answer that it was given for."""
        table, rows = read_table(self.folder / WORDS), []
        marked = {(self.names.find(row["student"]), row["question"], row["answer"]) for _, row in table.records()}
        for name, question in self.assignment.by_hand.items():
            for student, grade in grades.items():
                answer = grade.answers.get(name, "")
                if answer and (student, name, digest_of(answer)) not in marked:
                    begins = " ".join(answer.split())[:SHOWN]
                    filled = (student, name, "", f"{question.points:g}", "", digest_of(answer), begins)
                    row = dict(zip(FILES[WORDS], filled))
                    rows.append([row.get(title, "") for title in table.columns()])
        if rows:  # else a sheet that is open in front of the teacher stays as it is
            replace_file(table.path, format_table([*(row for _, row in table.rows), *rows], table.separator))

    def _read_words(self, location: str, row: dict[str, str], student: str) -> None:
        question = row["question"]
        self._expect(location, question, self.assignment.by_hand)
        answer = student, question, row["answer"]
        if row["points"]:
            points, most = read_number(location, row["points"]), self.max_points[question]
            if points > most:
                raise ValueError(f"{location}: {points:g} points are more than the {most:g} that there are")
            self._set(self.points, answer, points, location, f"'points' of {student}")
        if row["remark"]:
            self._set(self.remarks, answer, row["remark"], location, f"'remark' of {student}")

    def _read_override(self, location: str, row: dict[str, str], student: str) -> None:
        target = row["what"]
        self._expect(location, target, self.max_points)
        if not row["reason"]:
            raise ValueError(f"{location}: write a reason; the student reads it")
        override = [read_number(location, row["points"]), row["reason"]]
        self._set(self.overrides, (student, target), override, location, f"{target!r} of {student}")

    def _read_deadline(self, location: str, row: dict[str, str], student: str) -> None:
        readers = (self.deadlines, read_time), (self.percents, read_number), (self.times, read_time)
        for title, (table, read) in zip(FILES[DEADLINES][1:], readers):
            if row[title]:
                self._set(table, student, read(location, row[title]), location, f"{title!r} of {student}")

    def _expect(self, location: str, name: str, known: Iterable[str]) -> None:
        if name not in known:
            raise ValueError(f"{location}: there is nothing called {name!r}; there are {', '.join(known)}")

    def _set(self, table: dict, key: Hashable, value: float | str | list, location: str, cell: str) -> None:
        """Put in what stands at a place; `cell` names that. Raises ValueError where it was put in already."""
        first_location = self.locations.setdefault((cell, key), location)
        if first_location != location:
            raise ValueError(f"{location} sets {cell} again, after {first_location}: keep one")
        table[key] = value


def digest_of(answer: str) -> str:
    """Return a short name for a text: equal texts have equal names, and others have others."""
    return "v" + hashlib.sha256(answer.encode()).hexdigest()[:8]
