"""What the tests of `examine` share: other inputs, which outputs to compare, and how closely they agree. Notebook 20.

A layer is called as `layer(inputs, lengths)`; inputs (batch, tokens, d_model), or ids (batch, tokens); padding stands
after the first `lengths` tokens. Each test returns in words what does not hold, "" if it finds nothing.
"""

import torch

NOISE = 1e-4  # of the size of an output: what sums in another order may change


class NotTested(Exception):
    """Why a property could not be tried, in words."""


def differ(one, other, noise=NOISE):
    """Return how far two outputs are apart at most, in words, "" if no further than rounding takes them."""
    if one.shape != other.shape:
        return f"shape {tuple(other.shape)} in place of {tuple(one.shape)}"
    if not (one.isfinite().all() and other.isfinite().all()):
        return "nan or inf"
    far, allowed = (one - other).abs().max(), max(noise, 8 * torch.finfo(one.dtype).eps) * one.abs().max()
    return f"{far:.2g} apart" if far > allowed else ""


def other_tokens(inputs):
    """Return another token for each: another id of those given, or a sum with no constant, which a norm takes away."""
    if not inputs.is_floating_point():
        ids = inputs.unique()
        return ids[(torch.searchsorted(ids, inputs) + 1) % len(ids)]
    return inputs + torch.linspace(-1, 1, inputs.shape[2], dtype=inputs.dtype, device=inputs.device)


def may_read(num_tokens, causal, window):
    """Return which token (row) may read which (column), (tokens, tokens), for a window as `examine` takes it."""
    if not isinstance(window, torch.Tensor):
        places = torch.arange(num_tokens, device="cpu")
        window = (places[:, None] - places).abs() < (window or num_tokens)
    return window.tril() if causal else window


def real_tokens(outputs, lengths):
    """Return the outputs of the real tokens of all sentences, (tokens, features)."""
    return torch.cat([row[:length] for row, length in zip(outputs, lengths.tolist())])
