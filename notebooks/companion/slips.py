"""Mistakes as readers make them: a right answer, in whose text a few words are others."""

import inspect
import textwrap


def slips(right, changes):
    """Return {message: wrong answer}, each made of the text of the right one.

    right: a function, or a class of modules, of whose `forward` the text is taken;
    changes: {message: {words of that text: what stands there instead}}. Raises ValueError for words that are not there.
    >>> from companion.course_answers import looks_one_past
    >>> list(slips(looks_one_past, {"the sum is returned": {"mean": "sum"}}))
    ['the sum is returned']
    """
    function = inspect.unwrap(getattr(right, "forward", right))
    text, wrong_answers = textwrap.dedent(inspect.getsource(function)), {}
    for message, replacements in changes.items():
        wrong_text = text
        for words, others in replacements.items():
            if words not in wrong_text:
                raise ValueError(f"{words!r} does not stand in {right.__qualname__}: {message}")
            wrong_text = wrong_text.replace(words, others)
        exec(wrong_text, function.__globals__, made := {})
        (wrong,) = made.values()
        wrong_answers[message] = module_with(right, wrong) if isinstance(right, type) else wrong
    return wrong_answers


def module_with(kind, forward):
    """Return a class of modules like another one, with a `forward` of its own."""
    return type(kind.__name__, (kind,), {"forward": forward})
