"""Checks that compare with a right answer and a table of mistakes, and the answers in the table, made of steps."""

import functools
import inspect

from companion.checks.exercise import exercise
from companion.checks.feedback import PARTS, expect_like, explained


def compared_with(right, mistakes, causes=None, *, parts=PARTS, atol=1e-5, ask=lambda answer: answer):
    """Turn a generator of cases, (doing, inputs), into the check of an exercise.

    The answer must give what `right` gives on the inputs of each case; else its mistake is named.
    >>> @compared_with(sum, {"the numbers are counted: add them": len})
    ... def check_total(total):
    ...     "each number is added once."
    ...     yield "total([3, 4])", ([3, 4],)
    >>> check_total.verdict(len)
    not yet: the numbers are counted: add them

    mistakes: {message: wrong answer}; a case may bring a table of its own as a third part, {} for none; causes: of
    errors, as for `explained`; parts, atol: as for `expect_like`; ask: makes what is compared, a function of the
    inputs, from the answer and from each mistake. The generator may raise `Mistake` between the cases and after them.
    """

    def with_cases(cases):
        @exercise(mistakes=mistakes)
        @functools.wraps(cases)
        def check(answer):
            wrong = {message: ask(each) for message, each in mistakes.items()}
            with explained(causes or {}):
                for doing, inputs, *own in cases(answer):
                    expect_like(ask(answer), right, inputs, doing, *(own or [wrong]), parts, atol)

        return check

    return with_cases


def of_steps(answer):
    """Turn an answer whose keyword-only parameters are its steps into a function that makes it of other steps.

    They are given by their names or in their order; the others keep their defaults, the right steps.
    >>> @of_steps
    ... def mean(numbers, *, total=sum, count=len):
    ...     return total(numbers) / count(numbers)
    >>> mean()([1, 5]), mean(max)([1, 5]), mean(count=lambda numbers: 1)([1, 5])
    (3.0, 2.5, 6.0)
    """
    return _making(lambda answer, steps: functools.partial(answer, **steps), answer)


def forward_of_steps(kind):
    """Do the same to a module's method `forward`: what is made are classes of this kind, each with another forward.

    >>> from torch import nn
    >>> @forward_of_steps(nn.Identity)
    ... def shifted(self, number, *, by=1):
    ...     return number + by
    >>> shifted()()(5), shifted(by=2)()(5)
    (6, 7)
    """

    def made(forward, steps):
        return type(kind.__name__, (kind,), {"forward": functools.partialmethod(forward, **steps)})

    return functools.partial(_making, made)


def _making(make, answer):
    names = [each.name for each in inspect.signature(answer).parameters.values() if each.kind is each.KEYWORD_ONLY]
    return lambda *steps, **named: make(answer, dict(zip(names, steps)) | named)
