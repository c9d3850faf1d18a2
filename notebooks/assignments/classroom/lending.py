"""Calls of our own functions and modules by a student's code, within bounds."""

import torch

MOST_CALLS = 5_000  # of our functions, by the student's code, within one request
LARGEST_CALL = 4_096  # numbers in such a call: in the grader, our functions run without a limit of memory


class Lending:
    """Answers calls of our own functions and modules, by a student's code, within one request."""

    def __init__(self):
        self.calls = 0

    def answer(self, ours, args, kwargs, training):
        """Return what ours gives. Raises ValueError for one call too many, or too large."""
        self.calls += 1
        if self.calls > MOST_CALLS:
            raise ValueError(f"what you are given can be called at most {MOST_CALLS} times here; fewer calls will do")
        if _numbers(args) + _numbers(kwargs) > LARGEST_CALL:
            raise ValueError(f"a call here takes at most {LARGEST_CALL} numbers; use smaller inputs")
        if isinstance(ours, torch.nn.Module):
            ours.train(training)
        return ours(*args, **kwargs)


def _numbers(value):
    """Count the numbers in a call's arguments, a whole number at its own size: it may be a length."""
    if isinstance(value, torch.Tensor):
        return value.numel()
    if isinstance(value, (list, tuple)):
        return sum(map(_numbers, value)) + len(value)
    if isinstance(value, dict):
        return _numbers(list(value.values()))
    return abs(value) if isinstance(value, int) else 0
