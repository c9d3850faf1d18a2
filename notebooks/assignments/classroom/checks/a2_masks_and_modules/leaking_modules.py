"""Modules that look ahead and modules that do not: what the checks of `leaks_future` are made of."""

import torch
from torch import nn
from torch.nn import functional as F

from utils.attention import masked_softmax, scores


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
        inputs = _checked(inputs, len(self.matrix))
        features = self.before(inputs) if self.before else inputs
        query, key, value = (features @ self.matrix.to(inputs.dtype)).split(self.sizes, dim=-1)
        tokens, places = inputs.shape[-2], torch.arange(inputs.shape[-2])
        mask = self.may(places[:, None], places, tokens, self.training).expand(tokens, tokens)
        context = self.weigh(scores(query.tanh(), key.tanh()), mask) @ value  # tanh: no weight is too small to see
        return self.after(context, inputs, self.training) if self.after else context


def _checked(inputs, d_in):
    fits = isinstance(inputs, torch.Tensor) and inputs.ndim > 1 and inputs.shape[-1] == d_in and inputs.numel()
    if not fits:
        shape = tuple(inputs.shape) if isinstance(inputs, torch.Tensor) else type(inputs).__name__
        raise ValueError(f"this module takes a tensor (tokens, {d_in}) or (batch, tokens, {d_in}), not {shape}")
    return inputs if inputs.is_floating_point() else inputs.float()


# may


def one_leak(place, to):
    """The past, and from one place (a function of n) also another one."""
    return lambda i, j, n, training: (j <= i) | ((i == place(n)) & (j == to(n)))


# before


def with_places(inputs):
    places = torch.arange(inputs.shape[-2], dtype=inputs.dtype)[:, None]
    return inputs + torch.sin(places * torch.arange(1, inputs.shape[-1] + 1, dtype=inputs.dtype))


def feature_norm(inputs):
    return F.layer_norm(inputs, inputs.shape[-1:])


# after


def normalised(context, inputs, training):
    centred = context - context.mean(-2, keepdim=True)
    return centred / (centred.square().mean(-2, keepdim=True) + 1e-3).sqrt()


def less_running_mean(context, inputs, training):
    return context - context.cumsum(-2) / torch.arange(1, context.shape[-2] + 1)[:, None]


def rounded_by_all(context, inputs, training, factor=1):
    """Let all inputs change the last digits, as rounding does where sums are taken in another order."""
    return factor * context * (1 + 1e-6 * inputs.sum(dim=(-2, -1), keepdim=True).sin())


def mean_in_last_feature(context, inputs, training):
    return torch.cat([context[..., :-1], context[..., -1:] + inputs.mean(dim=(-2, -1), keepdim=True)], dim=-1)


def next_last_feature(context, inputs, training):
    following = torch.cat([inputs[..., 1:, -1:], torch.zeros_like(inputs[..., :1, -1:])], dim=-2)
    return context + following


def small(context, inputs, training):
    return 0.001 * context
