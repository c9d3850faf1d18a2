"""Judge the tests of a4_bug_hunt: they meet right and wrong attentions, in an order that nobody can guess."""

import torch

from classroom.checks.a4_bug_hunt.attentions import BROKEN, FRESH_RIGHT, RIGHT, WRONG, hopeless, named
from classroom.checks.answers import truth
from classroom.checks.graded import graded, graded_table
from classroom.student import Stopped
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
WITH_MASKS = named(case for case in WRONG if case.cause in (LATE, "mask inverted", "nan where a query sees nothing"))
RIGHT_ONES = list(named(RIGHT).items())


def _judge_test(student, draw, promise):
    """Run a student's test on attentions that break its promise, on right ones, and on some with another fault."""
    name, broken = TESTS[promise], BROKEN[promise]
    if promise == "hidden":  # what masks too late keeps the hidden keys in the sum of each row
        broken = broken | named(case for case in WRONG if case.cause == LATE)
    others = WITH_MASKS if promise == "scale" else BROKEN["scale"]  # these keep every promise but that of the scale
    cases = [*2 * RIGHT_ONES, *broken.items(), *others.items()]
    stops = _stops(student, draw, name, cases)
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


def _stops(student, draw, name, cases):
    """Return for each case the error that a student's test stops with, None if it lets the attention pass."""

    def stop(case):
        try:
            given = student.call(name, sealed(case[1]))
        except Stopped as error:
            return error
        expect(given is not False, f"{name} returns False: a test stops, with `assert`, and returns nothing")
        return None

    return draw.in_any_order(cases, stop)


def _judge_verdicts(student, draw, promise):
    """Ask is_right about attentions that break a promise, in all their forms, and about right ones.

    What it says to right ones, and what the promise's own test lets pass unless that is all, other checks charge.
    """
    right, broken = 2 * RIGHT_ONES, list(BROKEN[promise].items())
    verdicts, doing = _without_alarms(student, draw, right, broken)
    says, *others = dict.fromkeys(verdicts[: len(right)])
    found = [verdict != says for verdict in verdicts[len(right) :]]
    if others or not any(found):
        _expect_verdicts(verdicts, right, broken, ADVICE[promise], doing)
    if not all(found):
        counts = TESTS[promise] not in doing
        stops = _stops(student, draw, TESTS[promise], broken) if counts else broken
        for (fault, _), hit, stop in zip(broken, found, stops):
            expect(hit or not stop, f"{doing} says {says} to an attention {fault}: {ADVICE[promise]}")


def _without_alarms(student, draw, right, wrong):
    """Return for each case what is_right says, and who says it. A test that stops at a right attention, or is not there
    yet, is charged by its own check: here it does nothing meanwhile, and is_right must do with the others."""
    verdicts, alarms = _verdicts(student, draw, right + wrong), []
    if verdicts[: len(right)] != [True] * len(right):
        alarms = _alarms(student, draw)
    if alarms:
        with student.replacing(dict.fromkeys(alarms, lambda attention: None)):
            verdicts = _verdicts(student, draw, right + wrong)
    for verdict in verdicts:
        if isinstance(verdict, Exception):
            raise verdict
    return verdicts, f"{' and '.join(alarms)} not counted, is_right" if alarms else "is_right"


def _alarms(student, draw):
    """Return the names of the tests that stop at a right attention, or are not there yet."""
    found = []
    for name in TESTS.values():
        try:
            stops = _stops(student, draw, name, RIGHT_ONES)
        except (Mistake, NotImplementedError):
            stops = [name]
        found += [name] * any(stops)
    return found


@graded
def check_cries_no_wolf(student, draw):
    """is_right says True to three right ones that it had not seen, and False to a hopeless one."""
    right, wrong = list(FRESH_RIGHT.items()), 3 * [("that breaks every promise", hopeless)]
    verdicts, doing = _without_alarms(student, draw, right, wrong)
    for verdict in verdicts:
        truth(verdict, "is_right")
    _expect_verdicts(verdicts, right, wrong, "a test of any promise finds it", doing)


def _expect_verdicts(verdicts, right, wrong, advice, doing="is_right"):
    hint = "see which of your tests stops there, and at which line" if not any(verdicts) else advice
    same = len(set(verdicts)) == 1
    expect(not same, f"{doing} says {verdicts[0]} to every attention that it meets here, right or wrong: {hint}")
    for verdict, (fault, _) in zip(verdicts, right):
        expect(verdict, f"{doing} says False to an attention {fault}: see which test stops; {LINE}")
    for verdict, (fault, _) in zip(verdicts[len(right) :], wrong):
        expect(not verdict, f"{doing} says True to an attention {fault}: {advice}")


def _verdicts(student, draw, cases):
    """Return for each case what is_right says, or the error that comes in place of a verdict."""

    def verdict(case):
        fault, ours = case
        try:
            given = student.call("is_right", sealed(ours))
            return None if given is None else truth(given, "is_right")  # a forgotten return is one slip
        except Stopped as stop:
            message = f"is_right gives no verdict on an attention {fault}, but stops: {stop.kind}: {stop.message}"
            return Mistake(f"{message}; what stops with an error is not right either, so return False")
        except (Mistake, NotImplementedError) as error:
            return error

    return draw.in_any_order(cases, verdict)


def sealed(ours):
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
        return ours(query, key, value, num_heads, mask)

    return attention


CHECKS = {
    f"check_test_{promise}": (f"{TESTS[promise]} stops at {fault}, and at nothing that is right.", promise)
    for promise, fault in FAULTS.items()
}
VERDICTS = {f"check_finds_{promise}": (f"is_right finds {fault}.", promise) for promise, fault in FAULTS.items()}
globals().update(graded_table(_judge_test, CHECKS) | graded_table(_judge_verdicts, VERDICTS))
