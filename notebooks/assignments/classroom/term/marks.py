"""What a teacher decides: three tables in the folder of an assignment, to edit in any sheet.

words.csv holds the points for answers in words, overrides.csv what is changed by hand, deadlines.csv until when.
"""

import hashlib
from pathlib import Path

from classroom import tables
from classroom.names import alike
from classroom.term import cells

FILES = {
    "words.csv": ("student", "question", "points", "of", "remark", "answer"),
    "overrides.csv": ("student", "what", "points", "reason"),
    "deadlines.csv": ("student", "deadline", "percent off a day", "handed in"),
}
WORDS, OVERRIDES, DEADLINES = FILES
GIVEN = {"student", "question", "of", "answer"}  # what the teacher does not type
EVERYBODY, TOTAL = "everybody", "total"


class Marks:
    """The teacher's tables in a folder; one that is not there is written, empty. Several rows for one student add up.

    points, remarks: {(student, question, version of the answer): points, or words}
    overrides: {(student, check, question or "total"): (points, reason)}
    deadlines, percents, hours: {student or "everybody": seconds since 1970, percent a day, seconds since 1970}
    passed_over: the places of rows of students who were forgotten, in which something was typed

    Raises ValueError, with the file and the line, for a cell that means nothing, or that is filled in two rows.
    """

    def __init__(self, assignment, folder, names, forgotten=()):
        self.assignment, self.folder, self.names = assignment, Path(folder), names
        self.forgotten, self.passed_over = set(map(alike, forgotten)), []
        self.points, self.remarks, self.overrides = cells.Once(), cells.Once(), cells.Once()
        self.deadlines, self.percents, self.hours = cells.Once(), cells.Once(), cells.Once()
        self._write_missing()
        self._read_words()
        self._read_overrides()
        self._read_deadlines()

    def for_whom(self, table, student):
        """Return what a table of deadlines says of a student, else of everybody, else 0."""
        return table.get(student, table.get(EVERYBODY, 0))

    def add_answers(self, results):
        """Add a row to words.csv for each answer that has none yet: one question after the other.

        results: {student: Result}. Rows that are there stay as they are: a mark belongs to the answer that it was
        given for, and a new answer waits for a mark of its own.
        """
        table, new = tables.read(self.folder / WORDS), []
        known = {(self.names.find(row["student"]), row["question"], row["answer"]) for _, row in table.records()}
        for name, question in self.assignment.by_hand.items():
            for student, result in results.items():
                answer = result.grade.answers.get(name, "")
                if answer and (student, name, version(answer)) not in known:
                    filled = (student, name, "", f"{question.points:g}", "", version(answer))
                    row = dict(zip(FILES[WORDS], filled))
                    new.append([row.get(title, "") for title in table.columns()])
        if new:
            rows = [row for _, row in table.rows] + new
            text = "".join(tables.line(row, table.separator) for row in rows)
            tables.replace(table.path, "\ufeff" + text)

    def _write_missing(self):
        for name, titles in FILES.items():
            if not (self.folder / name).exists():
                everybody = tables.line([EVERYBODY, "", "", ""]) if name == DEADLINES else ""
                tables.replace(self.folder / name, "\ufeff" + tables.line(titles) + everybody)

    def _read_words(self):
        for place, row, student in self._rows(WORDS):
            question = row["question"]
            cells.expect(place, question, self.assignment.by_hand)
            answer = student, question, row["answer"]
            if row["points"]:
                points = cells.number(place, row["points"], self.assignment.by_hand[question].points)
                self.points.fill(answer, points, place, f"'points' of {student}")
            if row["remark"]:
                self.remarks.fill(answer, row["remark"], place, f"'remark' of {student}")

    def _read_overrides(self):
        known = [*(check.name for check in self.assignment.checks), *self.assignment.by_hand, TOTAL]
        for place, row, student in self._rows(OVERRIDES):
            what = row["what"]
            cells.expect(place, what, known)
            if not row["reason"]:
                raise ValueError(f"{place}: write a reason; the student reads it")
            given = cells.number(place, row["points"]), row["reason"]
            self.overrides.fill((student, what), given, place, f"{what!r} of {student}")

    def _read_deadlines(self):
        titles = FILES[DEADLINES][1:]
        readers = (cells.time, cells.number, cells.time)
        for place, row, whom in self._rows(DEADLINES):
            for title, read, found in zip(titles, readers, (self.deadlines, self.percents, self.hours)):
                if row[title]:
                    found.fill(whom, read(place, row[title]), place, f"{title!r} of {whom}")

    def _rows(self, name):
        """Yield (place, {title: cell}, whom it means) for each row of a table, except those of forgotten students."""
        for place, row in tables.read(self.folder / name).records(*FILES[name]):
            if name == DEADLINES and row["student"].casefold() == EVERYBODY:
                yield place, row, EVERYBODY
            elif self.names.find(row["student"]) is not None or alike(row["student"]) not in self.forgotten:
                yield place, row, self.names.meant(row["student"], place)
            elif any(row[title] for title in row.keys() - GIVEN):
                self.passed_over.append(place)


def version(answer):
    """Return a short name for a text: equal texts have equal names, and others have others."""
    return "v" + hashlib.sha256(answer.encode()).hexdigest()[:8]
