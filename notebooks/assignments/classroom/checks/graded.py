"""What every check is made of: it asks a student (`classroom.student`) for results, and raises `Mistake` if these are
wrong. It runs in the notebook's test cells and, with other seeds, in the grader."""

import functools
import importlib
import pkgutil
import random
import re

import torch

from classroom.student import Stopped
from companion.checks.feedback import IN_PLACE, Mistake

# Where a student's source defines something. Whatever the text, these patterns take time in proportion to it.
DEFINED = re.compile(r"^(?:(?:async )?(?:def|class) ++|(?=\w++ *+=[^=]))(\w++)", re.MULTILINE)
FUNCTION = re.compile(r"^(?:def|class) ++(\w++)(.*+(?:\n(?:[ \t#)].*+)?)*+)", re.MULTILINE)
NAMED = re.compile(r"^(\w++)[ \t]*+=(.*)", re.MULTILINE)
NO_CODE = re.compile(r'""".*?"""|#[^\n]*', re.DOTALL)
WAVERS = "the same call again gives something else: is dropout left on, or anything random, or kept between calls?"
RULE = (  # as each assignment and each student's page say it
    "A slip costs the check that names it, and the others judge the rest as if it were mended; "
    "what stops with an error, or gives nothing, costs each check that meets it and cannot do without."
)
PASSED, EARLIER = "correct", "correct, with the right function in place of an earlier one of yours"


class Draw(random.Random):
    """Fresh inputs from one seed. ones: 0 or 1, to let the first of each two sizes be 1, or the second: where `squeeze`
    takes an axis away; shown: whether a student reads in the notebook what comes of them."""

    def __init__(self, seed, ones=None, shown=False):
        self._seed, self._ones, self.shown = random.getrandbits(62) if seed is None else seed, ones, shown
        super().__init__(self._seed)
        self._generator = torch.Generator().manual_seed(self.getrandbits(62))

    def again(self):
        """Return what draws the same once more."""
        return Draw(self._seed, self._ones, self.shown)

    def normal(self, *shape):
        """Return normal numbers: as scores they are of order 1, so that no softmax saturates."""
        return torch.randn(shape, generator=self._generator)

    def sizes(self, count, low=3, high=9):
        """Return `count` different sizes, so that exchanged axes show, or some of them 1."""
        sizes = self.sample(range(low, high + 1), count)
        return [1 if place % 2 == self._ones else size for place, size in enumerate(sizes)]

    def attending(self, queries, keys, d_k, d_v, *batch):
        """Return a query, key and value."""
        return self.normal(*batch, queries, d_k), self.normal(*batch, keys, d_k), self.normal(*batch, keys, d_v)

    def mask(self, *shape):
        """Return a mask in whose every row something is allowed and something is not, if there are two keys."""
        mask = self.normal(*shape) > 0
        mask[..., :1], mask[..., 1:2] = True, False
        return mask[..., self.sample(range(shape[-1]), shape[-1])]

    def in_any_order(self, cases, ask):
        """Return ask(case) for each case; nobody can tell from the order which one comes next."""
        answers = [None] * len(cases)
        for place in self.sample(range(len(cases)), len(cases)):
            answers[place] = ask(cases[place])
        return answers

    def words(self, count):
        """Return different made-up words in lower case, in no order."""
        words = {}
        while len(words) < count:
            parts = (self.choice("bdfgklmnprstvz") + self.choice("aeiou") for _ in range(self.randint(2, 4)))
            words["".join(parts)] = None
        return list(words)


def graded(check=None, *, of="", mistakes=None, earlier=None):
    """Turn check(student, draw) into what a test cell calls: check(student, seed=0); its docstring is the praise.

    seed: 0 draws the same inputs each time, None fresh ones. The grader calls `check.__wrapped__` with its own Draw.
    Raises Mistake, or NotImplementedError for what is not attempted; a notebook shows either in four lines at most.
    mistakes: {message: a wrong function or class}, in the place of what students call `of`: the tests hold that one
    of the checks that have it says its message; earlier: {name: the right function} of what has checks of its own.
    """
    if check is None:
        return functools.partial(graded, of=of, mistakes=mistakes, earlier=earlier)

    judged = functools.partial(_judged, check, earlier)

    @functools.wraps(check)
    def run(student, seed=0):
        student.check()
        try:
            said = judged(student, Draw(seed, shown=seed is not None))
        except NotImplementedError as error:
            error._render_traceback_ = lambda: ["not attempted yet (NotImplementedError)"]
            raise
        except Mistake as mistake:
            again = [f"the same call again: {student.again}"] if mistake.example and student.again else []
            mistake.example = [] if seed is None else [*mistake.example, *again]  # fresh inputs are not shown
            raise
        except Exception as error:  # as in the grader: an answer that the check did not foresee
            raise Mistake(f"the answer could not be judged: {type(error).__name__}: {error}") from error
        print(f"{said}: {check.__doc__}")
        for warning in (*student.slow(), *changes_inputs(student)):
            print(f"careful: {warning}")
        for name in student.borrowed():
            print(f"careful: `{name}` is the course's own, and not there when this notebook is graded; use torch alone")

    run.__wrapped__, run.of, run.mistakes = judged, of, mistakes or {}
    return run


def _judged(check, earlier, student, draw):
    """Judge an answer by the one rule of charging: a slip costs the check that names it, and no other.

    What is wrong passes if it is right with the right functions in place of `earlier` ones, or if it is in every number
    what a known mistake gives which another check has named. Returns what to say of it, "correct" and perhaps more.
    """
    known = {mistake: by for mistake, by in student.charged.items() if by != check.__name__}
    student.charged, wrong = dict(known), None
    for lent, said in [({}, PASSED), (earlier, EARLIER)][student.helped == check.__name__ : 2 if earlier else 1]:
        try:
            with student.replacing(lent):
                check(student, draw.again())
            student.helped = check.__name__ if lent is earlier else ""
            return said
        except (Mistake, NotImplementedError) as error:
            if named := sorted(getattr(error, "known", frozenset()) & known.keys()):
                return f"{PASSED}, but for what {known[named[0]]} says"
            wrong = wrong if wrong and isinstance(error, Stopped) else error  # what is lent is not asked for more
    if isinstance(wrong, Mistake) and student.wavers():
        wrong.args = (f"{wrong}; {WAVERS}",)
    student.charged |= dict.fromkeys(getattr(wrong, "known", ()), check.__name__)
    raise wrong


def changes_inputs(student):
    """Return a warning if functions changed what they were given: one, or none."""
    names = ", ".join(f"`{name}`" for name in sorted(student.in_place))
    return [f"{names}: {IN_PLACE}"] if names else []


def of_class(texts):
    """Turn texts(seed) into a function that returns {old text: new text} of a class: the notebook has those of None."""
    return lambda seed: dict(zip(texts(None), texts(seed)))


def table_of(many, *example):
    """Return {message: function}, where many(*inputs) returns {message: what this mistake gives on the inputs}."""
    return {message: lambda *inputs, message=message: many(*inputs)[message] for message in many(*example)}


def checks_in(package, path):
    """Return {name: function} of a package's checks, its `variation`, and its `remarks` if it has some."""
    modules = [importlib.import_module(f"{package}.{each.name}") for each in pkgutil.iter_modules(path)]
    wanted = "check_", "variation", "remarks"
    return {name: each for module in modules for name, each in vars(module).items() if name.startswith(wanted)}


def graded_table(judge, table, earlier=None):
    """Return {name: check} of {name: (praise, about)}, where each check is judge(student, draw, about), as `graded`."""
    checks = {}
    for name, (praise, about) in table.items():

        def check(student, draw, about=about):
            judge(student, draw, about)

        check.__doc__, check.__name__ = praise, name
        checks[name] = graded(check, earlier=earlier)
    return checks


def code_of(sources):
    """Return {name: its code, without comments} of all that a notebook's cells define, read as text: nothing is run."""
    code = {}
    for source in sources:
        code |= dict(FUNCTION.findall(source)) | dict(NAMED.findall(source))
    return {name: NO_CODE.sub("", body) for name, body in code.items()}


def uses(sources, names, unwanted):
    """Return a note for each of these names whose code uses what the text asks to do without."""
    code = code_of(sources)
    found = {name: sorted(set(re.findall(unwanted, code.get(name, "")))) for name in names}
    return [f"{name} uses {', '.join(each)}: the text asks to do without" for name, each in found.items() if each]
