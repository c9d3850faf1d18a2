"""Which numbers of a layer learn: each matrix, and of a linear layer each head's part. Built in notebook 20."""

import torch
from torch import nn

from utils.trials import NotTested

ROUNDING = 1e-6  # of the largest gradient: what is below is what rounding leaves of 0
HEAD = 4  # so many neighboring rows without gradient are a head's; single ones are units of ReLU that were never on


def every_number_learns(layer, inputs, lengths):
    """Each matrix that may learn gets a gradient. Biases may get none: softmax ignores the bias of the keys.

    Raises NotTested for a function, for a layer in which nothing may learn, and where PyTorch finds no way back.
    """
    if not isinstance(layer, nn.Module):
        raise NotTested("give the module itself, not a function")
    learning = {name: numbers for name, numbers in layer.named_parameters() if numbers.requires_grad}
    if not learning:
        raise NotTested("no parameter requires a gradient")
    outputs = layer(inputs, torch.full_like(lengths, inputs.shape[1]))
    if not outputs.requires_grad:
        return f"no gradient reaches {', '.join(learning)}"
    # A direction by chance: behind a norm the sum of squares is constant, and has no gradient at all.
    direction = torch.randn(outputs.shape, generator=torch.Generator().manual_seed(2), device="cpu").to(outputs)
    try:  # `grad` leaves the layer's own gradients as they are
        grads = torch.autograd.grad((outputs * direction).sum(), [*learning.values()], allow_unused=True)
    except RuntimeError as error:
        why = str(error).partition("\n")[0].partition(":")[0]
        raise NotTested(f"no gradient goes back, as through a cache written in place ({why})") from None
    least = ROUNDING * max((grad.norm().item() for grad in grads if grad is not None), default=0)
    rows = _rows_of_heads(layer)
    silent = []
    for (name, numbers), grad in zip(learning.items(), grads):
        if grad is None or not _is_bias(name, numbers, outputs.shape[-1]) and grad.norm() <= least:
            silent.append(name)
        elif id(numbers) in rows and (count := _silent_heads(grad, least)):
            silent.append(f"{count} of {len(grad)} rows of {name}")
    return f"no gradient reaches {', '.join(silent)}" if silent else ""


def _is_bias(name, numbers, d_model):
    """Biases of heads have two axes, (heads, head_dim); some have a name that tells, and all have few numbers."""
    last = name.rpartition(".")[2]
    return numbers.ndim < 2 or numbers.numel() <= d_model or "bias" in last or last.startswith("b_")


def _rows_of_heads(layer):
    """Return which parameters are matrices of which each row must learn: no tables, in which rows may go unread, and
    no wide layer of a feed-forward part, in which units may be off."""
    linear = [module.weight for module in layer.modules() if isinstance(module, nn.Linear)]
    packed = [module.in_proj_weight for module in layer.modules() if isinstance(module, nn.MultiheadAttention)]
    matrices = (matrix for matrix in (*linear, *packed) if matrix is not None)
    return {id(matrix) for matrix in matrices if matrix.shape[0] <= 3 * matrix.shape[1]}


def _silent_heads(grad, least):
    """Count the rows without gradient, if at least HEAD neighbors are among them."""
    silent = grad.norm(dim=1) <= least
    return silent.sum().item() if len(silent) >= HEAD and silent.unfold(0, HEAD, 1).all(dim=1).any() else 0
