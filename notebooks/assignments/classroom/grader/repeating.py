"""A grade once more, with all that a check asked of the student's code: for a student who doubts it."""

import torch

from classroom.grader.submissions import Submission
from classroom.grader.whole_class import grade_if_new
from classroom.names import label

LONGEST = 2_000  # characters of a line


def repeat(assignment, path, check=None):
    """Grade a student's file or folder again, and return lines: verdicts, and above them what `check` asked and got.

    The inputs come from the class's seed and the notebook's code, so they are those that were graded. Raises ValueError
    where there is no such check, or nothing that can be graded.
    """
    known = [each.name for each in assignment.checks]
    if check is not None and check not in known:
        raise ValueError(f"there is no {check}; there are {', '.join(known)}")
    submission, lines = Submission(path.name, paths=((path, label(path.name, path.is_dir())),)), []

    def tell(asking, name, given, result):
        if asking == check:
            said = ", ".join(map(_shown, given))
            lines.append(f"{name}({said})\n  gave {_shown(result)}"[:LONGEST])

    grade = grade_if_new(assignment, submission, tell=tell)
    if grade["trouble"]:
        raise ValueError(grade["trouble"])
    verdicts = [f"{name}: {points:g} points, {message}" for name, (points, message) in grade["verdicts"].items()]
    return [*lines, *verdicts]


def _shown(value):
    """Write a value as Python does, a tensor's numbers in full; of what is no plain data, only what it is."""
    if isinstance(value, Exception):
        return f"{type(value).__name__}: {value}"
    if isinstance(value, torch.Tensor):
        return f"torch.tensor({value.tolist()}, dtype={value.dtype})"
    if isinstance(value, (list, tuple)):
        return f"({', '.join(map(_shown, value))})"
    return repr(value) if isinstance(value, (bool, int, float, str, type(None))) else f"<{type(value).__name__}>"
