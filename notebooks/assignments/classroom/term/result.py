"""What comes of a student's grade, of the teacher's marks and of the time."""

import math
from collections.abc import Container
from dataclasses import dataclass, field
from datetime import datetime

from classroom.csv_tables import LATEST_TIME
from classroom.grader.judge import OPEN
from classroom.grader.records import Grade
from classroom.term.marks import EVERYBODY, TOTAL, Marks, digest_of

LATE_NOTE, NO_TIME = "late, as the platform says", "no time is known"
TIME_FORMAT = "{:%Y-%m-%d %H:%M}"  # as teachers read it, in the time zone of this computer
WRITE_TIME = ": write into deadlines.csv when it was handed in"
OLD_TIME = "the list has the time of an earlier notebook (give a newer one by --students)"
OLD_TOTAL = "its total was set by hand for an earlier notebook: if it still holds, change its reason in overrides.csv"


@dataclass
class Result:
    """A student's grade with the teacher's marks and the lateness, and the total that comes of them."""

    grade: Grade
    points: dict[str, float | None]  # of each check, None while open
    words: dict[str, float | None] = field(default_factory=dict)  # of each question, None while open
    remarks: list[str] = field(default_factory=list)  # on marks, for the student
    doubts: list[str] = field(default_factory=list)  # for the teacher
    handed_in: str = ""  # the time in words
    lateness: str = ""  # how late, and what it costs, or what is doubtful about that
    is_late: bool = False
    percent_off: float | None = 0  # for that, None while nobody knows when it was handed in
    total: float | None = None  # None while something is open
    entry: str = ""  # the name of the file or folder


def make_result(marks: Marks, grade: Grade, time: float = 0, old_statements: Container = (), platform="") -> Result:
    """Put together what is known of a student, from the teacher's marks and a grade.

    time: when it was handed in, as the list of students says, 0 if it does not; old_statements: what the list and the
    teacher said of an earlier notebook: that time does not count, and that total is doubtful; platform: Canvas says of
    what is late that it is.
    """
    result = _apply_marks(marks, grade)
    if marks.overrides.get((grade.student, TOTAL)) in old_statements:
        result.doubts.append(OLD_TOTAL)
    doubt = LATE_NOTE if grade.late else "" if platform == "canvas" else NO_TIME
    if time in old_statements:
        time, doubt = 0, OLD_TIME
    handed_in = marks.times.get(grade.student) or grade.handed_in or time
    if not 0 <= handed_in < LATEST_TIME:  # as a student's file has it
        handed_in, doubt = 0, "its time cannot be right"
    result.handed_in = TIME_FORMAT.format(datetime.fromtimestamp(handed_in)) if handed_in else ""
    _add_lateness(result, marks, handed_in, doubt)
    parts = [*result.points.values(), *result.words.values()]
    if result.total is None and not grade.trouble and None not in (*parts, result.percent_off):
        result.total = round(sum(parts) * (1 - result.percent_off / 100), 2)
    return result


def _apply_marks(marks: Marks, grade: Grade) -> Result:
    """Return the points of a grade, 0 for no answer, None for one without a mark, and what the teacher set by hand."""
    points = {name: None if name in grade.open else points for name, (points, _) in grade.verdicts.items()}
    result = Result(grade, points)
    for name in marks.assignment.by_hand:
        answer = grade.answers.get(name, "")
        key = grade.student, name, digest_of(answer)
        result.words[name] = marks.points.get(key) if answer else 0
        if key in marks.remarks:
            result.remarks.append(f"{name}: {marks.remarks[key]}")
    for name, max_points in marks.max_points.items():
        if (grade.student, name) in marks.overrides:
            points_set, reason = marks.overrides[grade.student, name]
            if name == TOTAL:
                result.total = points_set
            else:
                (result.points if name in result.points else result.words)[name] = points_set
            result.remarks.append(f"{name} was set to {points_set:g} by your teacher: {reason}")
            if points_set > max_points:
                result.doubts.append(f"{name} was set to {points_set:g}, more than the {max_points:g} that there are")
    if open_checks := [name for name, points in result.points.items() if points is None]:
        result.doubts.append(f"{OPEN}: {', '.join(open_checks)}: look at the code, and set the points in overrides.csv")
    return result


def _add_lateness(result: Result, marks: Marks, handed_in: float, doubt: str) -> None:
    """Say how late it is, as far as that is known. doubt: why the time may be wrong."""
    rules = marks.deadlines, marks.percents
    deadline, percent = (rule.get(result.grade.student, rule.get(EVERYBODY, 0)) for rule in rules)
    if not (result.grade.digest or handed_in) or (doubt == NO_TIME and not deadline):
        return
    if not (deadline and handed_in):
        result.lateness, result.is_late = doubt, doubt == LATE_NOTE
        if doubt and deadline and percent:
            result.lateness, result.percent_off = f"{doubt}{WRITE_TIME}", None
    elif (minutes := handed_in // 60 - deadline // 60) > 0:  # the minute that is named counts in full
        days = math.ceil(minutes / (24 * 60))
        result.is_late, result.percent_off = True, min(100, days * percent)
        until, begun = TIME_FORMAT.format(datetime.fromtimestamp(deadline)), "1 day" if days == 1 else f"{days} days"
        result.lateness = f"{begun} after {until}: {result.percent_off:g}% off ({percent:g}% for each day begun)"
