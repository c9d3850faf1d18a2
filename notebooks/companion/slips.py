"""Mistakes as readers make them: a right answer, in whose text a few words are others."""

import functools
import inspect
import textwrap

source_of = functools.cache(inspect.getsource)  # which reads the whole file each time


def slips(right, mistakes):
    """Return {message: wrong answer}. mistakes: {message: replacements, or a wrong answer, which stays as it is}."""
    return {
        message: slip(right, mistake) if isinstance(mistake, dict) else mistake for message, mistake in mistakes.items()
    }


def slip(right, replacements):
    """Return a wrong answer made of the text of the right one, without its first line.

    right: a function, or a class of modules, of whose `forward` the text is taken; replacements: {words of that text:
    what stands there instead, a text or a function}. Raises ValueError for words that are not there.
    >>> def span(numbers):
    ...     return max(numbers) - min(numbers)
    >>> slip(span, {"-": "+"})([1, 5]), slip(span, {"max": sum, "min": len})([1, 5])
    (6, 4)
    >>> slip(span, {"-": "+", "median": "sum"})
    Traceback (most recent call last):
    ValueError: 'median' does not stand in...
    """
    function, others = inspect.unwrap(getattr(right, "forward", right)), {}
    signature, text = textwrap.dedent(source_of(function)).split(":\n", 1)
    for words, other in replacements.items():
        if words not in text:
            raise ValueError(f"{words!r} does not stand in\n{text}")
        if not isinstance(other, str):
            others[name := f"other_{len(others)}"] = other
            other = name
        text = text.replace(words, other)
    exec(f"{signature}:\n{text}", function.__globals__ | others, answers := {})
    (wrong,) = answers.values()
    return module_with(right, wrong) if isinstance(right, type) else wrong


def module_with(kind, forward):
    """Return a class of modules like another one, with a `forward` of its own."""
    return type(kind.__name__, (kind,), {"forward": forward})
