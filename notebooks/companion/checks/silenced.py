"""The mistakes of who silences a head, in notebook 09."""

from companion.course_answers import silencing_with, without


def _all_but(module, head):
    for other in set(range(module.num_heads)) - {head}:
        module = without(module, other)
    return module


SILENCED = {  # {message: wrong without_head}
    "nothing has changed: return the changed copy": lambda module, head: module,
    "these are rows of W_output.weight, (out, in): what it reads from the head are columns, [:, ...]": silencing_with(
        rows=True
    ),
    "this is one column: a head has head_dim of them": silencing_with(size=lambda module: 1),
    "the other heads are silent, and this one is not": _all_but,
    "the bias of W_output belongs to no head: leave it as it is": silencing_with(bias=True),
    "W_value has a bias, too, which the head still adds: change W_output": silencing_with(layer="W_value", rows=True),
    "W_query decides only where the head looks, not what it adds": silencing_with(layer="W_query", rows=True),
}
IN_SILENCED = {
    "leaf Variable": "change the numbers of a layer inside `with torch.no_grad():`",
    "no attribute 'head_dim'": "your module keeps num_heads only: a head has d_model // num_heads columns",
}
