"""What comes of a student's grade, of the teacher's marks and of the hour."""

import math
from dataclasses import dataclass, field
from datetime import datetime

from classroom.term.cells import DAY, END
from classroom.term.marks import TOTAL, version

SAID, NO_HOUR = "late, as the platform says", "no hour is known"
ODD, OLD = "its hour cannot be right", "the list has the hour of an earlier notebook (give a newer one by --students)"


@dataclass(frozen=True)
class Late:
    """How late something is, in words, and what that costs. waits: nothing says how late, so there is no total yet."""

    words: str = ""
    percent: float = 0
    waits: bool = False


@dataclass
class Result:
    """All that is known of one student. points: {check: points}, words: {question: points, None while unmarked};
    remarks: on marks, for the student; handed_in: the hour in words, or ""; late: "" or how late and what it costs;
    total: None while something is open."""

    grade: object
    points: dict
    words: dict
    remarks: list = field(default_factory=list)
    handed_in: str = ""
    late: str = ""
    total: float | None = None


def result(marks, grade, listed=0, doubt=""):
    """Put together what is known of a student, from the teacher's marks and a grade.

    listed: when it was handed in, as the list of students says, 0 if it does not; doubt: what is wrong with that.
    """
    found = _marked(marks, grade)
    handed_in = marks.hours.get(grade.student) or grade.handed_in or listed
    if not 0 <= handed_in < END:  # as a student's file has it
        handed_in, doubt = 0, ODD
    deadline, percent = (marks.for_whom(each, grade.student) for each in (marks.deadlines, marks.percents))
    late = _how_late(grade, handed_in, deadline, percent, doubt or SAID * grade.late)
    found.handed_in, found.late = when(handed_in) if handed_in else "", late.words
    known = [*found.points.values(), *found.words.values()]
    if found.total is None and grade.digest and None not in known and not late.waits:
        found.total = round(sum(known) * (1 - late.percent / 100), 2)
    return found


def when(seconds):
    """Write a time as teachers read it, in the time zone of this computer."""
    return datetime.fromtimestamp(seconds).strftime("%Y-%m-%d %H:%M")


def _marked(marks, grade):
    """Return the points of a grade, 0 for no answer, None for one without a mark, and what the teacher set by hand."""
    found = Result(grade, {name: points for name, (points, _) in grade.verdicts.items()}, {})
    for name in marks.assignment.by_hand:
        answer = grade.answers.get(name, "")
        key = grade.student, name, version(answer)
        found.words[name] = marks.points.get(key) if answer else 0
        found.remarks += [f"{name}: {marks.remarks[key]}"] if key in marks.remarks else []
    for what in (*found.points, *found.words, TOTAL):
        if (grade.student, what) in marks.overrides:
            given, reason = marks.overrides[grade.student, what]
            if what == TOTAL:
                found.total = given
            else:
                (found.points if what in found.points else found.words)[what] = given
            found.remarks.append(f"{what} was set to {given:g} by your teacher: {reason}")
    return found


def _how_late(grade, handed_in, deadline, percent, doubt):
    """Say how late something is. percent: off the total for each day begun; doubt: why the hour may be wrong, or ""."""
    if doubt and not handed_in:
        waits = bool(deadline and percent)
        return Late(f"{doubt}{': write into deadlines.csv when it was handed in' * waits}", waits=waits)
    if not deadline or not grade.digest and not handed_in:
        return Late()
    if not handed_in:
        return Late(NO_HOUR)
    minutes = handed_in // 60 - deadline // 60  # the minute that is named counts whole
    if minutes <= 0:
        return Late()
    days = math.ceil(minutes * 60 / DAY)
    off = min(100, days * percent)
    begun = "1 day" if days == 1 else f"{days} days"
    return Late(f"{begun} after {when(deadline)}: {off:g}% off ({percent:g}% for each day begun)", off)
