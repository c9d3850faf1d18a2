"""Modules that look ahead and modules that do not: what a student's `leaks_future` is tried on in a2."""

import torch
from torch import nn
from torch.nn import functional as F

from utils.attention import masked_softmax, scores

HONEST, LEAKS = False, True


class Reader(nn.Module):
    """One attention head, causal unless told otherwise, from (..., tokens, d_in) to (..., tokens, d_out).

    may(i, j, n, training): which query i may attend to which key j of n; before(inputs): changes the inputs first;
    weigh(scores, mask): scores to weights; after(context, inputs, training): changes the context at the end.
    """

    def __init__(self, draw, d_in, *, may=None, before=None, weigh=masked_softmax, after=None):
        super().__init__()
        self.matrices = [draw.normal(d_in, size) / d_in**0.5 for size in (d_in + 1, d_in + 1, d_in + 2)]
        self.may, self.before, self.weigh, self.after = may or _past, before, weigh, after

    def forward(self, inputs):
        inputs = _checked(inputs, len(self.matrices[0]))
        features = self.before(inputs) if self.before else inputs
        query, key, value = (features @ matrix.to(inputs.dtype) for matrix in self.matrices)
        tokens = inputs.shape[-2]
        places = torch.arange(tokens)
        mask = self.may(places[:, None], places, tokens, self.training).expand(tokens, tokens)
        context = self.weigh(scores(query.tanh(), key.tanh()), mask) @ value  # tanh: no weight is too small to see
        return self.after(context, inputs, self.training) if self.after else context


def _checked(inputs, d_in):
    fits = isinstance(inputs, torch.Tensor) and inputs.ndim > 1 and inputs.shape[-1] == d_in and inputs.numel()
    if not fits:
        shape = tuple(inputs.shape) if isinstance(inputs, torch.Tensor) else type(inputs).__name__
        raise ValueError(f"this module takes a tensor (tokens, {d_in}) or (batch, tokens, {d_in}), not {shape}")
    return inputs if inputs.is_floating_point() else inputs.float()


def _past(i, j, n, training):
    return j <= i


def _all(i, j, n, training):
    return (j >= 0) & (i >= 0)


def _one_leak(place, to):
    """The past, and from one place (a function of n) also another one."""
    return lambda i, j, n, training: (j <= i) | ((i == place(n)) & (j == to(n)))


def _normalised(context, inputs, training):
    centred = context - context.mean(-2, keepdim=True)
    return centred / (centred.square().mean(-2, keepdim=True) + 1e-3).sqrt()


def _less_running_mean(context, inputs, training):
    return context - context.cumsum(-2) / torch.arange(1, context.shape[-2] + 1)[:, None]


def _rounded_by_all(context, inputs, training):
    """Let all inputs change the last digits, as rounding does where sums are taken in another order."""
    return context * (1 + 1e-6 * inputs.sum(dim=(-2, -1), keepdim=True).sin())


def _with_places(inputs):
    places = torch.arange(inputs.shape[-2], dtype=inputs.dtype)[:, None]
    return inputs + torch.sin(places * torch.arange(1, inputs.shape[-1] + 1, dtype=inputs.dtype))


def _feature_norm(inputs):
    return F.layer_norm(inputs, inputs.shape[-1:])


def _mean_in_last_feature(context, inputs, training):
    return torch.cat([context[..., :-1], context[..., -1:] + inputs.mean(dim=(-2, -1), keepdim=True)], dim=-1)


def _next_last_feature(context, inputs, training):
    following = torch.cat([inputs[..., 1:, -1:], torch.zeros_like(inputs[..., :1, -1:])], dim=-2)
    return context + following


def _reader(**changes):
    return lambda draw, d_in: Reader(draw, d_in, **changes)


def _scaled(factor, after=lambda context, inputs, training: context, **changes):
    return _reader(after=lambda *given: factor * after(*given), **changes)


def _distant(draw, d_in):
    distance = draw.randint(4, 8)
    return Reader(draw, d_in, may=lambda i, j, n, training: (j <= i) | (j == i + distance))


def _at_one_place(parity):
    """A leak of one token to the one before it, at a random place whose number is even (0) or odd (1)."""

    def made(draw, d_in):
        place = 2 * draw.randint(0, 4) + parity
        return Reader(draw, d_in, may=_one_leak(lambda n: place, lambda n: place + 1))

    return made


# {what the module is: (whether it leaks, how it is made from draw and d_in)}
MASKS = {
    "honest causal attention (does an earlier change stay, or does the changed token's own output count?)": (
        HONEST,
        _reader(),
    ),
    "attention without any mask": (LEAKS, _reader(may=_all)),
    "a diagonal off by one, so that each token sees its successor": (
        LEAKS,
        _reader(may=lambda i, j, n, training: j <= i + 1),
    ),
    "an inverted mask": (LEAKS, _reader(may=lambda i, j, n, training: j > i)),
    "a mask with rows and columns exchanged": (LEAKS, _reader(may=lambda i, j, n, training: j >= i)),
    "a token that reads only itself (honest)": (HONEST, _reader(may=lambda i, j, n, training: j == i)),
    "a token that reads only what stands before it (honest)": (HONEST, _reader(may=lambda i, j, n, training: j < i)),
    "all tokens reading only the first one (honest; not even the last token's output moves with the last input)": (
        HONEST,
        _reader(may=lambda i, j, n, training: j == 0),
    ),
    "a running sum of all inputs so far (honest, and no attention at all)": (
        HONEST,
        _reader(after=lambda context, inputs, training: inputs.cumsum(-2)),
    ),
}

MODES = {
    "a module that is honest in train() and in eval()": (HONEST, _reader()),
    "a leak in eval() only": (LEAKS, _reader(may=lambda i, j, n, training: (j <= i) | (not training))),
    "a leak in train() only": (LEAKS, _reader(may=lambda i, j, n, training: (j <= i) | training)),
    "a diagonal that is off by one in eval() only": (
        LEAKS,
        _reader(may=lambda i, j, n, training: j <= i + (not training)),
    ),
    "a diagonal that is off by one in train() only": (LEAKS, _reader(may=lambda i, j, n, training: j <= i + training)),
    "outputs twice as large in train() (honest: never compare one mode with the other)": (
        HONEST,
        _reader(after=lambda context, inputs, training: context * (1 + training)),
    ),
    "a window of three tokens in eval() only (honest)": (
        HONEST,
        _reader(may=lambda i, j, n, training: (j <= i) & ((j > i - 3) | training)),
    ),
    "a running sum in eval() only (honest)": (
        HONEST,
        _reader(after=lambda context, inputs, training: context if training else context.cumsum(-2)),
    ),
}

PLACES = {
    "honest causal attention (does an earlier change stay, or does the changed token's own output count?)": (
        HONEST,
        _reader(),
    ),
    "a leak over a distance of several tokens (is your sentence long enough?)": (LEAKS, _distant),
    "a leak in the last query that has a future, the last but one": (
        LEAKS,
        _reader(may=_one_leak(lambda n: n - 2, lambda n: n - 1)),
    ),
    "a leak in the first query only": (LEAKS, _reader(may=_one_leak(lambda n: 0, lambda n: 1))),
    "a leak at one place somewhere in the sentence": (LEAKS, _at_one_place(0)),
    "a leak at one other place (change each of them)": (LEAKS, _at_one_place(1)),
    "a last token that everybody reads": (LEAKS, _reader(may=lambda i, j, n, training: (j <= i) | (j == n - 1))),
    "a window of three tokens (honest)": (HONEST, _reader(may=lambda i, j, n, training: (j <= i) & (j > i - 3))),
    "attention that knows each token's place (honest)": (HONEST, _reader(before=_with_places)),
    "outputs that no input moves (honest)": (
        HONEST,
        _reader(after=lambda context, inputs, training: torch.ones_like(context)),
    ),
}

HIDDEN = {
    "a normalisation by the mean over all tokens, the later ones too": (LEAKS, _reader(after=_normalised)),
    "a mask after softmax: the future is still in the sum that divides (are your inputs all zeros?)": (
        LEAKS,
        _reader(weigh=lambda scores, mask: scores.softmax(-1) * mask),
    ),
    "masked scores set to 0, and exp(0) is 1": (LEAKS, _reader(weigh=lambda scores, mask: (scores * mask).softmax(-1))),
    "a leak that shows in the last output feature only": (LEAKS, _reader(after=_mean_in_last_feature)),
    "a leak that reads the last input feature only": (LEAKS, _reader(after=_next_last_feature)),
    "a leak with small outputs (compare with a tolerance that is small against them)": (
        LEAKS,
        _scaled(0.001, may=_all),
    ),
    "a leak behind a normalisation over features (change each feature by another random number)": (
        LEAKS,
        _reader(may=_all, before=_feature_norm),
    ),
    "a normalisation over each token's own features (honest)": (HONEST, _reader(before=_feature_norm)),
    "a running mean over the tokens so far (honest)": (HONEST, _reader(after=_less_running_mean)),
    "honest attention with small outputs": (HONEST, _scaled(0.001)),
    "honest outputs in whose last digits later inputs show (compare with a tolerance)": (
        HONEST,
        _reader(after=_rounded_by_all),
    ),
    "very large honest outputs, with rounding to match (is your tolerance relative to the largest output?)": (
        HONEST,
        _scaled(10_000, _rounded_by_all),
    ),
}
