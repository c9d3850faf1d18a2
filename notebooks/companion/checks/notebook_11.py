"""Check of the first exercise in notebook 11 (the Transformer block): LayerNorm by hand."""

import torch
from torch.nn import functional as F

from companion.checks.exercise import exercise
from companion.checks.feedback import calls, expect, expect_tensor

EPS = 1e-5
LESS_ONE = "var and std divide by the number of features less 1 unless they are told not to"
AXES = {  # what is averaged in place of each token's own features
    0: "the mean runs over the batch: each token has its own, over its features, dim=-1",
    -2: "the mean runs over the tokens: each token has its own, over its features, dim=-1",
    (-2, -1): "one mean serves a whole sentence: each token has its own, over its features, dim=-1",
    (0, 1, 2): "one mean serves the whole batch: each token has its own, over its features, dim=-1",
}


def pytorchs_norm(inputs, weight, bias, eps=EPS):
    """Return what PyTorch's own gives: the stand-in for the reader's `layer_norm`."""
    return F.layer_norm(inputs, weight.shape, weight, bias, eps)


@exercise
def check_layer_norm(layer_norm):
    """each token has mean 0 and variance 1, then its weight and bias, as in PyTorch's own."""
    inputs, weight, bias = torch.randn(5, 5, 5) * 3 + 1, torch.randn(5), torch.randn(5)  # any axis fits any other
    _expect(layer_norm(inputs, weight, bias), inputs, weight, bias, "layer_norm for a batch")
    small = torch.randn(4, 6) / 300  # so small that eps counts
    small[1] = 7.0
    _expect(layer_norm(small, weight := torch.randn(6), bias := torch.randn(6)), small, weight, bias, _SMALL)
    one = torch.randn(3, 8)
    _expect(layer_norm(one, torch.ones(8), torch.zeros(8), 0.5), one, torch.ones(8), torch.zeros(8), _OTHER, eps=0.5)
    called = calls(layer_norm, inputs, torch.randn(5), torch.randn(5))
    expect("layer_norm" not in called, "F.layer_norm is what you are to write: take mean and var")


_SMALL = "layer_norm for small and for equal features"
_OTHER = "layer_norm with eps=0.5"


def _expect(given, inputs, weight, bias, doing, eps=EPS):
    mistakes = _mistakes(inputs, weight, bias, eps)
    expect_tensor(given, pytorchs_norm(inputs, weight, bias, eps), doing, mistakes, atol=1e-4)


def _mistakes(inputs, weight, bias, eps):
    """Return {likely cause: what it gives}."""
    mean, variance = inputs.mean(-1, keepdim=True), inputs.var(-1, keepdim=True, correction=0)
    gaps, root = inputs - mean, (variance + eps).sqrt()
    plain = gaps / root
    found = {
        "weight and bias are not used: multiply by the one, add the other": plain,
        "the weight is not used: multiply by it": plain + bias,
        "the bias is not added": plain * weight,
        "weight and bias are exchanged: multiply by the weight, add the bias": plain * bias + weight,
        "the bias is added before the weight multiplies": (plain + bias) * weight,
        "the root is missing: divide by the root of the variance": gaps / (variance + eps) * weight + bias,
        "multiplied by the root where it should be divided": gaps * root * weight + bias,
        "the mean is not subtracted": inputs / root * weight + bias,
        "the division is missing: divide by the root of the variance": gaps * weight + bias,
        f"{LESS_ONE}: std(..., correction=0)": gaps / (inputs.std(-1, keepdim=True) + eps) * weight + bias,
        f"{LESS_ONE}: var(..., correction=0)": gaps / (inputs.var(-1, keepdim=True) + eps).sqrt() * weight + bias,
        "eps is 1e-5 here, whatever is handed over": gaps / (variance + EPS).sqrt() * weight + bias,
        "eps is not added: equal features have variance 0, and 0/0 is nan": gaps / variance.sqrt() * weight + bias,
        "eps is added to the root; it belongs under it, to the variance": (
            gaps / (variance.sqrt() + eps) * weight + bias
        ),
        "the mean of the squares is divided by, not the variance: subtract the mean first": (
            gaps / (inputs.square().mean(-1, keepdim=True) + eps).sqrt() * weight + bias
        ),
    }
    if inputs.ndim == 3:
        for axis, message in AXES.items():
            over = inputs.var(axis, keepdim=True, correction=0)
            found[message] = (inputs - inputs.mean(axis, keepdim=True)) / (over + eps).sqrt() * weight + bias
        skewed, lacking = inputs - mean[..., 0], (variance[..., 0] + eps).sqrt()
        spread = skewed.square().mean(-1, keepdim=True)
        for place, wrong in {
            "mean and variance": skewed / lacking,
            "the mean": skewed / root,
            "the mean, which the variance uses": skewed / (spread + eps).sqrt(),
            "the mean and the variance, which uses it": skewed / (spread[..., 0] + eps).sqrt(),
            "the variance": gaps / lacking,
        }.items():
            found[f"keepdim=True is missing in {place}: it meets the wrong tokens"] = wrong * weight + bias
    return found
