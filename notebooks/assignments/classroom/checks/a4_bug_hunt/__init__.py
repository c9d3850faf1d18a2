"""Checks of the assignment a4_bug_hunt: a student's tests meet right and wrong attentions; causes; repairs."""

import functools

from classroom.checks.a4_bug_hunt import numbering
from classroom.checks.a4_bug_hunt.copies import remarks as remarks
from classroom.checks.a4_bug_hunt.numbering import CAUSES
from classroom.checks.a4_bug_hunt.repairs import judge_repair
from classroom.checks.a4_bug_hunt.verdicts import judge_test, judge_verdicts, judge_wolf
from classroom.checks.graded import graded
from utils.checks.feedback import expect

variation = numbering.variation
SIGNS = {
    "": "no promise is broken here, and what is written unusually is not wrong",
    "rows": "look at the sums of its weights, with a mask and without",
    "scale": "everything is right here but how sharp its weights are",
    "hidden": "look at what a hidden key can change",
    "extremes": "on mild inputs nothing is wrong with it",
    "order": "look at what happens when tokens are shuffled",
}


def _told_when_graded(numbers):
    """Let the visible check of causes look at the words alone: from one that told more, a loop would get them all."""

    @graded
    def check_words(student, draw):
        """all four are words of the list; whether they fit, your tests can tell."""
        for number in numbers:
            _cause(student, number)

    def decorated(check):
        @functools.wraps(check)
        def run(student, seed=0):
            (check if seed is None else check_words)(student, seed)

        run.__wrapped__ = check.__wrapped__
        return run

    return decorated


@graded
def check_test_rows(student, draw):
    """test_rows_sum_to_one stops where rows do not sum to 1, and nowhere else."""
    judge_test(student, draw, "rows")


@graded
def check_test_scale(student, draw):
    """test_scale stops at a wrong scale, and at nothing that is right without a mask."""
    judge_test(student, draw, "scale")


@graded
def check_test_hidden(student, draw):
    """test_hidden_keys stops where a hidden key is read, and at no right one."""
    judge_test(student, draw, "hidden")


@graded
def check_test_extremes(student, draw):
    """test_extremes stops where large scores or empty rows do harm, and at no right one."""
    judge_test(student, draw, "extremes")


@graded
def check_test_order(student, draw):
    """test_order stops where tokens are mixed up, and at no right one."""
    judge_test(student, draw, "order")


@graded
def check_finds_rows(student, draw):
    """is_right finds rows that do not sum to 1, in six forms."""
    judge_verdicts(student, draw, "rows")


@graded
def check_finds_scale(student, draw):
    """is_right finds a wrong scale, in five forms."""
    judge_verdicts(student, draw, "scale")


@graded
def check_finds_hidden(student, draw):
    """is_right finds hidden keys that are read, in six forms."""
    judge_verdicts(student, draw, "hidden")


@graded
def check_finds_extremes(student, draw):
    """is_right finds what large scores and empty rows break, in five forms."""
    judge_verdicts(student, draw, "extremes")


@graded
def check_finds_order(student, draw):
    """is_right finds tokens that are mixed up, in four forms."""
    judge_verdicts(student, draw, "order")


@graded
def check_cries_no_wolf(student, draw):
    """is_right says True to six right ones that it had not seen, and False to a hopeless one."""
    judge_wolf(student, draw)


@_told_when_graded(range(1, 5))
@graded
def check_causes_1_to_4(student, draw):
    """the causes of numbers 1 to 4."""
    _check_causes(student, range(1, 5))


@_told_when_graded(range(5, 9))
@graded
def check_causes_5_to_8(student, draw):
    """the causes of numbers 5 to 8."""
    _check_causes(student, range(5, 9))


@_told_when_graded(range(9, 13))
@graded
def check_causes_9_to_12(student, draw):
    """the causes of numbers 9 to 12."""
    _check_causes(student, range(9, 13))


@graded
def check_repaired_2(student, draw):
    """number 2 is repaired."""
    judge_repair(student, draw, 2)


@graded
def check_repaired_4(student, draw):
    """number 4 is repaired."""
    judge_repair(student, draw, 4)


@graded
def check_repaired_7(student, draw):
    """number 7 is repaired."""
    judge_repair(student, draw, 7)


@graded
def check_repaired_9(student, draw):
    """number 9 is repaired."""
    judge_repair(student, draw, 9)


@graded
def check_repaired_12(student, draw):
    """number 12 is repaired."""
    judge_repair(student, draw, 12)


def _cause(student, number):
    given = student.call("cause", number)
    known = isinstance(given, str) and given in CAUSES
    shown = repr(given) if isinstance(given, str) else f"a {type(given).__name__}"
    expect(known, f"cause({number}) gives {shown}; return one of CAUSES, letter by letter")
    return given


def _check_causes(student, numbers):
    cases = numbering.order(student.class_seed)
    given = {number: _cause(student, number) for number in numbers}
    wrong = [number for number in numbers if given[number] != cases[number].cause]
    hints = [f"cause({number}) is not {given[number]!r}: {SIGNS[cases[number].breaks]}" for number in wrong]
    expect(not wrong, "; ".join(hints))
