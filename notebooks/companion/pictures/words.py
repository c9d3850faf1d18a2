"""What is said and written in every picture, drawn or HTML: its labels, its numbers and its descriptions."""

import math

import torch

HIDDEN = "–"  # the sign of a weight that a mask forbids: not a small one
LARGEST = 64 * 64  # cells: a larger picture says nothing, and its table can stop a browser


def labelled(name, numbers, queries, keys=None):
    """Return numbers (queries, keys) in double precision, and the labels of both as text that can be seen.

    name: what the numbers are: "weights", which lie between 0 and 1, or any other word; keys: the queries' own if not
    given. Raises ValueError for labels that do not fit, more than 64 × 64 cells, nan, or weights outside 0 to 1.
    """
    queries = [*map(visible, queries)]
    keys = queries if keys is None else [*map(visible, keys)]
    numbers = torch.as_tensor(numbers, dtype=torch.float64).detach()
    shape = tuple(numbers.shape)
    if shape != (len(queries), len(keys)):
        raise ValueError(
            f"the {name} have shape {shape}, but {len(queries)} query labels and {len(keys)} key labels "
            f"need ({len(queries)}, {len(keys)})" + ("; pick one head or sentence" if len(shape) > 2 else "")
        )
    if not numbers.numel():
        raise ValueError(f"the {name} have shape {shape}: there is nothing to show")
    if numbers.numel() > LARGEST:
        raise ValueError(f"{len(queries)} × {len(keys)} cells are too many to read; show at most 64 × 64")
    if numbers.isnan().any():
        raise ValueError("a number is nan (not a number): look for 0 / 0 or inf − inf on the way to it")
    if name == "weights" and ((numbers < -1e-6) | (numbers > 1 + 1e-6)).any():
        raise ValueError(
            f"weights lie between 0 and 1, but these run from {numbers.min():.2f} to {numbers.max():.2f}; "
            "take the softmax of scores first"
        )
    return numbers, queries, keys


def attendable(mask, queries, keys):
    """Return for each query which keys it may attend to: the mask's rows, all of them True where there is none."""
    if mask is None:
        return [[True] * len(keys)] * len(queries)
    allowed = torch.as_tensor(mask)
    if allowed.dtype != torch.bool:
        raise TypeError(
            f"mask has dtype {allowed.dtype}; it must be boolean, with True for 'may attend', "
            "so write mask == 1 or mask == 0, whichever marks the allowed places"
        )
    return labelled("mask's entries", allowed, queries, keys)[0].tolist()


def visible(token):
    return str(token) if str(token).strip() else "␣"


def two_decimals(number):
    """Return two decimals, or in short a number like -1e9, which some code uses in place of -inf; as base.js does."""
    return minus(_digits(number).replace("inf", "∞"))


def _digits(number):
    short = 1e6 <= abs(number) < math.inf
    return f"{number:.1e}".replace("e+0", "e+") if short else f"{number:z.2f}"


def minus(text):
    """Set a number's sign as a true minus, which is as wide as a plus."""
    return text.replace("-", "−")


def whole(number):
    return minus(f"{number:z.0f}".replace("inf", "∞"))


def three_digits(number):
    return minus(f"{float(f'{number:.3g}'):g}")


def without_noise(number):
    """Return a number without what is the processor's own behind its sixth digit: it can move a line by a pixel."""
    return float(f"{float(number):.6g}")


def largest_first(numbers):
    """Return the indices of numbers in order of the digits shown, so that no last bit of a sum changes a sentence."""
    return sorted(range(len(numbers)), key=lambda i: -float(_digits(numbers[i])))


def describe_rows(rows, queries, keys, allowed, what, focus=None):
    """Say where the largest number of each query is, or that of the query in `focus`."""
    if focus is not None and focus not in range(len(queries)):
        raise ValueError(f"focus is {focus}; choose one of the {len(queries)} queries, from 0 on")
    largest = [_largest(*row, keys) for row in zip(rows, allowed)]
    asking = "1 query" if len(queries) == 1 else f"{len(queries)} queries"
    if focus is not None:
        return f"{asking} by {len(keys)} keys. Largest {what} of “{queries[focus]}”: {largest[focus]}."
    facts = ", ".join(f"{query} → {at_key}" for query, at_key in zip(queries, largest))
    return f"{asking} by {len(keys)} keys. Largest {what} of each query: {facts}."


def _largest(row, allowed, keys):
    seen = [j for j in largest_first(row) if allowed[j]]
    return f"{keys[seen[0]]} {two_decimals(row[seen[0]])}" if seen else "nothing, all masked"
