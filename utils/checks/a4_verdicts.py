"""Judge the tests of a4_bug_hunt: they meet right and wrong attentions, in an order that nobody can guess."""

import torch

from utils.checks.a4_fresh import FRESH, FRESH_RIGHT, hopeless
from utils.checks.a4_order import RIGHT, WRONG
from utils.checks.feedback import Mistake, expect
from utils.grading.student import Stopped

TESTS = {
    "rows": "test_rows_sum_to_one",
    "scale": "test_scale",
    "hidden": "test_hidden_keys",
    "extremes": "test_extremes",
    "order": "test_order",
}
ADVICE = {
    "rows": "add the weights up over the keys, with a mask and without, with two heads or more",
    "scale": "compare with softmax of q·k / root of head_dim, with two heads or more and sizes that all differ",
    "hidden": "hide a key from all queries, change its value, and see whether the context moves",
    "extremes": "try scores of several hundred, and a query that may see nothing: it is promised zeros",
    "order": "shuffle keys and values alike: no context moves. Shuffle queries: the contexts move with them",
}
SCALES = ("scale missing", "scale of d_model, not of head_dim")  # they keep every promise but that of the scale
MASKS = ("mask after softmax", "mask inverted", "nan where a query sees nothing")  # without a mask they are right


def judge_test(student, draw, promise):
    """Run a student's test on attentions that break its promise, on right ones, and on some with another fault."""
    name = TESTS[promise]
    broken = [case for case in WRONG if case.breaks == promise]
    kept = MASKS if promise == "scale" else SCALES
    others = [case for case in WRONG if case.cause in kept]
    cases = 2 * RIGHT + (3 * broken)[:3] + others
    stops = [None] * len(cases)
    for place in draw.sample(range(len(cases)), len(cases)):
        stops[place] = _stop(student, name, cases[place].attention)
    expect(any(stops), f"{name} lets every attention pass, right or wrong: {ADVICE[promise]}")
    expect(not all(stops), f"{name} stops at every attention, right or wrong: {stops[0]}")
    for case, stop in zip(cases, stops):
        if case in RIGHT:
            expect(not stop, f"{name} stops at an attention {case.fault}: {stop}; does it compare with a tolerance?")
        elif case in broken:
            expect(stop, f"{name} lets an attention pass {case.fault}: {ADVICE[promise]}")
        else:
            aim = "without a mask that one is right" if promise == "scale" else "that is for test_scale to find"
            expect(not stop, f"{name} also stops at an attention {case.fault}; {aim}: {stop}")


def _stop(student, name, ours):
    try:
        given = student.call(name, sealed(ours))
    except Stopped as stop:
        return stop
    expect(given is not False, f"{name} returns False: a test stops, with `assert`, and returns nothing")
    return None


def judge_verdicts(student, draw, promise):
    """Ask is_right about attentions that break a promise, in all their forms, and about right ones."""
    wrong = [(case.fault, case.attention) for case in WRONG if case.breaks == promise]
    right = [(case.fault, case.attention) for case in RIGHT]
    _ask(student, draw, 2 * right, wrong + list(FRESH[promise].items()), ADVICE[promise])


def judge_wolf(student, draw):
    """Ask is_right about right attentions in forms that the student has not seen, and about a hopeless one."""
    wrong = [("that breaks every promise", hopeless)] * 3
    _ask(student, draw, FRESH_RIGHT.items(), wrong, "a test of any promise finds it")


def _ask(student, draw, right, wrong, advice):
    """Ask is_right about all in one shuffled row; right and wrong are pairs of a description and an attention."""
    cases = [(*case, True) for case in right] + [(*case, False) for case in wrong]
    verdicts = [None] * len(cases)
    for place in draw.sample(range(len(cases)), len(cases)):
        verdicts[place] = _verdict(student, *cases[place][:2])
    same = len(set(verdicts)) == 1
    expect(not same, f"is_right says {verdicts[0]} to every attention, right or wrong")
    for verdict, (fault, _, wanted) in zip(verdicts, cases):
        hint = "see which test stops, and whether it compares with a tolerance" if wanted else advice
        expect(verdict == wanted, f"is_right says {verdict} to an attention {fault}: {hint}")


def _verdict(student, fault, ours):
    try:
        given = student.call("is_right", sealed(ours))
    except Stopped as stop:
        message = f"is_right gives no verdict on an attention {fault}, but stops: {stop.kind}: {stop.message}"
        raise Mistake(f"{message}; what stops with an error is not right either, so return False") from None
    expect(given is not None, "is_right gives None; did you forget `return`?")
    if isinstance(given, torch.Tensor) and given.dtype == torch.bool and given.numel() == 1:
        given = bool(given)
    expect(isinstance(given, bool), f"is_right gives a {type(given).__name__}; return True or False")
    return given


def sealed(ours):
    """Return an attention behind one name and one set of errors: what it refuses must not tell which it is."""

    def attention(query, key, value, num_heads, mask=None):
        for name, each in (("query", query), ("key", key), ("value", value)):
            _check_features(name, each)
        batch, queries, d_model = query.shape
        fits = key.shape[0] == value.shape[0] == batch and key.shape[1] == value.shape[1] and key.shape[2] == d_model
        if not fits or not query.dtype == key.dtype == value.dtype:
            given = ", ".join(f"{tuple(each.shape)} of {each.dtype}" for each in (query, key, value))
            raise ValueError(f"query, key and value do not fit: {given}")
        if type(num_heads) is not int or num_heads < 1 or d_model % num_heads or value.shape[2] % num_heads:
            raise ValueError(f"num_heads is {num_heads!r}; it must divide {d_model} and {value.shape[2]} features")
        _check_mask(mask, (batch, num_heads, queries, key.shape[1]))
        return ours(query, key, value, num_heads, mask)

    return attention


def _check_features(name, given):
    if not isinstance(given, torch.Tensor) or not given.is_floating_point() or given.ndim != 3 or not given.numel():
        shown = f"shape {tuple(given.shape)}" if isinstance(given, torch.Tensor) else f"type {type(given).__name__}"
        raise ValueError(f"{name} has {shown}; a tensor of floats (batch, tokens, d_model) is needed")
    if not given.isfinite().all():
        raise ValueError(f"{name} holds nan or inf; the promises are for numbers")


def _check_mask(mask, shape):
    if mask is None:
        return
    if not isinstance(mask, torch.Tensor) or mask.dtype != torch.bool:
        raise ValueError("a mask is a boolean tensor, True = may attend")
    try:
        mask.expand(shape)
    except RuntimeError:
        raise ValueError(f"the mask has shape {tuple(mask.shape)}, which does not stretch to {shape}") from None
