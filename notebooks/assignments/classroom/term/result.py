"""What comes of a student's grade, of the teacher's marks and of the time."""

import math
from collections.abc import Container
from dataclasses import dataclass, field
from datetime import datetime

from classroom.grader.judge import OPEN
from classroom.grader.records import Grade
from classroom.tables import DAY, END
from classroom.term.marks import EVERYBODY, TOTAL, Marks, version

SAID, NO_TIME = "late, as the platform says", "no time is known"
WHEN = "{:%Y-%m-%d %H:%M}"  # as teachers read it, in the time zone of this computer
WRITE = ": write into deadlines.csv when it was handed in"
ODD, OLD = "its time cannot be right", "the list has the time of an earlier notebook (give a newer one by --students)"
OLD_TOTAL = "its total was set by hand for an earlier notebook: if it still holds, change its reason in overrides.csv"


@dataclass
class Result:
    """All that is known of one student. points, words: {check or question: points, None while open}; remarks: on marks,
    for the student; doubts: for the teacher; handed_in: the time in words, or ""; late: "" or how late and what it
    costs; total: None while something is open; entry: the name of the file or folder."""

    grade: Grade
    points: dict[str, float | None]
    words: dict[str, float | None] = field(default_factory=dict)
    remarks: list[str] = field(default_factory=list)
    doubts: list[str] = field(default_factory=list)
    handed_in: str = ""
    late: str = ""
    total: float | None = None
    entry: str = ""


def result(marks: Marks, grade: Grade, listed: float = 0, earlier: Container = (), platform: str = "") -> Result:
    """Put together what is known of a student, from the teacher's marks and a grade.

    listed: when it was handed in, as the list of students says, 0 if it does not; earlier: what the list and the
    teacher said of an earlier notebook: that time does not count, and that total is doubtful; platform: Canvas says of
    what is late that it is.
    """
    found = _marked(marks, grade)
    if marks.overrides.get((grade.student, TOTAL)) in earlier:
        found.doubts.append(OLD_TOTAL)
    if listed in earlier:
        listed, doubt = 0, OLD
    else:
        doubt = SAID if grade.late else "" if platform == "canvas" else NO_TIME
    handed_in = marks.times.get(grade.student) or grade.handed_in or listed
    if not 0 <= handed_in < END:  # as a student's file has it
        handed_in, doubt = 0, ODD
    found.handed_in = WHEN.format(datetime.fromtimestamp(handed_in)) if handed_in else ""
    found.late, percent = _late(marks, grade, handed_in, doubt)
    known = [*found.points.values(), *found.words.values(), percent]
    if found.total is None and not grade.trouble and None not in known:
        found.total = round(sum(known[:-1]) * (1 - percent / 100), 2)
    return found


def _marked(marks: Marks, grade: Grade) -> Result:
    """Return the points of a grade, 0 for no answer, None for one without a mark, and what the teacher set by hand."""
    points = {name: None if name in grade.open else points for name, (points, _) in grade.verdicts.items()}
    found = Result(grade, points)
    for name in marks.assignment.by_hand:
        answer = grade.answers.get(name, "")
        key = grade.student, name, version(answer)
        found.words[name] = marks.points.get(key) if answer else 0
        if key in marks.remarks:
            found.remarks.append(f"{name}: {marks.remarks[key]}")
    for what, most in marks.most.items():
        if (grade.student, what) in marks.overrides:
            given, reason = marks.overrides[grade.student, what]
            if what == TOTAL:
                found.total = given
            else:
                (found.points if what in found.points else found.words)[what] = given
            found.remarks.append(f"{what} was set to {given:g} by your teacher: {reason}")
            if given > most:
                found.doubts.append(f"{what} was set to {given:g}, more than the {most:g} that there are")
    if still := [name for name, points in found.points.items() if points is None]:
        found.doubts.append(f"{OPEN}: {', '.join(still)}: look at the code, and set the points in overrides.csv")
    return found


def _late(marks: Marks, grade: Grade, handed_in: float, doubt: str) -> tuple[str, float | None]:
    """Return how late something is, in words, and the percent that this costs, None where nobody can say. doubt: why
    the time may be wrong, or ""."""
    deadline, percent = (each.get(grade.student, each.get(EVERYBODY, 0)) for each in (marks.deadlines, marks.percents))
    if (not deadline and doubt in ("", NO_TIME)) or not (grade.digest or handed_in):
        return "", 0
    if not handed_in:
        if doubt and deadline and percent:
            return f"{doubt}{WRITE}", None
        return doubt, 0
    minutes = handed_in // 60 - deadline // 60  # the minute that is named counts in full
    if minutes <= 0:
        return "", 0
    days = math.ceil(minutes * 60 / DAY)
    off = min(100, days * percent)
    until, begun = WHEN.format(datetime.fromtimestamp(deadline)), "1 day" if days == 1 else f"{days} days"
    return f"{begun} after {until}: {off:g}% off ({percent:g}% for each day begun)", off
