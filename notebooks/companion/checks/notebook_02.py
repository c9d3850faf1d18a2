"""Checks of the exercises in notebook 02 (embeddings), and the course's own answers, with which it goes on."""

import torch
from torch.overrides import TorchFunctionMode

from companion.checks.compared import compared_with
from companion.checks.feedback import calls, expect
from companion.worlds.which_minute.answers import probability_of_tiny, slopes_of
from companion.worlds.which_minute.head import untrained
from companion.worlds.which_minute.sentences import VOCABULARY


def row_trained(row, wanted):
    """Return the row of “seed” after its nudges, each 0.3 times the slopes of the loss, and how many there were."""
    count = 0
    while probability_of_tiny(row) < wanted:
        row, count = row - 0.3 * slopes_of(row), count + 1
    return row, count


TRAININGS = {  # {message: what a wrong train_row has instead}
    "a whole slope is too far: subtract 0.3 times it": {"0.3 * ": ""},
    "this is one nudge; go on as long as “tiny” gets less than what is wanted": {"while": "if"},
    "these are the first row's slopes each time; each new row has others: ask slopes_of(row) again": {
        "count = 0": "count, slopes = 0, slopes_of(row)",
        "* slopes_of(row)": "* slopes",
    },
}
TRAINING_STOPS = {
    "not require grad": "{error}: ask for the slopes of each new row, with requires_grad_()",
    "NoneType": "{error}: a row has slopes if it asked, and after backward(); does each new row end with .detach()?",
    "leaf Variable": "{error}: make a new row, row - ..., and not row -= ...",
}
ENDLESS = "“tiny” never gets what is wanted; is the loss minus the logarithm, is 0.3 times its slopes subtracted, "
ENDLESS += "and does the loop ask about the new row?"


class _Patience(TorchFunctionMode):
    """Stops an answer whose loop would never end."""

    left = 300  # more than any right answer asks for

    def __torch_function__(self, function, types, args=(), kwargs=None):
        self.left -= function.__name__ == "softmax"  # which each probability needs
        expect(self.left > 0, ENDLESS)
        return function(*args, **(kwargs or {}))


def _train_patiently(train_row, row, wanted):
    with _Patience():
        result = train_row(row, wanted)
    new_row = result[0] if isinstance(result, tuple | list) and result else result
    if isinstance(new_row, torch.Tensor):
        expect(not new_row.isnan().any(), "the loss grew until its logarithm was lost (nan): step against the slopes")
        expect(not new_row.requires_grad, "the new row is still linked to the old one; end with .detach()")
    return result


@compared_with(row_trained, TRAININGS, TRAINING_STOPS, parts=("row", "number of nudges"), measure=_train_patiently)
def check_train_row(train_row):
    """each nudge goes downhill, and the loop stops as soon as the row is good enough."""
    untaught = untrained().embedding.weight.detach()
    for word, wanted in (("seed", 0.9), ("crumb", 0.4)):
        doing = f"train_row, from the untrained row of “{word}” to {wanted:.0%},"
        yield doing, (untaught[VOCABULARY.ids[word]], wanted)


def neighbors_of(table, meanings):
    """Return for each row of a table the index of the other row that lies nearest, and how many share its meaning."""
    distances = torch.cdist(table, table).fill_diagonal_(torch.inf)
    nearest = distances.argmin(dim=1)
    return nearest, sum(meanings[row] == meanings[neighbor] for row, neighbor in enumerate(nearest.tolist()))


def averaged(vectors):
    """Return the plain average of a sentence's vectors, once for each word: (tokens, d_model) gives the same shape."""
    return vectors.mean(dim=0, keepdim=True).expand_as(vectors)


POINTS = [[-4, 3], [7, -3], [7, 7], [-3, 9], [4, -4], [-1, 4], [7, 9], [-2, 0], [8, -5], [-2, -7]]
DISTANCE = "these are distances; return the index of the row that has each"


OTHER_ROWS = "torch.stack([torch.cat([gaps[:row], gaps[row + 1 :]]).argmin() for row, gaps in enumerate(distances)])"
NEIGHBORS = {  # {message: what a wrong neighbors has instead}
    "each row is the nearest to itself, at distance 0; leave it out": {"torch.inf": "-1"},
    "the row itself is left out, so the rows after it have moved up; give it a large distance": {
        "distances.argmin(dim=1)": OTHER_ROWS
    },
}
FOUND = "list of neighbors", "number of those alike"
NEAR_STOPS = {"converted to Scalar": "{error}: torch.dist gives one number for two rows; is each of them a single row?"}


def _find_neighbors(neighbors, table, meanings):
    result = neighbors(table, meanings)
    return tuple(map(_plain, result)) if isinstance(result, tuple) else _plain(result)


def _plain(part):
    if isinstance(part, torch.Tensor) and part.ndim == 0:
        return part.item()
    if isinstance(part, list) and part and all(isinstance(number, int | float | torch.Tensor) for number in part):
        part = torch.tensor(part)
    expect(not (isinstance(part, torch.Tensor) and part.is_floating_point()), DISTANCE)
    return part


@compared_with(neighbors_of, NEIGHBORS, NEAR_STOPS, parts=FOUND, measure=_find_neighbors)
def check_neighbors(neighbors):
    """each row finds its nearest other row, and those that share a meaning are counted."""
    for table, meanings in ((torch.tensor(POINTS) * 1.0, "aabbacbcaa"), (torch.randn(6, 4), "bababa")):
        yield f"neighbors in a table with {len(table)} rows", (table, list(meanings))


AVERAGE = {
    "these are sums; the shares of a row must add up to 1": {"mean": "sum"},
    "each word is averaged: average all words": {"dim=0": "dim=-1"},
    "the numbers are right, but without shares; make the matrix of shares, and return shares @ vectors": averaged,
}
PRODUCT = "{error}: the shares are (tokens, tokens), with as many tokens as len(vectors), on the left of @"
AVERAGE_STOPS = dict.fromkeys(("must match", "cannot be multiplied"), PRODUCT)
AVERAGE_STOPS["same dtype"] = "{error}: whole numbers cannot meet decimals here; write 1.0, or 1 / n"


@compared_with(averaged, AVERAGE, AVERAGE_STOPS)
def check_plain_average(plain_average):
    """each word has become the same average of all words."""
    for num_tokens, d_model in ((2, 3), (5, 4)):
        doing = f"plain_average of {num_tokens} words with {d_model} numbers each"
        yield doing, (torch.randn(num_tokens, d_model),)
    products = {"matmul", "mm", "einsum"}
    expect(products & set(calls(plain_average, torch.randn(5, 4))), list(AVERAGE)[-1])
