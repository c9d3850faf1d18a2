"""Judge one submission: its checks, its answers in words, and what is odd about it."""

import functools
import random
from collections.abc import Callable, Iterator, Sequence

from classroom.assignment import Assignment, Check
from classroom.checks.graded import Inputs
from classroom.code_cells import DEFINED
from classroom.grader import collecting
from classroom.grader.bounds import Enter
from classroom.grader.fork_server import NotStarted
from classroom.grader.records import Grade, Submission
from classroom.grader.remote import OutOfTime, Remote
from classroom.texts import MOST_LINES, shorten, shorten_list
from companion.checks.feedback import Mistake
from companion.verdict_words import CORRECT, NOT_ATTEMPTED

# Each check is judged on fresh inputs in so many runs, and must hold in all: of each, which sizes are 1 (`Inputs`).
# In the last run, each call comes after one with other numbers of the same shapes.
RUNS = None, 0, 1
WAS_RIGHT = " (it was right before: is something kept between calls, or does a size of 1 matter, as squeeze does?)"
Tell = Callable[[str, str, Sequence, object], None]  # of (check, name, what it is given, result) of each request
OPEN = "not judged to the end"


def grade_submission(
    assignment: Assignment, submission: Submission, enter: Enter = lambda stage: None, tell: Tell | None = None
) -> Grade:
    """Grade one submission that has been read, in this process; `enter` is told of each stage.

    Every fresh input comes from the code. Whatever that code does, a grade comes back. Raises NotStarted if it could
    not even start.
    """
    grade = Grade(submission.student, {}, trouble=shorten(submission.trouble), digest=submission.digest)
    grade.late, grade.notes = submission.late, list(submission.notes)
    grade.handed_in = submission.notebook.handed_in if submission.notebook else 0
    enter("looking for the answers in words")
    questions = {name: question.text for name, question in assignment.by_hand.items()}
    grade.answers = collecting.find_answers(submission.texts, questions, assignment.texts)
    if submission.trouble:
        grade.verdicts = {check.name: (0, grade.trouble) for check in assignment.checks}
        return grade
    grade.notes += [f"no answer in words was found: {name}" for name, text in grade.answers.items() if not text]
    grade.notes += _doubts(assignment, submission)
    enter("judging the code")
    add_verdicts(assignment, submission, grade, tell)
    return grade


def add_verdicts(assignment: Assignment, submission: Submission, grade: Grade, tell: Tell | None = None) -> None:
    """Add the verdicts, and what else was noted."""
    code_notes = assignment.note_code([source for _, source in submission.cells]) if assignment.note_code else []
    # From this very notebook: one that was changed meets other inputs.
    text = "\n".join(source for _, source in submission.cells)
    input_seed = random.Random(text.encode("utf-8", "replace")).getrandbits(64)
    with Remote([*assignment.setup, *submission.cells], assignment.class_seed) as student:
        for check in assignment.checks:
            student.begin_check(tell and functools.partial(tell, check.name))
            points, said = _verdict(check, student, input_seed)
            grade.open += [check.name] * (points is None)
            grade.verdicts[check.name] = points or 0, said
        cell_notes = list(student.notes.values())  # of which some quote another
        first_notes = cell_notes[:MOST_LINES]
        quoting = {note for note in cell_notes for quoted in first_notes if quoted in note and quoted != note}
        cell_notes = [note for note in cell_notes if note not in quoting]
        notes = [*code_notes, *student.warnings(), *cell_notes]
        grade.notes += shorten_list(list(map(shorten, notes)))


def _doubts(assignment: Assignment, submission: Submission) -> Iterator[str]:
    """Say what speaks against this notebook being an answer to this assignment, in this class's version."""
    their_seed, class_seed = submission.class_seed, assignment.class_seed
    if their_seed != class_seed:
        yield f"this notebook says class seed {their_seed}, but was graded with class seed {class_seed}"
    if not any(assignment.functions & set(DEFINED.findall(source)) for _, source in submission.cells):
        yield "it defines none of this assignment's functions: is it the notebook of another one?"


def _verdict(check: Check, student: Remote, seed: int) -> tuple[float | None, str]:
    """Return points, None where a teacher has to look, and what is said of them."""
    praise = CORRECT
    try:
        for run, ones in enumerate(RUNS):
            student.dummies_first = run == len(RUNS) - 1
            input_seed = random.Random(f"{seed} {check.name} {run}").getrandbits(62)
            said = check.function.judge(student, Inputs(input_seed, ones))
            praise = praise if said == CORRECT else said  # what one run has to add is told
    except NotImplementedError:
        return 0, NOT_ATTEMPTED
    except Mistake as mistake:
        return 0, shorten(str(mistake), WAS_RIGHT if student.dummies_first else "")
    except (NotStarted, MemoryError):  # not the answer's fault
        raise
    except OutOfTime as error:
        return None, f"{OPEN}: {error}"
    except Exception as error:  # a check of ours that did not foresee this answer
        return None, shorten(f"{OPEN}: the answer could not be judged: {type(error).__name__}: {error}")
    return check.points, praise
