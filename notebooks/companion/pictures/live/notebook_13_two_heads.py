"""Two heads, one after the other: what a token reads in the second, and what that one had read in the first."""

from companion.pictures.live.base import Live
from companion.pictures.live.readings import LETTERS, letters_of, weights_of
from companion.pictures.table import label, plain_table, role_row
from companion.pictures.words import labelled, largest_first, two_decimals, visible


def two_heads(tokens, first, second, answers, asks=-1):
    """Show what a token reads in a second head, and what the token that it reads most had read in a first one.

    first, second: weights (tokens, tokens) of a head in each of two layers, in double precision if their percents are
    to be the same on any processor; answers: what the model says after each token; asks: the token that asks at first.
    Raises ValueError for what `labelled` refuses, and for answers that do not fit.
    """
    heads = [labelled("weights", weights, tokens) for weights in (first, second)]
    tokens, asks = heads[0][1], range(len(tokens))[asks]
    if len(answers) != len(tokens):
        raise ValueError(f"{len(tokens)} tokens need as many answers; {len(answers)} were given")
    data = {"tokens": tokens, "answers": [*map(visible, answers)], "asks": asks}
    data |= {"letters": LETTERS, "weights": [letters_of(weights) for weights, _, _ in heads]}
    rows = [_read(data, position) for position in range(len(tokens))]
    names = ["query", "key", "key", "input"]
    cells = [
        [
            tokens[position],
            *(f"{tokens[best]} {two_decimals(row[best])}" for best, row in reads),
            data["answers"][position],
        ]
        for position, reads in enumerate(rows)
    ]
    head = role_row(["asks", "second head reads", "first head had read", "says next"], names, "th")
    table = plain_table(head, *(role_row([*map(label, row)], names) for row in cells))
    shared = "words", "readings", "bends"
    return Live(
        "two-heads",
        data,
        table,
        lambda quote: _says(data, quote),
        "Two heads that build on each other",
        shared,
    )


def _read(data, asks):
    """Return which token the second head reads most, with its row, and what that one had read in the first."""
    reads = []
    for text in reversed(data["weights"]):
        row = weights_of(text)[asks * len(data["tokens"]) :][: len(data["tokens"])]
        asks = largest_first(row)[0]
        reads.append((asks, row))
    return reads


def _before(tokens, asks):
    """Return where the token that asks stood before, or None, and what the model then does."""
    before = next((position for position in reversed(range(asks)) if tokens[position] == tokens[asks]), None)
    return before, "guesses" if before is None else "says"


def _says(data, quote):
    tokens, asks = [*map(quote, data["tokens"])], data["asks"]
    (read, later), (had, earlier) = _read(data, asks)
    before, verb = _before(tokens, asks)
    start = f"“{tokens[asks]}” has not come before, so what follows it is not known yet."
    if before is not None:
        start = f"“{tokens[asks]}” came before, and “{tokens[before + 1]}” followed it."
    which = "that " if before is not None and read == before + 1 else ""
    reads = f"The second head reads {which}“{tokens[read]}” ({two_decimals(later[read])}),"
    first = f"which in the first head had read “{tokens[had]}” ({two_decimals(earlier[had])})."
    return f"{start} {reads} {first} The model {verb} “{quote(data['answers'][asks])}”."
