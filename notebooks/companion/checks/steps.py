"""Answers made of steps, any of which may be a wrong one: the rows of a table of mistakes are made of them."""

import functools
import inspect


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
