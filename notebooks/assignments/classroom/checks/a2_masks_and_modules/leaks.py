"""Checks of the assignment a2_masks_and_modules: what a student's test of a look ahead says to modules."""

import torch
from torch import nn
from torch.nn import functional as F

from classroom.checks.graded import Inputs, Student, make_check
from classroom.checks.shared import expect_truth
from companion.checks.feedback import expect
from companion.mistakes import after_softmax
from utils.attention import masked_softmax, scores

HONEST = "honest causal attention (does an earlier change stay, or does the changed token's own output count?)"


def everything(i, j, n, training):
    return j >= 0


class CausalHead(nn.Module):
    """One attention head, causal unless told otherwise, from (..., tokens, d_in) to (..., tokens, d_out).

    may(i, j, n, training): which query i may attend to which key j of n; before(inputs): changes the inputs first;
    weigh(scores, mask): scores to weights; after(context, inputs, training): changes the context at the end.
    """

    def __init__(self, fresh, d_in, may=lambda i, j, *_: j <= i, before=None, weigh=masked_softmax, after=None):
        super().__init__()
        self.sizes = d_in + 1, d_in + 1, d_in + 2  # of query, key and value
        self.matrix = torch.cat([fresh.normal(d_in, size) for size in self.sizes], dim=1) / d_in**0.5
        self.may, self.before, self.weigh, self.after = may, before, weigh, after

    def forward(self, inputs):
        features = self.before(inputs) if self.before else inputs
        query, key, value = (features @ self.matrix.to(inputs.dtype)).split(self.sizes, dim=-1)
        tokens, positions = inputs.shape[-2], torch.arange(inputs.shape[-2])
        mask = self.may(positions[:, None], positions, tokens, self.training).expand(tokens, tokens)
        context = self.weigh(scores(query.tanh(), key.tanh()), mask) @ value  # tanh: no weight is too small to see
        return self.after(context, inputs, self.training) if self.after else context


def rounded_by_all(context, inputs, training):
    """Let all inputs change the last digits, as rounding does where sums are taken in another order."""
    return context * (1 + 1e-6 * inputs.sum(dim=(-2, -1), keepdim=True).sin())


def mean_in_last_feature(context, inputs, training):
    return torch.cat([context[..., :-1], context[..., -1:] + inputs.mean(dim=(-2, -1), keepdim=True)], dim=-1)


# {what the module is: what changes it}; what is called honest does not leak.
MASK_LEAKS = {
    HONEST: {},
    "attention without any mask": {"may": everything},
    "a diagonal off by one, so that each token sees its successor": {"may": lambda i, j, n, training: j <= i + 1},
    "an inverted mask": {"may": lambda i, j, n, training: j > i},
    "a mask with rows and columns exchanged": {"may": lambda i, j, n, training: j >= i},
    "a token that reads only what stands before it (honest)": {"may": lambda i, j, n, training: j < i},
}
MODE_LEAKS = {
    "a module that is honest in train() and in eval()": {},
    "a leak in eval() only": {"may": lambda i, j, n, training: (j <= i) | (not training)},
    "a leak in train() only": {"may": lambda i, j, n, training: (j <= i) | training},
    "outputs twice as large in train() (honest: never compare one mode with the other)": {
        "after": lambda context, inputs, training: context * (1 + training)
    },
}
HIDDEN_LEAKS = {
    "a mask after softmax: later tokens count in the sum (are your inputs all zeros?)": {"weigh": after_softmax},
    "a leak that shows in the last output feature only": {"after": mean_in_last_feature},
    "a leak that reads the last input feature only": {
        "after": lambda context, inputs, training: context + F.pad(inputs[..., 1:, -1:], (0, 0, 0, 1))
    },
    "a leak with small outputs (compare with a tolerance that is small against them)": {
        "may": everything,
        "after": lambda context, inputs, training: 0.001 * context,
    },
    "a leak behind a normalisation over features (change each feature by another random number)": {
        "may": everything,
        "before": lambda inputs: F.layer_norm(inputs, inputs.shape[-1:]),
    },
    "honest outputs in whose last digits later inputs show (compare with a tolerance)": {"after": rounded_by_all},
    "very large honest outputs, with rounding to match (is your tolerance relative to the largest output?)": {
        "after": lambda *arguments: 10_000 * rounded_by_all(*arguments)
    },
}


def _make_places(fresh: Inputs) -> dict[str, dict]:
    """Return modules that leak at places which nobody can know."""
    distance, (even, odd) = fresh.randint(4, 8), (2 * fresh.randint(0, 4) + parity for parity in (0, 1))

    def leak_at(position):
        return {"may": lambda i, j, n, training: (j <= i) | ((i == position) & (j == position + 1))}

    return {
        HONEST: {},
        "a leak over a distance of several tokens (is your sentence long enough?)": {
            "may": lambda i, j, n, training: (j <= i) | (j == i + distance)
        },
        "a leak in the last query that has a future, the last but one": {
            "may": lambda i, j, n, training: (j <= i) | (i == n - 2)
        },
        "a leak at one place somewhere in the sentence": leak_at(even),
        "a leak at one other place (change each of them)": leak_at(odd),
    }


def _ask(student: Student, fresh: Inputs, cases):
    """Ask for a verdict on each module in random order, then name the first wrong one in the order of the list."""
    d_in, cases = fresh.randint(3, 9), cases(fresh) if callable(cases) else cases

    def verdict(changes):
        return expect_truth(student.call("leaks_future", CausalHead(fresh, d_in, **changes), d_in), "leaks_future")

    for leaks, name in zip(fresh.in_any_order(list(cases.values()), verdict), cases):
        wanted = "no output moves when a later input changes, but you say it leaks" if leaks else "a leak is missed"
        expect(leaks != ("honest" in name), f"{wanted}: {name}")


FINDS_MASKS = "missing, shifted, inverted and transposed masks are found, and honest modules are left in peace."
FINDS_MODES = "a leak in only one of train() and eval() is found."
FINDS_PLACES = "a leak is found wherever in the sentence it sits."
FINDS_HIDDEN = "leaks that a mask does not show are found, too."
check_leaks_masks = make_check("check_leaks_masks", _ask, MASK_LEAKS, FINDS_MASKS)
check_leaks_modes = make_check("check_leaks_modes", _ask, MODE_LEAKS, FINDS_MODES)
check_leaks_places = make_check("check_leaks_places", _ask, _make_places, FINDS_PLACES)
check_leaks_hidden = make_check("check_leaks_hidden", _ask, HIDDEN_LEAKS, FINDS_HIDDEN)
