"""Grade a class: each notebook for itself, on all cores."""

import functools
import multiprocessing
import os
import random
import signal
import sys
from concurrent.futures import ProcessPoolExecutor, ThreadPoolExecutor, as_completed
from dataclasses import dataclass, field

import torch

from classroom.checks.graded import Draw
from classroom.grader import answers, causes
from classroom.grader.process import NotStarted
from classroom.grader.remote import Remote
from classroom.grader.submission import DEFINED, printable
from utils.checks.feedback import Mistake

RUNS = 3  # each check is judged on so many sets of fresh inputs, and must hold on all
LIMITS = {"seconds": 15, "in_all": 150, "restarts": 6}  # for one cell or call, for a notebook, new processes
MOST_NOTES = 20
LONGEST = 600  # characters of a message; some of them quote what the student's code returned
PASSED, NOT_ATTEMPTED = "correct", "not attempted yet"


@dataclass
class Grade:
    """One student's result. verdicts: {check: (points, message)}; answers: {grade_id: text} to mark by hand;
    doubtful: the notebook may be another assignment's or class's; failed: the grader could not do its work."""

    student: str
    verdicts: dict
    answers: dict = field(default_factory=dict)
    notes: list = field(default_factory=list)
    trouble: str = ""
    doubtful: bool = False
    failed: bool = False

    @property
    def points(self):
        return sum(points for points, _ in self.verdicts.values())


def grade_all(assignment, submissions, seed, confined=True, done=lambda grade: None):
    """Grade all submissions on all cores and return the grades in the same order.

    seed: every fresh input comes from it; the same seed gives the same inputs again. done: called after each.
    """
    one = functools.partial(grade, assignment, seed=seed, confined=confined)
    grades = {}
    with _pool(min(_cores(), len(submissions) or 1)) as pool:
        running = {pool.submit(one, submission): number for number, submission in enumerate(submissions)}
        try:
            for finished in as_completed(running):
                number = running[finished]
                grades[number] = _grade_or_why_not(finished, assignment, submissions[number])
                done(grades[number])
        except BaseException:  # Ctrl-C: end after the notebooks that are running now
            pool.shutdown(cancel_futures=True)
            raise
    return [grades[number] for number in range(len(submissions))]


def _pool(size):
    """Return workers. To judge takes processor time, too, which threads share; but only Linux copies a process well."""
    if sys.platform != "linux":
        return ThreadPoolExecutor(size, initializer=_prepare)
    return ProcessPoolExecutor(size, multiprocessing.get_context("fork"), initializer=_prepare_process)


def _prepare():
    torch.set_num_threads(1)


def _prepare_process():
    _prepare()
    signal.signal(signal.SIGINT, signal.SIG_IGN)  # Ctrl-C is for the main process, which lets this one finish


def _grade_or_why_not(finished, assignment, submission):
    try:
        return finished.result()
    except Exception as error:  # a fault of this program or machine must not stop the other grades
        trouble = printable(f"the grader failed: {type(error).__name__}: {error}")
        verdicts = {check.name: (0, trouble[:LONGEST]) for check in assignment.checks}
        return Grade(printable(submission.student), verdicts, trouble=trouble, failed=True)


def grade(assignment, submission, seed, confined=True):
    """Grade one submission. Whatever happens in it, a grade comes back that says so."""
    result = Grade(printable(submission.student), {}, trouble=printable(submission.trouble))
    result.notes += map(printable, submission.notes)
    questions = {name: question.text for name, question in assignment.by_hand.items()}
    result.answers = answers.find(submission.texts, questions, assignment.texts)
    if submission.trouble:
        result.verdicts = {check.name: (0, submission.trouble[:LONGEST]) for check in assignment.checks}
        return result
    result.notes += [f"no answer in words was found: {name}" for name, text in result.answers.items() if not text]
    doubts = _doubts(assignment, submission)
    result.notes, result.doubtful = result.notes + doubts, bool(doubts)
    remarks = assignment.remarks([source for _, source in submission.cells]) if assignment.remarks else []
    cells, asked = [*assignment.setup, *submission.cells], {}
    with Remote(cells, class_seed=assignment.class_seed, confined=confined, **LIMITS) as student:
        for check in assignment.checks:
            student.asked = asked[check.name] = set()
            result.verdicts[check.name] = _verdict(check, student, seed)
        said = [printable(note[:LONGEST]) for note in (*remarks, *student.notes.values())]
        result.notes += said[:MOST_NOTES] + [f"and {len(said) - MOST_NOTES} more"] * (len(said) > MOST_NOTES)
    _say_what_follows(result, submission.cells, asked)
    return result


def _doubts(assignment, submission):
    """Say what speaks against this notebook being an answer to this assignment, in this class's version."""
    doubts, theirs, ours = [], submission.class_seed, assignment.class_seed
    if theirs != ours:
        doubts.append(f"this notebook says class seed {theirs}, but was graded with class seed {ours}")
    if not any(assignment.functions & set(DEFINED.findall(source)) for _, source in submission.cells):
        doubts.append("it defines none of this assignment's functions: is it the notebook of another one?")
    return doubts


def _say_what_follows(result, cells, asked):
    """Name, beside each wrong answer, a function that it uses and that has a wrong answer too."""
    failed = [name for name, (_, message) in result.verdicts.items() if message not in (PASSED, NOT_ATTEMPTED)]
    for name, first in causes.follow(cells, asked, failed).items():
        points, message = result.verdicts[name]
        result.verdicts[name] = points, f"{message} (it uses `{first}`, which has a ✗ above: mend that first)"


def _verdict(check, student, seed):
    try:
        for run in range(RUNS):
            check.judge.__wrapped__(student, Draw(random.Random(f"{seed} {check.name} {run}").getrandbits(62)))
    except NotImplementedError:
        return 0, NOT_ATTEMPTED
    except Mistake as mistake:
        return 0, printable(str(mistake)[:LONGEST])
    except NotStarted:
        raise
    except Exception as error:  # a check that did not foresee this answer: no points, and the batch goes on
        return 0, printable(f"the answer could not be judged: {type(error).__name__}: {error}"[:LONGEST])
    return check.points, PASSED


def _cores():
    return len(os.sched_getaffinity(0)) if hasattr(os, "sched_getaffinity") else os.cpu_count() or 1
