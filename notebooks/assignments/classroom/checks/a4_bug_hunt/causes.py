"""Judge the causes of a4_bug_hunt: in the notebook the words alone, in the grader whether they fit."""

import functools

from classroom.checks.a4_bug_hunt import twelve
from classroom.checks.graded import graded, graded_table
from companion.checks.feedback import expect

SIGNS = {
    "": "no promise is broken here, and what is written unusually is not wrong",
    "rows": "look at the sums of its weights, with a mask and without",
    "scale": "everything is right here but how sharp its weights are",
    "hidden": "look at what a hidden key can change",
    "extremes": "on mild inputs nothing is wrong with it",
    "order": "look at what happens when tokens are shuffled",
}


def _told_when_graded(first, last):
    """Return a check of causes. The visible one looks at the words alone: from one that told more, a loop would get
    them all."""
    numbers = range(first, last + 1)

    @graded
    def check_words(student, draw):
        """all four are words of the list; whether they fit, your tests can tell."""
        for number in numbers:
            _cause(student, number)

    praise = f"the causes of numbers {first} to {last}."
    (check,) = graded_table(_check_causes, {f"check_causes_{first}_to_{last}": (praise, numbers)}).values()

    @functools.wraps(check)
    def run(student, seed=0):
        (check if seed is None else check_words)(student, seed)

    run.__wrapped__ = check.__wrapped__
    return run


def _cause(student, number):
    given = student.call("cause", number)
    known = isinstance(given, str) and given in twelve.CAUSES
    shown = repr(given) if isinstance(given, str) else f"a {type(given).__name__}"
    expect(known, f"cause({number}) gives {shown}; return one of CAUSES, letter by letter")
    return given


def _check_causes(student, draw, numbers):
    cases = twelve.order(student.class_seed)
    given = {number: _cause(student, number) for number in numbers}
    wrong = [number for number in numbers if given[number] != cases[number].cause]
    hints = [f"cause({number}) is not {given[number]!r}: {SIGNS[cases[number].breaks]}" for number in wrong]
    expect(not wrong, "; ".join(hints))


check_causes_1_to_4 = _told_when_graded(1, 4)
check_causes_5_to_8 = _told_when_graded(5, 8)
check_causes_9_to_12 = _told_when_graded(9, 12)
