"""The whole class on one screen: how many points, what went wrong most often, and who needs a look."""

import re
from collections import Counter, defaultdict

from classroom.grader.finding import SAME_HOUR, SET_BACK
from classroom.grader.judge import NOT_ATTEMPTED, PASSED
from classroom.grader.submissions import NOTHING
from classroom.term.record import MORE
from classroom.term.result import NO_HOUR, ODD, OLD

BANDS, WIDTH = 5, 30
LONGEST = 150  # characters of a message
NUMBER = re.compile(r"[-+\d.e]*\d")  # numbers differ, the cause does not
COSTLY = re.compile(  # notes: points may be had with little work, or were not where they should be
    rf"{MORE}$|stopped with (Syntax|Indentation|Tab)Error|{SAME_HOUR}|{SET_BACK}"
)


def overview(assignment, results, doubts):
    """Return the overview as text. results: {student: Result}; doubts: {student: what is unclear about whose it is}."""
    graded = {name: each for name, each in results.items() if each.grade.trouble != NOTHING and not each.grade.failed}
    return "\n".join(
        [*_distribution(assignment, graded), *_checks(assignment, graded), *_needs_a_look(assignment, results, doubts)]
    )


def _distribution(assignment, graded):
    """Yield a line for each band of points, of the checks alone: totals may wait for marks."""
    bands = Counter(
        min(BANDS - 1, int(sum(each.points.values()) / assignment.most * BANDS)) for each in graded.values()
    )
    yield f"points for code, of {assignment.most:g}:"
    for band in range(BANDS):
        bar = "#" * round(bands[band] / max(bands.values(), default=1) * WIDTH)
        yield f"  {band * 100 // BANDS:3} to {(band + 1) * 100 // BANDS:3} %  {bands[band]:4} {bar}".rstrip()


def _checks(assignment, graded):
    yield "checks, and what went wrong most often:"
    for check in assignment.checks:
        messages = [each.grade.verdicts[check.name][1] for each in graded.values() if not each.grade.trouble]
        causes = defaultdict(list)
        for message in messages:
            if message not in (PASSED, NOT_ATTEMPTED):
                causes[NUMBER.sub("0", message)].append(message)
        often = max(causes.values(), key=len, default=[])
        cause = f"; most often ({len(often)}): {often[0][:LONGEST]}" if often else ""
        left = f", {messages.count(NOT_ATTEMPTED)} {NOT_ATTEMPTED}" if NOT_ATTEMPTED in messages else ""
        yield f"  {check.name}: {messages.count(PASSED)} of {len(messages)} right{left}{cause}"


def _needs_a_look(assignment, results, doubts):
    yield "who needs a look:"
    for student, result in results.items():
        grade, reasons = result.grade, list(doubts.get(student, ()))
        if grade.trouble and grade.trouble != NOTHING:
            reasons.append(grade.trouble[:LONGEST])
        elif grade.doubtful:
            reasons.append("another assignment, or another --seed? See the notes")
        elif grade.verdicts and all(message == NOT_ATTEMPTED for _, message in grade.verdicts.values()):
            reasons.append("nothing was attempted")
        reasons += [result.late] * result.late.startswith((ODD, OLD))
        reasons += [note[:LONGEST] for note in grade.notes if COSTLY.search(note)]
        if reasons:
            yield f"  {student}: {'; '.join(reasons)}"
    groups = defaultdict(list)
    for student, result in results.items():
        if result.late and not result.late.startswith((ODD, OLD)):
            groups["no hour in deadlines.csv or elsewhere" if result.late == NO_HOUR else "late"].append(student)
        if result.grade.trouble == NOTHING:
            groups["nothing from"].append(student)
    yield from (f"  {what}: {'; '.join(students)}" for what, students in groups.items())
    unmarked = sum(points is None for result in results.values() for points in result.words.values())
    if unmarked:
        yield f"  {unmarked} answers in words wait for their points in words.csv"
