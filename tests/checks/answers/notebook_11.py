"""Right and wrong answers to the first exercise in notebook 11 (the Transformer block)."""

import torch
from torch.nn import functional as F

from companion.checks.notebook_11 import check_layer_norm, pytorchs_norm


def by_mean(inputs, weight, bias, eps=1e-5):
    mean = inputs.mean(dim=-1, keepdim=True)
    variance = (inputs - mean).square().mean(dim=-1, keepdim=True)
    return (inputs - mean) / (variance + eps).sqrt() * weight + bias


def by_difference_of_squares(inputs, weight, bias, eps=1e-5):
    wide = inputs.double()
    mean, squares = wide.mean(-1), wide.square().mean(-1)
    root = (squares - mean**2 + eps) ** 0.5
    return ((wide - mean[..., None]) / root[..., None] * weight + bias).float()


def row_by_row(inputs, weight, bias, eps=1e-5):
    rows = []
    for row in inputs.reshape(-1, inputs.shape[-1]):
        variance, mean = torch.var_mean(row, correction=0)
        rows.append(weight * (row - mean) * torch.rsqrt(variance + eps) + bias)
    return torch.stack(rows).view_as(inputs)


def norm(
    axis=-1,
    keepdim=True,
    correction=0,
    mean=torch.Tensor.mean,
    root=lambda variance, eps: (variance + eps).sqrt(),
    use=lambda plain, weight, bias: plain * weight + bias,
    divide=lambda gaps, root: gaps / root,
):
    """Compose a LayerNorm from its decisions, any of which may be a wrong one."""

    def layer_norm(inputs, weight, bias, eps=1e-5):
        options = {"dim": axis, "keepdim": keepdim}
        variance = inputs.var(correction=correction, **options)
        return use(divide(inputs - mean(inputs, **options), root(variance, eps)), weight, bias)

    return layer_norm


def lacking_keepdim(of_mean, of_variance):
    """Take the variance of what the mean has left."""

    def layer_norm(inputs, weight, bias, eps=1e-5):
        gaps = inputs - inputs.mean(-1, keepdim=not of_mean)
        return gaps / (gaps.square().mean(-1, keepdim=not of_variance) + eps).sqrt() * weight + bias

    return layer_norm


def in_place(inputs, weight, bias, eps=1e-5):
    inputs -= inputs.mean(-1, keepdim=True)
    return inputs / (inputs.square().mean(-1, keepdim=True) + eps).sqrt() * weight + bias


def over_the_squares(inputs, weight, bias, eps=1e-5):
    gaps = inputs - inputs.mean(-1, keepdim=True)
    return gaps / (inputs.square().mean(-1, keepdim=True) + eps).sqrt() * weight + bias


def by_std(inputs, weight, bias, eps=1e-5):
    return (inputs - inputs.mean(-1, keepdim=True)) / (inputs.std(-1, keepdim=True) + eps) * weight + bias


RIGHT = {check_layer_norm: [by_mean, by_difference_of_squares, row_by_row, norm()]}
WRONG = {
    check_layer_norm: [
        (norm(axis=0), "the mean runs over the batch"),
        (norm(axis=-2), "the mean runs over the tokens"),
        (norm(axis=(-2, -1)), "one mean serves a whole sentence"),
        (norm(axis=None), "one mean serves the whole batch"),
        (norm(keepdim=False), "keepdim=True is missing in mean and variance"),
        (norm(mean=lambda inputs, **options: inputs.mean(-1)), "keepdim=True is missing in the mean: "),
        (lacking_keepdim(True, False), "keepdim=True is missing in the mean, which the variance uses"),
        (lacking_keepdim(True, True), "keepdim=True is missing in the mean and the variance, which uses it"),
        (lacking_keepdim(False, True), "keepdim=True is missing in the variance"),
        (in_place, "an input is changed in place"),
        (norm(correction=1), "var and std divide by the number of features less 1"),
        (by_std, "var and std divide by the number of features less 1"),
        (norm(root=lambda variance, eps: variance + eps), "the root is missing"),
        (norm(root=lambda variance, eps: variance.sqrt() + eps), "eps is added to the root"),
        (norm(root=lambda variance, eps: variance.sqrt()), "eps is not added"),
        (norm(root=lambda variance, eps: (variance + 1e-5).sqrt()), "eps is 1e-5 here"),
        (norm(divide=torch.mul), "multiplied by the root"),
        (norm(divide=lambda gaps, root: gaps), "the division is missing"),
        (norm(mean=lambda inputs, **options: 0.0), "the mean is not subtracted"),
        (over_the_squares, "the mean of the squares is divided by"),
        (norm(use=lambda plain, weight, bias: plain), "weight and bias are not used"),
        (norm(use=lambda plain, weight, bias: plain + bias), "the weight is not used"),
        (norm(use=lambda plain, weight, bias: plain * weight), "the bias is not added"),
        (norm(use=lambda plain, weight, bias: plain * bias + weight), "weight and bias are exchanged"),
        (norm(use=lambda plain, weight, bias: (plain + bias) * weight), "the bias is added before the weight"),
        (lambda *given: by_mean(*given).round(decimals=2), "layer_norm for a batch is rounded (decimals=2)"),
        (lambda *given: by_mean(*given)[0], "layer_norm for a batch gives shape (5, 5), but (5, 5, 5) was expected"),
        (pytorchs_norm, "F.layer_norm is what you are to write"),
        (lambda inputs, weight, bias, eps=1e-5: F.layer_norm(inputs, (5,), weight, bias), "your function stopped with"),
        (lambda *given: None, "layer_norm for a batch gives None; did you forget `return`?"),
    ]
}
