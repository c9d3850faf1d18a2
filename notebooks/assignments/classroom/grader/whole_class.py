"""Grade a class, all work on what one student wrote in one process within bounds, on all cores; or one once more."""

from collections.abc import Callable, Iterator, Sequence
from pathlib import Path

import torch

from classroom import wire
from classroom.assignment import Assignment
from classroom.grader import bounds, collecting, finding, fork_server, judge
from classroom.grader.records import Grade, Submission, make_failed_grade, restore, to_plain
from classroom.names import read_label
from classroom.texts import shorten

LONGEST_LINE = 2_000  # characters of a line
Take = Callable[[int, Grade | None], None]


def grade_all(assignment: Assignment, submissions: Sequence[Submission], take_grade: Take | None = None) -> list:
    """Grade all submissions on all cores, and return the grades in the same order, None where nothing has changed.

    take_grade: called with each submission's number and grade as they come. One that cannot be graded within the bounds
    of `bounds.py` gets a grade that has failed, and says at which stage. Raises NotStarted if no code can run at all.
    """
    grades: list[Grade | None] = [None] * len(submissions)

    def numbers() -> Iterator[int]:
        for number in range(len(submissions)):
            fork_server.SERVER.start()  # which the process for this submission can ask
            yield number

    def work(number: int, enter: bounds.Enter) -> dict | None:
        return grade_if_new(assignment, submissions[number], enter)

    def take_result(number: int, result: dict | None, trouble: str) -> None:
        student = submissions[number].student
        if trouble:
            grades[number] = make_failed_grade(assignment, student, trouble)
        elif result is not None:
            grades[number] = restore(assignment, student, result)
        if take_grade:
            take_grade(number, grades[number])

    bounds.run_each(work, numbers(), take_result)
    return grades


def grade_if_new(
    assignment: Assignment, submission: Submission, enter: bounds.Enter = lambda _: None, tell: judge.Tell | None = None
) -> dict | None:
    """Do all work on what one student wrote, and return it as plain data, None where the grade from before holds."""
    torch.set_num_threads(1)  # to judge takes processor time, too, which threads would share
    if submission.paths:
        enter("finding the notebook")
        finding.choose_notebook(submission, assignment.name)
        submission.notes = [shorten(note) for note in submission.notes]
    if submission.paths and not submission.trouble:
        enter("reading the notebook")
        collecting.read_notebook(submission)
        if submission.was_graded():
            return None
    return to_plain(judge.grade_submission(assignment, submission, enter, tell))


def repeat(assignment: Assignment, path: Path, check: str | None = None) -> list[str]:
    """Grade a student's file or folder again, and return lines: verdicts, and above them what `check` asked and got.

    The inputs come from the notebook's code, so they are those that were graded. Raises ValueError where there is no
    such check, or nothing that can be graded.
    """
    names = [known_check.name for known_check in assignment.checks]
    if check is not None and check not in names:
        raise ValueError(f"there is no {check}; there are {', '.join(names)}")
    submission, lines = Submission(path.name, paths=((path, read_label(path.name, path.is_dir())),)), []

    def tell(asking: str, name: str, inputs: Sequence, result: object) -> None:
        if asking == check:
            arguments = ", ".join(map(_show, inputs))
            lines.append(f"{name}({arguments})\n  gave {_show(result)}"[:LONGEST_LINE])

    grade = grade_if_new(assignment, submission, tell=tell)
    if grade["trouble"]:
        raise ValueError(grade["trouble"])
    verdicts = [f"{name}: {points:g} points, {message}" for name, (points, message) in grade["verdicts"].items()]
    return [*lines, *verdicts]


def _show(value: object) -> str:
    """Write a value as Python does, a tensor's numbers in full; of what is no plain data, only what it is."""
    if isinstance(value, torch.Tensor):
        return f"torch.tensor({value.tolist()}, dtype={value.dtype})"
    if isinstance(value, (list, tuple)):
        parts = ", ".join(map(_show, value))
        return f"[{parts}]" if isinstance(value, list) else f"({parts})"
    return repr(value) if isinstance(value, (*wire.PLAIN_TYPES, Exception)) else f"<{type(value).__name__}>"
