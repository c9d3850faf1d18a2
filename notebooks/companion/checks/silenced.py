"""A multi-head attention in which one head is silent, and the mistakes of who writes that, in notebook 09."""

import copy

import torch

from companion.checks.tables import of_steps


@of_steps
def _silenced(module, head, *, layer="W_output", bias=False, rows=False, size=lambda module: module.head_dim):
    """Return a copy of a multi-head attention in which the features of a head count as 0 in the output."""
    module, width = copy.deepcopy(module), size(module)
    own, changed = slice(head * width, (head + 1) * width), getattr(module, layer)
    with torch.no_grad():
        (changed.weight if rows else changed.weight.T)[own] = 0
        if bias:
            changed.bias[:] = 0
    return module


def _all_but(module, head):
    for other in set(range(module.num_heads)) - {head}:
        module = without(module, other)
    return module


without = _silenced()  # the course's own `without_head`
SILENCED = {  # {message: wrong without_head}
    "nothing has changed: return the changed copy": lambda module, head: module,
    "these are rows of W_output.weight, (out, in): what it reads from the head are columns, [:, ...]": _silenced(
        rows=True
    ),
    "this is one column: a head has head_dim of them": _silenced(size=lambda module: 1),
    "the other heads are silent, and this one is not": _all_but,
    "the bias of W_output belongs to no head: leave it as it is": _silenced(bias=True),
    "W_value has a bias, too, which the head still adds: change W_output": _silenced(layer="W_value", rows=True),
    "W_query decides only where the head looks, not what it adds": _silenced(layer="W_query", rows=True),
}
IN_SILENCED = {
    "leaf Variable": "change the numbers of a layer inside `with torch.no_grad():`",
    "no attribute 'head_dim'": "your module keeps num_heads only: a head has d_model // num_heads columns",
}
