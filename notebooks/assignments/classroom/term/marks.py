"""What a teacher decides: three tables in the folder of an assignment, to edit in any sheet.

words.csv holds the points for answers in words, overrides.csv what is changed by hand, deadlines.csv until when.
"""

import hashlib
from collections.abc import Hashable, Iterable, Mapping
from pathlib import Path

from classroom import tables
from classroom.grader.records import Grade
from classroom.hand_out import Assignment
from classroom.names import Names

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

    most: {check, question or "total": the points that there are}
    points, remarks: {(student, question, version of the answer): points, or words}
    overrides: {(student, check, question or "total"): [points, reason]}
    deadlines, percents, times: {student or "everybody": seconds since 1970, percent a day, seconds since 1970}

    Raises ValueError, with file and line of each cell that means nothing, or that is filled in two rows.
    """

    def __init__(self, assignment: Assignment, folder: Path, names: Names):
        self.assignment, self.folder, self.names = assignment, folder, names
        self.most = {check.name: check.points for check in assignment.checks}
        self.most |= {name: question.points for name, question in assignment.by_hand.items()}
        self.most[TOTAL] = assignment.most + assignment.most_by_hand
        self.places = {}
        self.points, self.remarks, self.overrides, self.deadlines, self.percents, self.times = ({} for _ in range(6))
        for name, titles in FILES.items():
            if not (self.folder / name).exists():
                everybody = tables.line([EVERYBODY, "", "", ""]) if name == DEADLINES else ""
                tables.replace(self.folder / name, "\ufeff" + tables.line(titles) + everybody)
        wrong = []
        for name in FILES:
            for place, row in tables.read(self.folder / name).records(*FILES[name][:6]):
                try:
                    self._take(name, place, row)
                except ValueError as error:
                    wrong.append(str(error))
        if wrong:
            raise ValueError("\n".join(tables.few(wrong)))

    def add_answers(self, grades: Mapping[str, Grade]) -> None:
        """Add a row to words.csv for each answer that has none yet, in {student: Grade}. Rows that are there stay: a
        mark belongs to the answer that it was given for."""
        table, new = tables.read(self.folder / WORDS), []
        known = {(self.names.find(row["student"]), row["question"], row["answer"]) for _, row in table.records()}
        for name, question in self.assignment.by_hand.items():
            for student, grade in grades.items():
                answer = grade.answers.get(name, "")
                if answer and (student, name, version(answer)) not in known:
                    begins = " ".join(answer.split())[:SHOWN]
                    filled = (student, name, "", f"{question.points:g}", "", version(answer), begins)
                    row = dict(zip(FILES[WORDS], filled))
                    new.append([row.get(title, "") for title in table.columns()])
        if new:
            rows = [row for _, row in table.rows] + new
            text = "".join(tables.line(row, table.separator) for row in rows)
            tables.replace(table.path, "\ufeff" + text)

    def _take(self, name: str, place: str, row: dict[str, str]) -> None:
        """Take what a row of a table says."""
        everybody = name == DEADLINES and row["student"].casefold() == EVERYBODY
        student = EVERYBODY if everybody else self.names.meant(row["student"], place)
        take = {WORDS: self._take_words, OVERRIDES: self._take_override, DEADLINES: self._take_deadline}[name]
        take(place, row, student)

    def _take_words(self, place: str, row: dict[str, str], student: str) -> None:
        question = row["question"]
        self._expect(place, question, self.assignment.by_hand)
        answer = student, question, row["answer"]
        if row["points"]:
            points, most = tables.number(place, row["points"]), self.most[question]
            if points > most:
                raise ValueError(f"{place}: {points:g} points are more than the {most:g} that there are")
            self._fill(self.points, answer, points, place, f"'points' of {student}")
        if row["remark"]:
            self._fill(self.remarks, answer, row["remark"], place, f"'remark' of {student}")

    def _take_override(self, place: str, row: dict[str, str], student: str) -> None:
        what = row["what"]
        self._expect(place, what, self.most)
        if not row["reason"]:
            raise ValueError(f"{place}: write a reason; the student reads it")
        given = [tables.number(place, row["points"]), row["reason"]]
        self._fill(self.overrides, (student, what), given, place, f"{what!r} of {student}")

    def _take_deadline(self, place: str, row: dict[str, str], student: str) -> None:
        readers = (self.deadlines, tables.time), (self.percents, tables.number), (self.times, tables.time)
        for title, (table, read) in zip(FILES[DEADLINES][1:], readers):
            if row[title]:
                self._fill(table, student, read(place, row[title]), place, f"{title!r} of {student}")

    def _expect(self, place: str, name: str, known: Iterable[str]) -> None:
        if name not in known:
            raise ValueError(f"{place}: there is nothing called {name!r}; there are {', '.join(known)}")

    def _fill(self, table: dict, key: Hashable, value: float | str | list, place: str, said: str) -> None:
        """Put in what stands at a place; `said` is what that is. Raises ValueError where it was put in already."""
        before = self.places.setdefault((said, key), place)
        if before != place:
            raise ValueError(f"{place} sets {said} again, after {before}: keep one")
        table[key] = value


def version(answer: str) -> str:
    """Return a short name for a text: equal texts have equal names, and others have others."""
    return "v" + hashlib.sha256(answer.encode()).hexdigest()[:8]
