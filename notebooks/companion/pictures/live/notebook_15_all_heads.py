"""All heads of a model at once, each as a small map of its weights; one of them is opened, and read."""

import torch

from companion.pictures.live.base import Live
from companion.pictures.live.readings import LEAST, LETTERS, letters_of, weights_of
from companion.pictures.table import label, plain_table, role_row
from companion.pictures.words import labelled, largest_first, two_decimals


def all_heads(tokens, weights, block=0, head=0, asks=0, title="All heads of the model"):
    """Show every head's map small, and one opened: what one of the tokens reads in it.

    weights: (blocks, heads, tokens, tokens), in double precision if their percents are to be the same on any processor;
    block, head, asks: what is open at first, and which token asks, by its position.
    Raises ValueError for what `labelled` refuses, and for a head or a token that is not there.
    """
    weights = torch.as_tensor(weights).detach()
    blocks, heads = weights.shape[:2]
    tokens = [labelled("weights", rows, tokens)[1] for rows in weights.flatten(0, 1)][0]
    if not (block in range(blocks) and head in range(heads) and asks in range(len(tokens))):
        raise ValueError(
            f"head {head} of block {block} and token {asks} are not all there: {blocks} blocks have {heads} heads, "
            f"for {len(tokens)} tokens, all counted from 0"
        )
    data = {"tokens": tokens, "shape": [blocks, heads], "letters": LETTERS, "weights": letters_of(weights)}
    data |= {"block": block, "head": head, "asks": asks}
    row = _row(data)
    best = largest_first(row)[0]

    def says(quote):
        reads = f"“{quote(tokens[asks])}” reads most from “{quote(tokens[best])}”"
        return f"In head {head} of block {block}, {reads} ({two_decimals(row[best])})."

    rows = [[label(token), two_decimals(weight)] for token, weight in zip(tokens, row) if weight >= LEAST]
    caption = f"{label(tokens[asks])} in head {head} of block {block} reads"
    table = plain_table(*(role_row(row, ["key", "weight"]) for row in rows), caption=caption, role="query")
    return Live("all-heads", data, table, says, title, ("words", "readings"))


def _row(data):
    """Return the weights of the token that asks, in the head that is open."""
    count, number = len(data["tokens"]), data["block"] * data["shape"][1] + data["head"]
    start = (number * count + data["asks"]) * count
    return weights_of(data["weights"][start : start + count])
