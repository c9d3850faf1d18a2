"""Checks of the assignment a2_masks_and_modules: what a student's test of a look ahead says to modules."""

import torch

from classroom.checks.a2_masks_and_modules import leaking_modules
from classroom.checks.graded import graded_table, truth
from companion.checks.feedback import expect
from companion.checks.mistakes import after_softmax, filled

HONEST, LEAKS = False, True


def _honest(**changes):
    return HONEST, lambda draw, d_in: leaking_modules.Reader(draw, d_in, **changes)


def _leaking(**changes):
    return LEAKS, lambda draw, d_in: leaking_modules.Reader(draw, d_in, **changes)


def _distant(draw, d_in):
    distance = draw.randint(4, 8)
    return leaking_modules.Reader(draw, d_in, may=lambda i, j, n, training: (j <= i) | (j == i + distance))


def _at_one_place(parity):
    """A leak of one token to the one before it, at a random place whose number is even (0) or odd (1)."""

    def made(draw, d_in):
        place = 2 * draw.randint(0, 4) + parity
        return leaking_modules.Reader(draw, d_in, may=leaking_modules.one_leak(lambda n: place, lambda n: place + 1))

    return made


# {what the module is: (whether it leaks, how it is made from draw and d_in)}
MASKS = {
    "honest causal attention (does an earlier change stay, or does the changed token's own output count?)": _honest(),
    "attention without any mask": _leaking(may=leaking_modules.everything),
    "a diagonal off by one, so that each token sees its successor": _leaking(may=lambda i, j, n, training: j <= i + 1),
    "an inverted mask": _leaking(may=lambda i, j, n, training: j > i),
    "a mask with rows and columns exchanged": _leaking(may=lambda i, j, n, training: j >= i),
    "a token that reads only itself (honest)": _honest(may=lambda i, j, n, training: j == i),
    "a token that reads only what stands before it (honest)": _honest(may=lambda i, j, n, training: j < i),
    "all tokens reading only the first one (honest; not even the last token's output moves with the last input)": (
        _honest(may=lambda i, j, n, training: j == 0)
    ),
    "a running sum of all inputs so far (honest, and no attention at all)": _honest(
        after=lambda context, inputs, training: inputs.cumsum(-2)
    ),
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
    "a window of three tokens in eval() only (honest)": _honest(
        may=lambda i, j, n, training: (j <= i) & ((j > i - 3) | training)
    ),
    "a running sum in eval() only (honest)": _honest(
        after=lambda context, inputs, training: context if training else context.cumsum(-2)
    ),
}

PLACES = {
    "honest causal attention (does an earlier change stay, or does the changed token's own output count?)": _honest(),
    "a leak over a distance of several tokens (is your sentence long enough?)": (LEAKS, _distant),
    "a leak in the last query that has a future, the last but one": _leaking(
        may=leaking_modules.one_leak(lambda n: n - 2, lambda n: n - 1)
    ),
    "a leak in the first query only": _leaking(may=leaking_modules.one_leak(lambda n: 0, lambda n: 1)),
    "a leak at one place somewhere in the sentence": (LEAKS, _at_one_place(0)),
    "a leak at one other place (change each of them)": (LEAKS, _at_one_place(1)),
    "a last token that everybody reads": _leaking(may=lambda i, j, n, training: (j <= i) | (j == n - 1)),
    "a window of three tokens (honest)": _honest(may=lambda i, j, n, training: (j <= i) & (j > i - 3)),
    "attention that knows each token's place (honest)": _honest(before=leaking_modules.with_places),
    "outputs that no input moves (honest)": _honest(after=lambda context, inputs, training: torch.ones_like(context)),
}

HIDDEN = {
    "a normalisation by the mean over all tokens, the later ones too": _leaking(after=leaking_modules.normalised),
    "a mask after softmax: the future is still in the sum that divides (are your inputs all zeros?)": _leaking(
        weigh=after_softmax
    ),
    "masked scores set to 0, and exp(0) is 1": _leaking(weigh=filled(0.0)),
    "a leak that shows in the last output feature only": _leaking(after=leaking_modules.mean_in_last_feature),
    "a leak that reads the last input feature only": _leaking(after=leaking_modules.next_last_feature),
    "a leak with small outputs (compare with a tolerance that is small against them)": _leaking(
        after=leaking_modules.times(0.001), may=leaking_modules.everything
    ),
    "a leak behind a normalisation over features (change each feature by another random number)": _leaking(
        may=leaking_modules.everything, before=leaking_modules.feature_norm
    ),
    "a normalisation over each token's own features (honest)": _honest(before=leaking_modules.feature_norm),
    "a running mean over the tokens so far (honest)": _honest(after=leaking_modules.less_running_mean),
    "honest attention with small outputs": _honest(after=leaking_modules.times(0.001)),
    "honest outputs in whose last digits later inputs show (compare with a tolerance)": _honest(
        after=leaking_modules.rounded_by_all
    ),
    "very large honest outputs, with rounding to match (is your tolerance relative to the largest output?)": _honest(
        after=leaking_modules.times(10_000, leaking_modules.rounded_by_all)
    ),
}


def _check_verdicts(student, draw, cases):
    """Ask for a verdict on each module in random order, then name the first wrong one in the order of the list."""
    d_in = draw.sizes(1)[0]

    def verdict(case):
        _, made = case
        return truth(student.call("leaks_future", made(draw, d_in), d_in), "leaks_future")

    verdicts = draw.in_any_order(list(cases.values()), verdict)
    for given, (about, (leaking, _)) in zip(verdicts, cases.items()):
        wanted = "a leak is missed" if leaking else "no output moves when a later input changes, but you say it leaks"
        expect(given == leaking, f"{wanted}: {about}")


CHECKS = {
    "check_leaks_masks": (
        "missing, shifted, inverted and transposed masks are found, and honest modules are left in peace.",
        MASKS,
    ),
    "check_leaks_modes": ("a leak in only one of train() and eval() is found.", MODES),
    "check_leaks_places": ("a leak is found wherever in the sentence it sits.", PLACES),
    "check_leaks_hidden": ("leaks that a mask does not show are found, too.", HIDDEN),
}
globals().update(graded_table(_check_verdicts, CHECKS))
