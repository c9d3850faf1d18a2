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
MISSING = re.compile(r"^there is no `\w+`: ")
NUMBER = re.compile(r"[-+\d.e]*\d")  # numbers differ, the cause does not
COSTLY = re.compile(  # notes: points may be had with little work, or were not where they should be
    rf"{MORE}$|stopped with (Syntax|Indentation|Tab)Error|{SAME_HOUR}|{SET_BACK}"
)


def overview(assignment, results):
    """Return the overview as text. results: {student: Result}."""
    graded = {name: each for name, each in results.items() if each.grade.trouble != NOTHING and not each.grade.failed}
    return "\n".join([*_distribution(assignment, graded), *_checks(assignment, graded), *_needs_a_look(results)])


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
    told = set()
    for check in assignment.checks:
        messages = [each.grade.verdicts[check.name][1] for each in graded.values() if not each.grade.trouble]
        causes = defaultdict(list)
        for message in messages:
            if message not in (PASSED, NOT_ATTEMPTED):
                causes[NUMBER.sub("0", message)].append(message)
        often = max(causes.values(), key=len, default=[])
        why = MISSING.sub("", often[0]) if often else ""  # an error in one cell spoils many checks
        cause = f"; most often ({len(often)}): {'as above' if why in told else often[0][:LONGEST]}" if often else ""
        told.add(why)
        left = f", {messages.count(NOT_ATTEMPTED)} {NOT_ATTEMPTED}" if NOT_ATTEMPTED in messages else ""
        yield f"  {check.name}: {messages.count(PASSED)} of {len(messages)} right{left}{cause}"


def _needs_a_look(results):
    yield "who needs a look:"
    for student, result in results.items():
        grade, reasons = result.grade, list(result.doubts)
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
    late = [name for name, each in results.items() if each.late and not each.late.startswith((NO_HOUR, ODD, OLD))]
    missing = [name for name, each in results.items() if each.grade.trouble == NOTHING]
    yield from (f"  {what}: {'; '.join(names)}" for what, names in (("late", late), ("nothing from", missing)) if names)
    if hourless := sum(each.late == NO_HOUR for each in results.values()):
        yield f"  {hourless} without an hour, here or in deadlines.csv, count as in time"
    unmarked = sum(points is None for result in results.values() for points in result.words.values())
    if unmarked:
        yield f"  {unmarked} answers in words wait for their points in words.csv"
