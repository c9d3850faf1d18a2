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


def _told_when_graded(check, numbers):
    """Let the visible check look at the words alone: from one that told more, a loop would get all causes."""

    @graded
    def check_words(student, draw):
        """all four are words of the list; whether they fit, your tests can tell."""
        for number in numbers:
            _cause(student, number)

    @functools.wraps(check)
    def run(student, seed=0):
        (check if seed is None else check_words)(student, seed)

    run.__wrapped__ = check.__wrapped__
    return run


CHECKS = {
    f"check_causes_{first}_to_{first + 3}": (f"the causes of numbers {first} to {first + 3}.", range(first, first + 4))
    for first in (1, 5, 9)
}
causes = {
    name: _told_when_graded(check, CHECKS[name][1]) for name, check in graded_table(_check_causes, CHECKS).items()
}
