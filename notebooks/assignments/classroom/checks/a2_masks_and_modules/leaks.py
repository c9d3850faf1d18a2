"""Checks of the assignment a2_masks_and_modules: what a student's test of a look ahead says to modules."""

import functools

import torch

from classroom.checks.a2_masks_and_modules import leaking_modules as made
from classroom.checks.graded import graded_table, truth
from companion.checks.feedback import expect
from companion.checks.mistakes import after_softmax, filled

CAUSAL = "honest causal attention (does an earlier change stay, or does the changed token's own output count?)"


def _honest(**changes):
    return False, lambda draw, d_in: made.Reader(draw, d_in, **changes)


def _leaking(**changes):
    return True, lambda draw, d_in: made.Reader(draw, d_in, **changes)


def _distant(draw, d_in):
    distance = draw.randint(4, 8)
    return made.Reader(draw, d_in, may=lambda i, j, n, training: (j <= i) | (j == i + distance))


def _at_one_place(parity, draw, d_in):
    """A leak of one token to the one before it, at a random place whose number is even (0) or odd (1)."""
    place = 2 * draw.randint(0, 4) + parity
    return made.Reader(draw, d_in, may=made.one_leak(lambda n: place, lambda n: place + 1))


# {what the module is: (whether it leaks, how it is made from draw and d_in)}
MASKS = {
    CAUSAL: _honest(),
    "attention without any mask": _leaking(may=made.everything),
    "a diagonal off by one, so that each token sees its successor": _leaking(may=lambda i, j, n, training: j <= i + 1),
    "an inverted mask": _leaking(may=lambda i, j, n, training: j > i),
    "a mask with rows and columns exchanged": _leaking(may=lambda i, j, n, training: j >= i),
    "a token that reads only itself (honest)": _honest(may=lambda i, j, n, training: j == i),
    "a token that reads only what stands before it (honest)": _honest(may=lambda i, j, n, training: j < i),
    "tokens that all read the first one only (honest)": _honest(may=lambda i, j, n, training: j == 0),
    "a running sum of all inputs so far (honest)": _honest(after=lambda context, inputs, training: inputs.cumsum(-2)),
}
MODES = {
    "a module that is honest in train() and in eval()": _honest(),
    "a leak in eval() only": _leaking(may=lambda i, j, n, training: (j <= i) | (not training)),
    "a leak in train() only": _leaking(may=lambda i, j, n, training: (j <= i) | training),
    "a diagonal that is off by one in eval() only": _leaking(may=lambda i, j, n, training: j <= i + (not training)),
    "a diagonal that is off by one in train() only": _leaking(may=lambda i, j, n, training: j <= i + training),
    "outputs twice as large in train() (honest: never compare one mode with the other)": _honest(
        after=lambda context, inputs, training: context * (1 + training)
    ),
    "a running sum in eval() only (honest)": _honest(
        after=lambda context, inputs, training: context if training else context.cumsum(-2)
    ),
}
PLACES = {
    CAUSAL: _honest(),
    "a leak over a distance of several tokens (is your sentence long enough?)": (True, _distant),
    "a leak in the last query that has a future, the last but one": _leaking(
        may=made.one_leak(lambda n: n - 2, lambda n: n - 1)
    ),
    "a leak in the first query only": _leaking(may=made.one_leak(lambda n: 0, lambda n: 1)),
    "a leak at one place somewhere in the sentence": (True, functools.partial(_at_one_place, 0)),
    "a leak at one other place (change each of them)": (True, functools.partial(_at_one_place, 1)),
    "a last token that everybody reads": _leaking(may=lambda i, j, n, training: (j <= i) | (j == n - 1)),
    "attention that knows each token's place (honest)": _honest(before=made.with_places),
    "outputs that no input moves (honest)": _honest(after=lambda context, inputs, training: torch.ones_like(context)),
}
HIDDEN = {
    "a normalisation by the mean over all tokens, the later ones too": _leaking(after=made.normalised),
    "a mask after softmax: later tokens count in the sum (are your inputs all zeros?)": _leaking(weigh=after_softmax),
    "masked scores set to 0, and exp(0) is 1": _leaking(weigh=filled(0.0)),
    "a leak that shows in the last output feature only": _leaking(after=made.mean_in_last_feature),
    "a leak that reads the last input feature only": _leaking(after=made.next_last_feature),
    "a leak with small outputs (compare with a tolerance that is small against them)": _leaking(
        after=made.small, may=made.everything
    ),
    "a leak behind a normalisation over features (change each feature by another random number)": _leaking(
        may=made.everything, before=made.feature_norm
    ),
    "a normalisation over each token's own features (honest)": _honest(before=made.feature_norm),
    "a running mean over the tokens so far (honest)": _honest(after=made.less_running_mean),
    "honest attention with small outputs": _honest(after=made.small),
    "honest outputs in whose last digits later inputs show (compare with a tolerance)": _honest(
        after=made.rounded_by_all
    ),
    "very large honest outputs, with rounding to match (is your tolerance relative to the largest output?)": _honest(
        after=functools.partial(made.rounded_by_all, factor=10_000)
    ),
}


def _check_verdicts(student, draw, cases):
    """Ask for a verdict on each module in random order, then name the first wrong one in the order of the list."""
    d_in = draw.sizes(1)[0]

    def verdict(case):
        _, make = case
        return truth(student.call("leaks_future", make(draw, d_in), d_in), "leaks_future")

    verdicts = draw.in_any_order(list(cases.values()), verdict)
    for given, (about, (leaking, _)) in zip(verdicts, cases.items()):
        wanted = "a leak is missed" if leaking else "no output moves when a later input changes, but you say it leaks"
        expect(given == leaking, f"{wanted}: {about}")


MASKS_PRAISE = "missing, shifted, inverted and transposed masks are found, and honest modules are left in peace."
CHECKS = {
    "check_leaks_masks": (MASKS_PRAISE, MASKS),
    "check_leaks_modes": ("a leak in only one of train() and eval() is found.", MODES),
    "check_leaks_places": ("a leak is found wherever in the sentence it sits.", PLACES),
    "check_leaks_hidden": ("leaks that a mask does not show are found, too.", HIDDEN),
}
globals().update(graded_table(_check_verdicts, CHECKS))
