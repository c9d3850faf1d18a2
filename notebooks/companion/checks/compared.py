"""Checks that compare with a right answer and a table of mistakes."""

import functools

from companion.checks.exercise import exercise
from companion.checks.feedback import expect_like, explained
from companion.slips import slips


def compared_with(right, mistakes, stops=None, *, parts=(), atol=1e-5, measure=None, truth=None):
    """Turn a generator of cases, (doing, inputs), into the check of an exercise.

    The answer must give what `right` gives on the inputs of each case; else its mistake is named.
    >>> @compared_with(sum, {"the numbers are counted: add them": len})
    ... def check_total(total):
    ...     "each number is added once."
    ...     yield "total([3, 4])", ([3, 4],)
    >>> check_total.verdict(len)
    not yet: the numbers are counted: add them

    mistakes: {message: wrong answer}, or in its place what it has instead of words of the right one, for `slips`;
    a case may bring a table of its own as a third part, {} for none; stops: {part of an error: its cause}, for
    `explained`; parts, atol: as for `expect_like`; measure: what is compared is measure(answer, *inputs); truth: a
    function of the inputs that gives what is wanted, if `right` gives it by chance only. The generator may raise
    `Mistake` between the cases and after them.
    """
    mistakes = slips(right, mistakes)

    def measured(answer):
        return functools.partial(measure, answer) if measure else answer

    def with_cases(cases):
        @exercise(mistakes=mistakes)
        @functools.wraps(cases)
        def check(answer):
            wrong = {message: measured(mistake) for message, mistake in mistakes.items()}
            wanted = truth or measured(right)
            with explained(stops or {}):
                for doing, inputs, *own in cases(answer):
                    expect_like(measured(answer), wanted, inputs, doing, *(own or [wrong]), parts, atol)

        return check

    return with_cases
