"""Where a context vector can lie, live: values in the plane, and their average by weights that can be moved."""

from functools import partial

import torch

from companion.pictures.live.base import Live, doubles, six_digits
from companion.pictures.live.plane import plane_reach
from companion.pictures.table import label, plain_table, role_row
from companion.pictures.words import labelled, two_decimals


def mixture(weights, value, labels, *, title="Mix the values"):
    """Show values as arrows in the plane, and the context that weights make of them; both can be moved.

    weights: (keys,), which sum to 1; value: (keys, 2); labels: one for each value.
    Raises ValueError for shapes that do not fit, weights that do not sum to 1, or a largest number of the values that
    is not between 0.1 and 10.
    """
    (weights,), _, labels = labelled("weights", torch.as_tensor(weights)[None], ["context"], labels)
    (value,) = doubles(value)
    if tuple(value.shape) != (len(labels), 2):
        raise ValueError(
            f"value has shape {tuple(value.shape)}, but {len(labels)} labels need ({len(labels)}, 2); "
            "the plane has two numbers for each arrow"
        )
    if abs(weights.sum() - 1) > 1e-4:
        raise ValueError(f"the weights sum to {weights.sum():.4f}, but an average needs 1: divide them by their sum")
    data = {"labels": labels, "reach": plane_reach(value)}
    data |= {"weights": six_digits(weights.tolist()), "value": six_digits(value.tolist())}
    weights, value = doubles(data["weights"], data["value"])
    says = partial(_says, weights, value, labels)
    return Live("mixture", data, _table(weights, value, labels), says, title, shared=("drag", "plane", "words"))


def _says(weights, value, labels, quote):
    context, longest = weights @ value, value.norm(dim=1).max().item()
    parts = " + ".join(f"{two_decimals(weight)} · {quote(name)}" for weight, name in zip(weights.tolist(), labels))
    length = f"Length {two_decimals(context.norm().item())}; the longest value has {two_decimals(longest)}."
    return f"Context {_vector(context)} = {parts}. {length}"


def _table(weights, value, labels):
    """Return each value, its weight and the product of the two, and the context as the last row."""
    roles = ["value", "value", "weight", "value"]
    rows = [role_row(["", "value v", "weight α", "α · v"], roles, "th")]
    for name, weight, vector in zip(labels, weights, value):
        rows.append(
            role_row([label(name), _vector(vector), two_decimals(weight.item()), _vector(weight * vector)], roles)
        )
    total = ["context", "", f"Σ {two_decimals(weights.sum().item())}", _vector(weights @ value)]
    return plain_table(*rows, role_row(total, ["context", "context", "weight", "context"]))


def _vector(numbers):
    return f"({', '.join(map(two_decimals, numbers.tolist()))})"
