"""Judge the causes of a4_bug_hunt: in the notebook the words alone, in the grader whether they fit."""

from classroom.checks.a4_bug_hunt import numbering
from classroom.checks.graded import graded_as
from utils.checks.feedback import expect

SIGNS = {
    "": "no promise is broken here, and what is written unusually is not wrong",
    "rows": "look at the sums of its weights, with a mask and without",
    "scale": "everything is right here but how sharp its weights are",
    "hidden": "look at what a hidden key can change",
    "extremes": "on mild inputs nothing is wrong with it",
    "order": "look at what happens when tokens are shuffled",
}


def told_when_graded(numbers):
    """Return the check of these causes; the visible one tells nothing but words, or a loop would get the causes."""
    check = graded_as(f"the causes of numbers {numbers[0]} to {numbers[-1]}.", _check_causes, numbers)
    words = graded_as("all four are words of the list; whether they fit, your tests can tell.", _check_words, numbers)

    def run(student, seed=0):
        (check if seed is None else words)(student, seed)

    run.__doc__, run.__wrapped__ = check.__doc__, check.__wrapped__
    return run


def _check_words(student, draw, numbers):
    for number in numbers:
        _cause(student, number)


def _cause(student, number):
    given = student.call("cause", number)
    known = isinstance(given, str) and given in numbering.CAUSES
    shown = repr(given) if isinstance(given, str) else f"a {type(given).__name__}"
    expect(known, f"cause({number}) gives {shown}; return one of CAUSES, letter by letter")
    return given


def _check_causes(student, draw, numbers):
    cases = numbering.order(student.class_seed)
    given = {number: _cause(student, number) for number in numbers}
    wrong = [number for number in numbers if given[number] != cases[number].cause]
    hints = [f"cause({number}) is not {given[number]!r}: {SIGNS[cases[number].breaks]}" for number in wrong]
    expect(not wrong, "; ".join(hints))
