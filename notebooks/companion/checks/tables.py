"""Checks that compare with a right answer and a table of mistakes, and the answers in the table, made of steps."""

import functools
import inspect

from companion.checks.exercise import exercise
from companion.checks.feedback import PARTS, expect_like, explained


def compared_with(right, mistakes, causes=None, *, parts=PARTS, atol=1e-5, ask=lambda answer: answer):
    """Turn a generator of cases, (doing, inputs), into an exercise's check, as `exercise` and `expect_like` have it.

    It gets the answer, and may raise `Mistake` between the cases and after the last. A case may bring a table of its
    own, {} for none, in place of mistakes, {message: wrong answer};
    causes: {sign: cause} of errors, as for `explained`; ask: how an answer and the mistakes are called.
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
    """Turn an answer whose keyword-only parameters are its steps into what makes it of other steps.

    The steps are given by their names or in their order; those not given are the right ones.
    >>> @of_steps
    ... def mean(numbers, *, total=sum, count=len):
    ...     return total(numbers) / count(numbers)
    >>> mean()([1, 5]), mean(max)([1, 5]), mean(count=lambda numbers: 1)([1, 5])
    (3.0, 2.5, 6.0)
    """
    return _making(answer, lambda **steps: functools.wraps(answer)(functools.partial(answer, **steps)))


def forward_of_steps(kind):
    """Do the same to a module's method `forward`: what is made are classes of this kind, each with another forward."""

    def with_forward(forward, **steps):
        return type(kind.__name__, (kind,), {"forward": functools.partialmethod(forward, **steps)})

    return lambda forward: _making(forward, functools.partial(with_forward, forward))


def _making(answer, put):
    parameters = inspect.signature(answer).parameters.values()
    names = [each.name for each in parameters if each.kind is each.KEYWORD_ONLY]
    return lambda *steps, **named: put(**dict(zip(names, steps)), **named)
