"""Grade a class: all work on what one student wrote is done in one process within bounds, on all cores."""

import torch

from classroom.grader import bounds, fork_server, grade_one, gradebook, reading
from classroom.grader.grade_one import Grade
from classroom.grader.submissions import printable


def grade_all(assignment, submissions, seed, confined=True, done=lambda number, grade, pages: None):
    """Grade all submissions on all cores, and return the grades in the same order.

    seed: every fresh input comes from it; the same seed gives the same inputs again. done: called with each
    submission's number, grade and pages as they come. A submission that cannot be graded within the bounds of
    `bounds.py` gets a grade that has failed, and says at which stage. Raises NotStarted if no code can run at all.
    """
    grades = [None] * len(submissions)

    def work(number, enter):
        return grade_and_draw(assignment, submissions[number], seed, confined, enter)

    def finished(number, result, trouble):
        student = submissions[number].student
        if not trouble and not _fits(result, _kind_of_result(assignment)):
            trouble = "what came of it cannot be read"
        if trouble:
            grade = _not_graded(assignment, student, trouble)
            pages = gradebook.draw(assignment, grade, seed)
        else:
            verdicts = {name: (points, result["messages"][name]) for name, points in result["points"].items()}
            told = {name: result[name] for name in ("notes", "trouble", "doubtful")}
            grade, pages = Grade(student, verdicts, **told), gradebook.Pages(**result["pages"])
        grades[number] = grade
        done(number, grade, pages)

    bounds.run_each(work, _numbers(submissions), finished)
    return grades


def grade_and_draw(assignment, submission, seed, confined, enter):
    """Do all work on what one student wrote, and return it as plain data; `enter` is told of each stage."""
    torch.set_num_threads(1)  # to judge takes processor time, too, which threads would share
    if submission.paths:
        enter("finding the notebook")
        reading.find(submission, assignment.name)
    if submission.paths and not submission.trouble:
        enter("reading the notebook")
        reading.read(submission)
    grade = grade_one.grade(assignment, submission, seed, confined, enter)
    enter("drawing the pages")
    return {
        "points": {name: points for name, (points, _) in grade.verdicts.items()},
        "messages": {name: message for name, (_, message) in grade.verdicts.items()},
        "notes": grade.notes,
        "trouble": grade.trouble,
        "doubtful": grade.doubtful,
        "pages": vars(gradebook.draw(assignment, grade, seed)),
    }


def _numbers(submissions):
    """Yield the numbers of all submissions; before each, there is a server that its process can ask."""
    for number in range(len(submissions)):
        fork_server.SERVER.start()
        yield number


def _kind_of_result(assignment):
    """Describe what `grade_and_draw` returns, for `_fits`."""
    checks = [check.name for check in assignment.checks]
    return {
        "points": dict.fromkeys(checks, (int, float)),
        "messages": dict.fromkeys(checks, str),
        "notes": [str],
        "trouble": str,
        "doubtful": bool,
        "pages": {"feedback": str, "answers": dict.fromkeys(assignment.by_hand, str)},
    }


def _fits(plain, kind):
    """Say whether plain data is of a kind: a type or types, [kind] for a list, {name: kind} for a dict."""
    if isinstance(kind, list):
        return isinstance(plain, list) and all(_fits(part, kind[0]) for part in plain)
    if isinstance(kind, dict):
        return (
            isinstance(plain, dict)
            and plain.keys() == kind.keys()
            and all(_fits(plain[name], kind[name]) for name in kind)
        )
    return isinstance(plain, kind)


def _not_graded(assignment, student, trouble):
    """Return the grade of a submission that could not be graded within its bounds."""
    trouble = printable(f"not graded: {trouble}")
    return Grade(student, {check.name: (0, trouble) for check in assignment.checks}, trouble=trouble, failed=True)
