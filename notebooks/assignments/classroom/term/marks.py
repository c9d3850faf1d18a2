"""What a teacher decides: three tables in the folder of an assignment, to edit in any sheet, and what follows of them.

words.csv holds the points for answers in words, overrides.csv what is changed by hand, deadlines.csv until when.
"""

import hashlib
import math
from dataclasses import dataclass, field
from datetime import datetime
from pathlib import Path

from classroom import tables
from classroom.names import alike
from classroom.term import cells
from classroom.term.cells import DAY

FILES = {
    "words.csv": ("student", "question", "points", "of", "remark", "answer"),
    "overrides.csv": ("student", "what", "points", "reason"),
    "deadlines.csv": ("student", "deadline", "percent off a day", "handed in"),
}
GIVEN = {"student", "question", "of", "answer"}  # what is not typed by the teacher, in words.csv
EVERYBODY, TOTAL = "everybody", "total"
SAID, NO_HOUR = "late, as the platform says", "no hour is known"
ODD, OLD = "its hour cannot be right", "the list has the hour of an earlier notebook (give a newer one by --students)"


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

    forgotten: names whose rows count no more; passed_over: the places of those in which something was typed.
    Several rows for one student add up. Raises ValueError, with the file and the line, for a cell that means nothing,
    or that is filled in two rows.
    """

    def __init__(self, assignment, folder, names, forgotten=()):
        self.assignment, self.folder, self.names = assignment, Path(folder), names
        self.forgotten, self.passed_over = set(map(alike, forgotten)), []
        for name, titles in FILES.items():
            if not (self.folder / name).exists():
                everybody = tables.line([EVERYBODY, "", "", ""]) if name == "deadlines.csv" else ""
                tables.replace(self.folder / name, "\ufeff" + tables.line(titles) + everybody)
        self.most = {check.name: check.points for check in assignment.checks}
        self.most |= {name: question.points for name, question in assignment.by_hand.items()}
        self.words = cells.once(self._words())
        self.overrides = cells.once(self._overrides())
        self.deadlines = cells.once(self._deadlines())

    def result(self, student, grade, listed=0, doubt=""):
        """Put together a student's grade and marks. listed: when it was handed in, as the list of students says, 0 if
        it does not; doubt: what is wrong with that."""
        points = {name: points for name, (points, _) in grade.verdicts.items()}
        words, remarks = {}, []
        for name in self.assignment.by_hand:
            answer = grade.answers.get(name, "")
            row = (student, name, version(answer))
            words[name] = self.words.get((*row, "points")) if answer else 0
            remarks += [f"{name}: {self.words[*row, 'remark']}"] if (*row, "remark") in self.words else []
        handed_in = self.deadlines.get((student, "handed in")) or grade.handed_in or listed
        if not 0 <= handed_in < cells.END:  # as a student's file has it
            handed_in, doubt = 0, ODD
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
        percent, result.late = self._late(student, grade, handed_in, doubt or SAID * grade.late)
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
        known = {(self.names.find(row["student"]), row["question"], row["answer"]) for _, row in table.records()}
        for name, question in self.assignment.by_hand.items():
            for student, result in results.items():
                answer = result.grade.answers.get(name, "")
                if answer and (student, name, version(answer)) not in known:
                    filled = (student, name, "", f"{question.points:g}", "", version(answer))
                    row = dict(zip(FILES["words.csv"], filled))
                    new.append([row.get(title, "") for title in table.columns()])
        if new:
            rows = [row for _, row in table.rows] + new
            text = "".join(tables.line(row, table.separator) for row in rows)
            tables.replace(table.path, "\ufeff" + text)

    def _late(self, student, grade, handed_in, doubt):
        """Return (percent off, how late it is in words); None percent if nothing says how late."""
        deadline, percent = (
            self.deadlines.get((student, cell), self.deadlines.get((EVERYBODY, cell), 0))
            for cell in ("deadline", "percent off a day")
        )
        if doubt and not handed_in:
            waits = deadline and percent
            return (None, f"{doubt}: write into deadlines.csv when it was handed in") if waits else (0, doubt)
        if deadline and grade.digest and not handed_in:
            return 0, NO_HOUR
        minutes = handed_in // 60 - deadline // 60  # the minute that is named counts whole
        if not deadline or minutes <= 0:
            return 0, ""
        days = math.ceil(minutes * 60 / DAY)
        off = min(100, days * percent)
        begun = "1 day" if days == 1 else f"{days} days"
        return off, f"{begun} after {when(deadline)}: {off:g}% off ({percent:g}% for each day begun)"

    def _words(self):
        for place, row, student in self._rows("words.csv"):
            what = row["question"]
            cells.expect(place, what, self.assignment.by_hand)
            if row["points"]:
                yield place, (student, what, row["answer"], "points"), self._points(place, row, self.most[what])
            if row["remark"]:
                yield place, (student, what, row["answer"], "remark"), row["remark"]

    def _overrides(self):
        for place, row, student in self._rows("overrides.csv"):
            cells.expect(place, row["what"], [*self.most, TOTAL])
            if not row["reason"]:
                raise ValueError(f"{place}: write a reason; the student reads it")
            yield place, (student, row["what"]), (self._points(place, row, math.inf), row["reason"])

    def _deadlines(self):
        for place, row, whom in self._rows("deadlines.csv"):
            for cell in filter(row.get, FILES["deadlines.csv"][1:]):
                read = cells.number if cell == "percent off a day" else cells.time
                yield place, (whom, cell), read(place, row[cell])

    def _rows(self, name):
        """Yield (place, {title: cell}, whom it means) of a table; rows of who was forgotten are passed over."""
        for place, row in tables.read(self.folder / name).records(*FILES[name]):
            if name == "deadlines.csv" and row["student"].casefold() == EVERYBODY:
                yield place, row, EVERYBODY
            elif self.names.find(row["student"]) is not None or alike(row["student"]) not in self.forgotten:
                yield place, row, self.names.meant(row["student"], place)
            elif any(row[title] for title in row.keys() - GIVEN):
                self.passed_over.append(place)

    def _points(self, place, row, most):
        points = cells.number(place, row["points"])
        if points > most:
            raise ValueError(f"{place}: {points:g} points are more than the {most:g} that there are")
        return points


def version(answer):
    """Return a short name for a text: another one for another text."""
    return "v" + hashlib.sha256(answer.encode()).hexdigest()[:8]


def when(seconds):
    """Write a time as teachers read it, in the time zone of this computer."""
    return datetime.fromtimestamp(seconds).strftime("%Y-%m-%d %H:%M")
