"""A check of an assignment: it asks a student (`classroom.student`) for results, and raises `Mistake` if these are
wrong. It runs in the notebook's test cells and, with other seeds, in the grader."""

import functools
import random
from collections.abc import Callable

import torch

from classroom.student import Student, StudentError
from companion.checks.feedback import Mistake
from companion.verdict_words import CORRECT, NOT_ATTEMPTED

WAVERS = "the same call again gives something else: is dropout left on, or anything random, or kept between calls?"
RULE = (  # as each assignment and each student's page say it
    "A slip costs the check that names it, and the others judge the rest as if it were mended; "
    "what stops with an error, or gives nothing, costs each check that meets it and cannot do without."
)
CORRECT_WITH_RIGHT = f"{CORRECT}, with the right function in place of an earlier one of yours"


class Inputs(random.Random):
    """Fresh inputs from one seed. ones: 0 or 1, to let the first of each two sizes be 1, or the second: where `squeeze`
    takes an axis away; in_notebook: whether a student reads what comes of them."""

    def __init__(self, seed: int | None, ones: int | None = None, in_notebook=False):
        self._seed, self._ones, self.in_notebook = random.getrandbits(62) if seed is None else seed, ones, in_notebook
        super().__init__(self._seed)
        self._generator = torch.Generator().manual_seed(self.getrandbits(62))

    def copy(self) -> "Inputs":
        return Inputs(self._seed, self._ones, self.in_notebook)

    def normal(self, *shape):
        """Return normal numbers: as scores they are of order 1, so that no softmax saturates."""
        return torch.randn(shape, generator=self._generator)

    def sizes(self, count: int, low=4, high=9) -> list[int]:
        """Return `count` different sizes, so that exchanged axes show, none the square of another; or some are 1."""
        sizes = self.sample(range(low, high + 1), count)
        return [1 if index % 2 == self._ones else size for index, size in enumerate(sizes)]

    def inputs(self, queries, keys, d_k, d_v, *batch):
        return self.normal(*batch, queries, d_k), self.normal(*batch, keys, d_k), self.normal(*batch, keys, d_v)

    def mask(self, *shape):
        """Return a mask in whose every row something is allowed and something is not, if there are two keys."""
        mask = self.normal(*shape) > 0
        mask[..., :1], mask[..., 1:2] = True, False
        return mask[..., self.sample(range(shape[-1]), shape[-1])]

    def in_any_order(self, cases: list, ask: Callable) -> list:
        """Return ask(case) for each case; nobody can tell from the order which one comes next."""
        answers = [None] * len(cases)
        for index in self.sample(range(len(cases)), len(cases)):
            answers[index] = ask(cases[index])
        return answers

    def words(self, count: int) -> list[str]:
        """Return different made-up words in lower case, in no order."""
        words = {}
        while len(words) < count:
            parts = (self.choice("bdfgklmnprstvz") + self.choice("aeiou") for _ in range(self.randint(2, 4)))
            words["".join(parts)] = None
        return list(words)


def graded(check: Callable | None = None, *, of="", mistakes: dict | None = None, right: dict | None = None):
    """Turn check(student, fresh) into what a test cell calls: check(student, seed=0); its docstring is the praise.

    seed: 0 draws the same inputs each time, None fresh ones. The grader calls `check.judge` with its own `Inputs`.
    Raises Mistake, or NotImplementedError for what is not attempted; a notebook shows either in four lines at most.
    mistakes: {message: a wrong function or class}, in the place of what students call `of`: the tests hold that one
    of the checks that have it says its message; right: {name: the right function} of what has checks of its own.
    """
    if check is None:
        return functools.partial(graded, of=of, mistakes=mistakes, right=right)

    judge = functools.partial(_judge, check, right)

    @functools.wraps(check)
    def run(student: Student, seed: int | None = 0):
        student.begin_check()
        try:
            verdict = judge(student, Inputs(seed, in_notebook=seed is not None))
        except NotImplementedError as error:
            error._render_traceback_ = lambda: [f"{NOT_ATTEMPTED} (NotImplementedError)"]
            raise
        except Mistake as mistake:
            repetition = [f"the same call again: {student.call_code}"] if mistake.example and student.call_code else []
            mistake.example = [] if seed is None else [*mistake.example, *repetition]  # fresh inputs are not shown
            raise
        except Exception as error:  # as in the grader: an answer that the check did not foresee
            raise Mistake(f"the answer could not be judged: {type(error).__name__}: {error}") from error
        print(f"{verdict}: {check.__doc__}")
        for warning in student.warnings():
            print(f"careful: {warning}")

    run.judge, run.of, run.mistakes = judge, of, mistakes or {}
    return run


def _judge(check: Callable, right: dict | None, student: Student, fresh: Inputs) -> str:
    """Judge an answer by one rule: a slip costs the check that names it, and no other.

    What is wrong passes if it is right with functions of `right` in place of the student's own, or if it is in every
    number what a known mistake gives which another check has named. Returns what to say of it, "correct" or more.
    """
    name, verdict, failure = check.__name__, "", None
    student.named_mistakes = {slip: namer for slip, namer in student.named_mistakes.items() if namer != name}
    if student.helped_check != name:  # what has once passed only with right functions begins with these
        verdict, failure = _attempt(check, {}, student, fresh.copy())
    if right and not verdict:
        verdict, with_right = _attempt(check, right, student, fresh.copy())
        if failure is None or not isinstance(with_right, StudentError):  # an own slip says more than a stop with ours
            failure = with_right
    student.helped_check = name if verdict == CORRECT_WITH_RIGHT else ""
    if verdict:
        return verdict
    if isinstance(failure, Mistake) and student.wavers():
        failure.args = (f"{failure}; {WAVERS}",)
    student.named_mistakes |= dict.fromkeys(getattr(failure, "known", ()), name)
    raise failure


def _attempt(check: Callable, functions: dict, student: Student, fresh: Inputs) -> tuple[str, Exception | None]:
    """Return what to say of an answer that passes with these functions in place of its own, or "" and why not."""
    try:
        with student.replacing(functions):
            check(student, fresh)
    except (Mistake, NotImplementedError) as error:
        slips = sorted(getattr(error, "known", frozenset()) & student.named_mistakes.keys())
        return (f"{CORRECT}, but for what {student.named_mistakes[slips[0]]} says", None) if slips else ("", error)
    return CORRECT_WITH_RIGHT if functions else CORRECT, None


def as_replacements(texts: Callable) -> Callable:
    """Turn texts(seed) into a function that returns {old text: new text} of a class: the notebook has those of None."""
    return lambda seed: dict(zip(texts(None), texts(seed)))


def make_check(name: str, ask: Callable, case, praise: str, right: dict | None = None) -> Callable:
    """Return the check of this name, ask(student, fresh, case), as `graded`: where one function has many cases."""

    def check(student, fresh):
        ask(student, fresh, case)

    check.__name__, check.__doc__ = name, praise
    return graded(check, right=right)
