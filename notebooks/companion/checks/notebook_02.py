"""Checks of the exercises in notebook 02 (embeddings), and the course's own answers, with which it goes on."""

import torch

from companion.checks.feedback import calls, expect
from companion.checks.tables import compared_with, of_steps
from companion.which_minute.head import untrained
from companion.which_minute.sentences import VOCABULARY
from companion.which_minute.table import probability_of_tiny


@of_steps
def _nudging(row, *, loss=lambda tiny: -tiny.log(), step=lambda row, slopes: row - 0.3 * slopes):
    """Return the row of “seed”, its numbers less 0.3 times the slopes of the loss."""
    row = row.clone().requires_grad_()
    loss(probability_of_tiny(row)).backward()
    return step(row, row.grad).detach()


nudged = _nudging()
NUDGES = {  # {message: wrong answer}
    "this is uphill: the loss is minus the logarithm, and its slopes are subtracted": _nudging(torch.log),
    "a whole slope is too far: subtract 0.3 times it": _nudging(step=torch.sub),
    "this is the gradient; subtract 0.3 times it from the row": _nudging(step=lambda row, slopes: slopes),
    "this is the step alone; subtract it from the row": _nudging(step=lambda row, slopes: 0.3 * slopes),
    "the row has not moved; return a new one": lambda row: row,
    "these are the slopes of the probability; take those of its loss": _nudging(lambda tiny: -tiny),
}
SLOPES = {
    "not require grad": "{error}: ask for the slopes of the row first, with requires_grad_()",
    "NoneType": "{error}: the slopes are None until backward() has found them, and belong to the row that asked",
    "leaf Variable": "{error}: make a new row, row - ..., and not row -= ...",
}


@of_steps
def _without_way_back(row, *, nudge):
    moved = nudge(row)
    way_back = isinstance(moved, torch.Tensor) and moved.requires_grad
    expect(not way_back, "the new row is still linked to the old one; end with .detach()")
    return moved


@compared_with(nudged, NUDGES, SLOPES, ask=_without_way_back)
def check_nudge(nudge):
    """each number has moved 0.3 times its slope, downhill."""
    untaught = untrained().embedding.weight.detach()
    for word in ("seed", "wait"):
        yield f"nudge, from the untrained row of “{word}”,", (untaught[VOCABULARY.ids[word]],)


def nearest_row(table, index):
    """Return the index of the row of a table that lies nearest to one row, other than this row itself."""
    distances = (table - table[index]).norm(dim=1)
    distances[index] = torch.inf
    return distances.argmin()


def averaged(vectors):
    """Return the plain average of a sentence's vectors, once for each word: (tokens, d_model) gives the same shape."""
    return vectors.mean(dim=0, keepdim=True).expand_as(vectors)


# A table in which each mistake finds another row: row 5 is the nearest to row 3.
POINTS = [[-4, 3], [7, -3], [7, 7], [-3, 9], [7, -3], [-1, 4], [7, 8], [-2, 1], [8, -5], [-2, -7]]
DISTANCE = "this is the distance; return the index of the row that has it"
NEAREST = {  # {message: wrong answer}
    "row 3 is the nearest to itself, at distance 0; leave it out": lambda table, index: torch.tensor(index),
    "this is the farthest row; take the smallest distance": lambda table, i: (table - table[i]).norm(dim=1).argmax(),
    DISTANCE: lambda table, index: torch.dist(table[nearest_row(table, index)], table[index]),
    "this is the row; return its index": lambda table, index: table[nearest_row(table, index)],
    "the row itself is left out, so the rows after it have moved up; give it a large distance": lambda table, index: (
        (table[torch.arange(len(table)) != index] - table[index]).norm(dim=1).argmin()
    ),
    "torch.dist takes two rows: ask it for each row": lambda table, index: torch.dist(table, table[index]).argmin(),
}
ROWS = {"converted to Scalar": "{error}: torch.dist gives one number for two rows; is each of them a single row?"}


@of_steps
def _as_tensor(table, index, *, nearest):
    found = nearest(table, index)
    found = torch.tensor(found) if isinstance(found, int | float) else found
    single = isinstance(found, torch.Tensor) and found.ndim == 0
    expect(not (single and found.is_floating_point()), DISTANCE)  # 0.0, too, which would pass for the index 0
    return found


@compared_with(nearest_row, NEAREST, ROWS, ask=_as_tensor)
def check_nearest(nearest):
    """it finds the nearest row, and never the row itself."""
    for table, index in ((torch.tensor(POINTS) * 1.0, 3), (torch.randn(6, 4), 0)):
        yield f"nearest in a table with {len(table)} rows, of row {index},", (table, index)


AVERAGE = {
    "these are sums; the shares of a row must add up to 1": lambda vectors: len(vectors) * averaged(vectors),
    "one vector for the sentence; each word gets a row, even if all rows are equal": lambda vectors: vectors.mean(0),
    "one row for the sentence; each word gets a row, even if all rows are equal": lambda vectors: vectors.mean(0)[None],
    "each word is averaged: average all words": lambda vectors: vectors.mean(-1, keepdim=True).expand_as(vectors),
    "each word takes itself alone; all words have the same share": lambda vectors: vectors,
    "these are the shares; multiply them": lambda vectors: torch.full((len(vectors), len(vectors)), 1 / len(vectors)),
    "the numbers are right, but without shares; make the matrix of shares, and return shares @ vectors": averaged,
}
PRODUCT = "{error}: the shares are (tokens, tokens), with as many tokens as len(vectors), on the left of @"
PRODUCT_STOPS = dict.fromkeys(("must match", "cannot be multiplied"), PRODUCT)
PRODUCT_STOPS["same dtype"] = "{error}: whole numbers cannot meet decimals here; write 1.0, or 1 / n"


@compared_with(averaged, AVERAGE, PRODUCT_STOPS)
def check_plain_average(plain_average):
    """each word has become the same average of all words."""
    for num_tokens, d_model in ((2, 3), (5, 4)):
        doing = f"plain_average of {num_tokens} words with {d_model} numbers each"
        yield doing, (torch.randn(num_tokens, d_model),)
    products = {"matmul", "mm", "einsum"}
    expect(products & set(calls(plain_average, torch.randn(5, 4))), list(AVERAGE)[-1])
