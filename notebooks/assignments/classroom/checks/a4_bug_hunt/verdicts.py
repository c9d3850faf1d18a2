"""Judge the tests of a4_bug_hunt: they meet right and wrong attentions, in an order that nobody can guess."""

import torch

from classroom.checks.a4_bug_hunt.attentions import BROKEN, FRESH_RIGHT, RIGHT, WRONG, by_fault, hopeless
from classroom.checks.graded import Inputs, graded, make_check
from classroom.checks.shared import expect_truth
from classroom.student import Student, StudentError
from companion.checks.feedback import Mistake, expect
from utils import shapes

TESTS = {
    "rows": "test_rows_sum_to_one",
    "scale": "test_scale",
    "hidden": "test_hidden_keys",
    "extremes": "test_extremes",
    "order": "test_order",
}
FAULTS = {
    "rows": "rows that do not sum to 1",
    "scale": "a wrong scale",
    "hidden": "hidden keys that are read",
    "extremes": "what large scores and empty rows break",
    "order": "tokens that are mixed up",
}
ADVICE = {
    "rows": "add the weights up over the keys, with a mask and without, with two heads or more",
    "scale": "compare with softmax of q·k / root of head_dim, with two heads or more and sizes that all differ",
    "hidden": "hide a token from all queries, change its key and its value, and see whether a context moves",
    "extremes": "try scores of several hundred (is each sum still 1?), and a query that may see nothing: all zeros",
    "order": "shuffle keys and values alike: no context moves. Shuffle queries: the contexts move with them",
}
LINE = "does that line compare with a tolerance, and with what is promised?"
LATE = "mask after softmax"
WITH_MASKS = by_fault(case for case in WRONG if case.cause in (LATE, "mask inverted", "nan where a query sees nothing"))
RIGHT_ONES = list(by_fault(RIGHT).items())


def _judge_test(student: Student, fresh: Inputs, promise: str):
    """Run a student's test on attentions that break its promise, on right ones, and on some with another fault."""
    name, broken = TESTS[promise], BROKEN[promise]
    if promise == "hidden":  # what masks too late keeps the hidden keys in the sum of each row
        broken = broken | by_fault(case for case in WRONG if case.cause == LATE)
    others = WITH_MASKS if promise == "scale" else BROKEN["scale"]  # these keep every promise but that of the scale
    cases = [*2 * RIGHT_ONES, *broken.items(), *others.items()]
    stops = _run_test(student, fresh, name, cases)
    expect(any(stops), f"{name} lets all attentions pass that it meets here, right and wrong: {ADVICE[promise]}")
    expect(not all(stops), f"{name} stops at every attention, right or wrong: {stops[0]}; {LINE}")
    for (fault, _), stop in zip(cases, stops):
        if fault in broken:
            expect(stop, f"{name} lets an attention pass {fault}: {ADVICE[promise]}")
        elif fault in others:
            aim = "without a mask that one is right" if promise == "scale" else "that is for test_scale to find"
            expect(not stop, f"{name} also stops at an attention {fault}; {aim}: {stop}")
        else:
            expect(not stop, f"{name} stops at an attention {fault}: {stop}; {LINE}")


def _run_test(student: Student, fresh: Inputs, name: str, cases: list) -> list:
    """Return for each case the error that a student's test stops with, None if it lets the attention pass."""

    def find_stop(case):
        try:
            answer = student.call(name, seal(case[1]))
        except StudentError as error:
            return error
        expect(answer is not False, f"{name} returns False: a test stops, with `assert`, and returns nothing")
        return None

    return fresh.in_any_order(cases, find_stop)


def _judge_verdicts(student: Student, fresh: Inputs, promise: str):
    """Ask is_right about attentions that break a promise, in all their forms, and about right ones.

    What it says to right ones, and what the promise's own test lets pass unless that is all, other checks charge.
    """
    right, broken = 2 * RIGHT_ONES, list(BROKEN[promise].items())
    verdicts, doing = _ask_without_alarms(student, fresh, right, broken)
    on_right_ones, *others = dict.fromkeys(verdicts[: len(right)])
    hits = [verdict != on_right_ones for verdict in verdicts[len(right) :]]
    if others or not any(hits):
        _expect_verdicts(verdicts, right, broken, ADVICE[promise], doing)
    if not all(hits):
        counts = TESTS[promise] not in doing
        stops = _run_test(student, fresh, TESTS[promise], broken) if counts else broken
        for (fault, _), hit, stop in zip(broken, hits, stops):
            expect(hit or not stop, f"{doing} says {on_right_ones} to an attention {fault}: {ADVICE[promise]}")


def _ask_without_alarms(student: Student, fresh: Inputs, right: list, wrong: list) -> tuple[list, str]:
    """Return for each case what is_right says, and who says it. A test that stops at a right attention, or is not there
    yet, is charged by its own check: here it does nothing meanwhile, and is_right must do with the others."""
    alarms = _find_alarms(student, fresh)
    with student.replacing(dict.fromkeys(alarms, lambda attention: None)):
        verdicts = _ask_is_right(student, fresh, right + wrong)
    for verdict in verdicts:
        if isinstance(verdict, Exception):
            raise verdict
    return verdicts, f"{' and '.join(alarms)} not counted, is_right" if alarms else "is_right"


def _find_alarms(student: Student, fresh: Inputs) -> list[str]:
    """Return the names of the tests that stop at a right attention, or are not there yet."""
    names = []
    for name in TESTS.values():
        try:
            stops = _run_test(student, fresh, name, RIGHT_ONES)
        except (Mistake, NotImplementedError):
            stops = [name]
        names += [name] * any(stops)
    return names


@graded
def check_cries_no_wolf(student: Student, fresh: Inputs):
    """is_right says True to three right ones that it had not seen, and False to a hopeless one."""
    right, wrong = list(FRESH_RIGHT.items()), 3 * [("that breaks every promise", hopeless)]
    verdicts, doing = _ask_without_alarms(student, fresh, right, wrong)
    for verdict in verdicts:
        expect_truth(verdict, "is_right")
    _expect_verdicts(verdicts, right, wrong, "a test of any promise finds it", doing)


def _expect_verdicts(verdicts: list, right: list, wrong: list, advice: str, doing: str):
    hint = "see which of your tests stops there, and at which line" if not any(verdicts) else advice
    same = len(set(verdicts)) == 1
    expect(not same, f"{doing} says {verdicts[0]} to every attention that it meets here, right or wrong: {hint}")
    for verdict, (fault, _) in zip(verdicts, right):
        expect(verdict, f"{doing} says False to an attention {fault}: see which test stops; {LINE}")
    for verdict, (fault, _) in zip(verdicts[len(right) :], wrong):
        expect(not verdict, f"{doing} says True to an attention {fault}: {advice}")


def _ask_is_right(student: Student, fresh: Inputs, cases: list) -> list:
    """Return for each case what is_right says, or the error that comes in place of a verdict."""

    def give_verdict(case):
        fault, attention = case
        try:
            answer = student.call("is_right", seal(attention))
            return None if answer is None else expect_truth(answer, "is_right")  # a forgotten return is one slip
        except StudentError as stop:
            message = f"is_right gives no verdict on an attention {fault}, but stops: {stop.kind}: {stop.message}"
            return Mistake(f"{message}; what stops with an error is not right either, so return False")
        except (Mistake, NotImplementedError) as error:
            return error

    return fresh.in_any_order(cases, give_verdict)


def seal(inner):
    """Return an attention behind one name and one set of errors: what it refuses must not tell which it is."""

    def attention(query, key, value, num_heads, mask=None):
        shapes.check_attention(query, key, value)
        if query.ndim != 3 or not all(part.numel() and part.isfinite().all() for part in (query, key, value)):
            raise ValueError("query, key and value need three axes, (batch, tokens, features), and finite numbers")
        if type(num_heads) is not int:
            raise TypeError(f"num_heads is {num_heads!r}; it must be a whole number")
        for part in (query, value):
            shapes.check_heads(part.shape[2], num_heads, num_heads)
        rows = torch.atleast_2d(mask) if isinstance(mask, torch.Tensor) else mask
        shapes.check_mask(rows, (len(query), num_heads, query.shape[1], key.shape[1]))
        return inner(query, key, value, num_heads, mask)

    return attention


check_test_rows, check_test_scale, check_test_hidden, check_test_extremes, check_test_order = (
    make_check(f"check_test_{key}", _judge_test, key, f"{TESTS[key]} stops at {fault}, and at nothing that is right.")
    for key, fault in FAULTS.items()
)
check_finds_rows, check_finds_scale, check_finds_hidden, check_finds_extremes, check_finds_order = (
    make_check(f"check_finds_{key}", _judge_verdicts, key, f"is_right finds {fault}.") for key, fault in FAULTS.items()
)
