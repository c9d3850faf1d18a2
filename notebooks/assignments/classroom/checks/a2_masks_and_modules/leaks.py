"""Checks of the assignment a2_masks_and_modules: what a student's test of a look ahead says to modules."""

import functools

import torch
from torch import nn
from torch.nn import functional as F

from classroom.checks.graded import graded_table, truth
from companion.checks.feedback import expect
from companion.checks.mistakes import after_softmax
from utils.attention import masked_softmax, scores

CAUSAL = "honest causal attention (does an earlier change stay, or does the changed token's own output count?)"


def past(i, j, n, training):
    return j <= i


def everything(i, j, n, training):
    return j >= 0


class Reader(nn.Module):
    """One attention head, causal unless told otherwise, from (..., tokens, d_in) to (..., tokens, d_out).

    may(i, j, n, training): which query i may attend to which key j of n; before(inputs): changes the inputs first;
    weigh(scores, mask): scores to weights; after(context, inputs, training): changes the context at the end.
    """

    def __init__(self, draw, d_in, *, may=past, before=None, weigh=masked_softmax, after=None):
        super().__init__()
        self.sizes = d_in + 1, d_in + 1, d_in + 2  # of query, key and value
        self.matrix = torch.cat([draw.normal(d_in, size) for size in self.sizes], dim=1) / d_in**0.5
        self.may, self.before, self.weigh, self.after = may, before, weigh, after

    def forward(self, inputs):
        features = self.before(inputs) if self.before else inputs
        query, key, value = (features @ self.matrix.to(inputs.dtype)).split(self.sizes, dim=-1)
        tokens, places = inputs.shape[-2], torch.arange(inputs.shape[-2])
        mask = self.may(places[:, None], places, tokens, self.training).expand(tokens, tokens)
        context = self.weigh(scores(query.tanh(), key.tanh()), mask) @ value  # tanh: no weight is too small to see
        return self.after(context, inputs, self.training) if self.after else context


def feature_norm(inputs):
    return F.layer_norm(inputs, inputs.shape[-1:])


def less_mean(context, inputs, training):
    return context - context.mean(-2, keepdim=True)


def rounded_by_all(context, inputs, training, factor=1):
    """Let all inputs change the last digits, as rounding does where sums are taken in another order."""
    return factor * context * (1 + 1e-6 * inputs.sum(dim=(-2, -1), keepdim=True).sin())


def mean_in_last_feature(context, inputs, training):
    return torch.cat([context[..., :-1], context[..., -1:] + inputs.mean(dim=(-2, -1), keepdim=True)], dim=-1)


def next_last_feature(context, inputs, training):
    following = torch.cat([inputs[..., 1:, -1:], torch.zeros_like(inputs[..., :1, -1:])], dim=-2)
    return context + following


def _honest(**changes):
    return False, lambda draw, d_in: Reader(draw, d_in, **changes)


def _leaking(**changes):
    return True, lambda draw, d_in: Reader(draw, d_in, **changes)


def _distant(draw, d_in):
    distance = draw.randint(4, 8)
    return Reader(draw, d_in, may=lambda i, j, n, training: (j <= i) | (j == i + distance))


def _at_one_place(parity, draw, d_in):
    """A leak of one token to the one before it, at a random place whose number is even (0) or odd (1)."""
    place = 2 * draw.randint(0, 4) + parity
    return Reader(draw, d_in, may=lambda i, j, n, training: (j <= i) | ((i == place) & (j == place + 1)))


# {what the module is: (whether it leaks, how it is made from draw and d_in)}
MASKS = {
    CAUSAL: _honest(),
    "attention without any mask": _leaking(may=everything),
    "a diagonal off by one, so that each token sees its successor": _leaking(may=lambda i, j, n, training: j <= i + 1),
    "an inverted mask": _leaking(may=lambda i, j, n, training: j > i),
    "a mask with rows and columns exchanged": _leaking(may=lambda i, j, n, training: j >= i),
    "a token that reads only what stands before it (honest)": _honest(may=lambda i, j, n, training: j < i),
}
MODES = {
    "a module that is honest in train() and in eval()": _honest(),
    "a leak in eval() only": _leaking(may=lambda i, j, n, training: (j <= i) | (not training)),
    "a leak in train() only": _leaking(may=lambda i, j, n, training: (j <= i) | training),
    "outputs twice as large in train() (honest: never compare one mode with the other)": _honest(
        after=lambda context, inputs, training: context * (1 + training)
    ),
}
PLACES = {
    CAUSAL: _honest(),
    "a leak over a distance of several tokens (is your sentence long enough?)": (True, _distant),
    "a leak in the last query that has a future, the last but one": _leaking(
        may=lambda i, j, n, training: (j <= i) | (i == n - 2)
    ),
    "a leak at one place somewhere in the sentence": (True, functools.partial(_at_one_place, 0)),
    "a leak at one other place (change each of them)": (True, functools.partial(_at_one_place, 1)),
}
HIDDEN = {
    "a normalisation by the mean over all tokens, the later ones too": _leaking(after=less_mean),
    "a mask after softmax: later tokens count in the sum (are your inputs all zeros?)": _leaking(weigh=after_softmax),
    "a leak that shows in the last output feature only": _leaking(after=mean_in_last_feature),
    "a leak that reads the last input feature only": _leaking(after=next_last_feature),
    "a leak with small outputs (compare with a tolerance that is small against them)": _leaking(
        after=lambda context, inputs, training: 0.001 * context, may=everything
    ),
    "a leak behind a normalisation over features (change each feature by another random number)": _leaking(
        may=everything, before=feature_norm
    ),
    "a normalisation over each token's own features (honest)": _honest(before=feature_norm),
    "honest outputs in whose last digits later inputs show (compare with a tolerance)": _honest(after=rounded_by_all),
    "very large honest outputs, with rounding to match (is your tolerance relative to the largest output?)": _honest(
        after=functools.partial(rounded_by_all, factor=10_000)
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
