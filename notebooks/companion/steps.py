"""Answers that are made of steps: the course's own answer and its mistakes come from one function."""

import functools
import inspect


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

    def make_class(forward, steps):
        return type(kind.__name__, (kind,), {"forward": functools.partialmethod(forward, **steps)})

    return functools.partial(_making, make_class)


def _making(make, answer):
    parameters = inspect.signature(answer).parameters.values()
    names = [parameter.name for parameter in parameters if parameter.kind is parameter.KEYWORD_ONLY]
    return lambda *steps, **named: make(answer, dict(zip(names, steps)) | named)
