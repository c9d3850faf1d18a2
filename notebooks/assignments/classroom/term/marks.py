"""What a teacher decides: three tables in the folder of an assignment, to edit in any sheet, and what follows of them.

words.csv holds the points for answers in words, overrides.csv what is changed by hand, deadlines.csv until when.
"""

import hashlib
import math
from dataclasses import dataclass, field
from datetime import datetime
from pathlib import Path

from classroom import tables

FILES = {
    "words.csv": ("student", "question", "points", "of", "remark", "answer"),
    "overrides.csv": ("student", "what", "points", "reason"),
    "deadlines.csv": ("student", "deadline", "percent off a day", "handed in"),
}
EVERYBODY, TOTAL = "everybody", "total"
DAY = 86_400  # seconds
SAID = "late, as the platform says"


@dataclass
class Result:
    """All that is known of one student. points: {check: points}, words: {question: points, None while unmarked},
    late: "" or how late and what it costs; remarks: for the student, on marks; total: None while something is open."""

    grade: object
    handed_in: str
    points: dict
    words: dict
    late: str = ""
    remarks: list = field(default_factory=list)
    total: float | None = None


class Marks:
    """The teacher's tables in a folder, which are written there, empty, if they are not there yet.

    Raises ValueError, with the file and the line, for a cell that means nothing.
    """

    def __init__(self, assignment, folder, names):
        self.assignment, self.folder, self.names = assignment, Path(folder), names
        for name, titles in FILES.items():
            if not (self.folder / name).exists():
                everybody = tables.line([EVERYBODY, "", "", ""]) if name == "deadlines.csv" else ""
                tables.replace(self.folder / name, "\ufeff" + tables.line(titles) + everybody)
        self.most = {check.name: check.points for check in assignment.checks}
        self.most |= {name: question.points for name, question in assignment.by_hand.items()}
        self.words = dict(self._words())
        self.overrides = dict(self._overrides())
        self.deadlines = dict(self._deadlines())

    def result(self, student, grade):
        """Put together a student's grade and marks."""
        points = {name: points for name, (points, _) in grade.verdicts.items()}
        words, remarks = {}, []
        for name in self.assignment.by_hand:
            answer = grade.answers.get(name, "")
            words[name], remark = self.words.get((student, name, version(answer)), (None, "")) if answer else (0, "")
            remarks += [f"{name}: {remark}"] if remark else []
        handed_in = self._handed_in(student, grade)
        result = Result(grade, when(handed_in) if handed_in else "", points, words, remarks=remarks)
        total = None
        for what in (*points, *words, TOTAL):
            if (student, what) not in self.overrides:
                continue
            given, reason = self.overrides[student, what]
            if what == TOTAL:
                total = given
            else:
                (points if what in points else words)[what] = given
            remarks.append(f"{what} was set to {given:g} by your teacher: {reason}")
        percent, result.late = self._late(student, grade, handed_in)
        known = [*points.values(), *words.values()]
        if total is not None:
            result.total = total
        elif grade.digest and None not in (*known, percent):
            result.total = round(sum(known) * (1 - percent / 100), 2)
        return result

    def add_answers(self, results):
        """Add a row to words.csv for each answer that has none yet: one question after the other.

        results: {student: Result}. Rows that are there stay as they are: a mark belongs to the answer that it was
        given for, and a new answer is to be marked anew.
        """
        table, new = tables.read(self.folder / "words.csv"), []
        for name, question in self.assignment.by_hand.items():
            for student, result in results.items():
                answer = result.grade.answers.get(name, "")
                if answer and (student, name, version(answer)) not in self.words:
                    cells = (student, name, "", f"{question.points:g}", "", version(answer))
                    row = dict(zip(FILES["words.csv"], cells))
                    new.append([row.get(title, "") for title in table.columns()])
        if new:
            rows = [cells for _, cells in table.rows] + new
            text = "".join(tables.line(cells, table.separator) for cells in rows)
            tables.replace(table.path, "\ufeff" + text)

    def _handed_in(self, student, grade):
        return self.deadlines.get(student, (None, None, 0))[2] or grade.handed_in

    def _late(self, student, grade, handed_in):
        """Return (percent off, how late it is in words); None percent if nothing says how late."""
        deadline, percent, _ = self.deadlines.get(EVERYBODY, (None, None, 0))
        own, own_percent, _ = self.deadlines.get(student, (None, None, 0))
        deadline, percent = own or deadline, (percent if own_percent is None else own_percent) or 0
        if grade.late and not handed_in and deadline and percent:
            return None, f"{SAID}: write into deadlines.csv when it was handed in"
        if grade.late and not handed_in:
            return 0, SAID
        if not deadline or handed_in <= deadline:
            return 0, ""
        days = math.ceil((handed_in - deadline) / DAY)
        off = min(100, days * percent)
        begun = "1 day" if days == 1 else f"{days} days"
        return off, f"{begun} after {when(deadline)}: {off:g}% off ({percent:g}% for each day begun)"

    def _words(self):
        for place, row in self._rows("words.csv"):
            student, what = self._student(place, row), row["question"]
            _expect(place, what, self.assignment.by_hand)
            points = self._points(place, row, self.most[what]) if row["points"] else None
            yield (student, what, row["answer"]), (points, row["remark"])

    def _overrides(self):
        for place, row in self._rows("overrides.csv"):
            _expect(place, row["what"], [*self.most, TOTAL])
            if not row["reason"]:
                raise ValueError(f"{place}: write a reason; the student reads it")
            yield (self._student(place, row), row["what"]), (self._points(place, row, math.inf), row["reason"])

    def _deadlines(self):
        for place, row in self._rows("deadlines.csv"):
            whom = EVERYBODY if row["student"].casefold() == EVERYBODY else self._student(place, row)
            percent = self._number(place, row["percent off a day"]) if row["percent off a day"] else None
            yield whom, (self._time(place, row["deadline"]), percent, self._time(place, row["handed in"]))

    def _rows(self, name):
        return tables.read(self.folder / name).records(*FILES[name])

    def _student(self, place, row):
        student = self.names.find(row["student"])
        if student is None:
            raise ValueError(f"{place}: {row['student']!r} is none of the students, or more than one")
        return student

    def _points(self, place, row, most):
        points = self._number(place, row["points"])
        if points > most:
            raise ValueError(f"{place}: {points:g} points are more than the {most:g} that there are")
        return points

    def _number(self, place, text):
        """Read a number of points or percent; some sheets write a comma in it."""
        try:
            number = float(text.replace(",", "."))
        except ValueError:
            number = -1
        if not 0 <= number < math.inf:
            raise ValueError(f"{place}: {text!r} is no number of points or percent, 0 or more")
        return number

    def _time(self, place, text):
        """Return the seconds since 1970 of a time, a day's end for a day; 0 for nothing."""
        try:
            time = datetime.fromisoformat(text) if text else None
        except ValueError as error:
            raise ValueError(
                f"{place}: write {text!r} like 2027-03-01 23:59; a ' before it lets a sheet keep it so"
            ) from error
        return time.timestamp() + (DAY - 1 if len(text) == len("2027-03-01") else 0) if time else 0


def _expect(place, name, known):
    if name not in known:
        raise ValueError(f"{place}: there is nothing called {name!r}; there are {', '.join(known)}")


def version(answer):
    """Return a short name for a text: another one for another text."""
    return "v" + hashlib.sha256(answer.encode()).hexdigest()[:8]


def when(seconds):
    """Write a time as teachers read it, in the time zone of this computer."""
    return datetime.fromtimestamp(seconds).strftime("%Y-%m-%d %H:%M")
