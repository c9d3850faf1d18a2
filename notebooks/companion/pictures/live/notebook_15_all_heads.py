"""All heads of a model at once, each as a small map of its weights; one of them is opened, and read."""

import torch
from matplotlib.colors import to_rgb

from companion.pictures.live.base import Live
from companion.pictures.live.readings import HIGH, LEAST, LETTERS, draw_reading, draw_tokens, frame, letters, weights_of
from companion.pictures.live.still import Drawn, box, draw_text, sheet
from companion.pictures.palette import EDGE, MUTED, ROLES
from companion.pictures.picture import Picture
from companion.pictures.table import label, plain_table, role_row
from companion.pictures.words import labelled, largest_first, shown

STEP, SIDE, LEFT, RIGHT = 39, 36, 58, 70  # pixels: from map to map, of a map, of a block's name, of the tokens
LARGE = 130  # pixels: of the open one once more
LEGEND = (
    "The open head, larger: a row for each",
    "token that asks, the chosen one framed,",
    "a column for each that is read.",
)


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
    data = {"tokens": tokens, "shape": [blocks, heads], "letters": LETTERS, "weights": letters(weights)}
    data |= {"block": block, "head": head, "asks": asks}
    row = _row(data)
    best = largest_first(row)[0]

    def says(quote):
        reads = f"“{quote(tokens[asks])}” reads most from “{quote(tokens[best])}”"
        return f"In head {head} of block {block}, {reads} ({shown(row[best])})."

    rows = [[label(token), shown(weight)] for token, weight in zip(tokens, row) if weight >= LEAST]
    caption = f"{label(tokens[asks])} in head {head} of block {block} reads"
    table = plain_table(*(role_row(row, ["key", "weight"]) for row in rows), caption=caption, role="query")
    return Live("all-heads", data, Drawn(_draw, data, table), says, title, ("words", "readings"))


def _row(data):
    """Return the weights of the token that asks, in the head that is open."""
    count, number = len(data["tokens"]), data["block"] * data["shape"][1] + data["head"]
    start = (number * count + data["asks"]) * count
    return weights_of(data["weights"][start : start + count])


def _draw(data):
    """Draw a map for each head, a block below the other, and beside them the open one's bands from one token."""
    tokens, (blocks, heads), asks = data["tokens"], data["shape"], data["asks"]
    count, row = len(tokens), _row(data)
    maps = torch.tensor(weights_of(data["weights"])).view(blocks, heads, count, count, 1)
    blue, tall = torch.tensor(to_rgb(ROLES["weight"].fill)), HIGH * (count + 2)
    x = LEFT + STEP * heads + 24 + RIGHT
    figure, axes = sheet(x + 250, max(STEP * blocks + LARGE + 40, tall))
    limits = axes.get_xlim(), axes.get_ylim()

    def draw_map(block, head, left, top, side):
        image = (1 - maps[block, head] * (1 - blue)).numpy()
        axes.imshow(image, extent=(left, left + side, top + side, top), interpolation="nearest", aspect="auto")
        box(axes, left, top, side, side, "none", EDGE, linewidth=0.7)

    for block in range(blocks):
        top = 24 + STEP * block
        draw_text(axes, LEFT - 8, top + SIDE / 2, f"block {block}", MUTED, 12, "right")
        for head in range(heads):
            left = LEFT + STEP * head
            draw_map(block, head, left, top, SIDE)
            if block == 0:
                draw_text(axes, left + SIDE / 2, 12, head, MUTED, 12)
    frame(axes, LEFT + STEP * data["head"] - 1, 23 + STEP * data["block"], SIDE + 2, SIDE + 2)
    low = STEP * blocks + 34
    draw_map(data["block"], data["head"], LEFT, low, LARGE)
    frame(axes, LEFT, low + LARGE * asks / count, LARGE, LARGE / count)
    for line, text in enumerate(LEGEND):
        draw_text(axes, LEFT + LARGE + 12, low + LARGE - 44 + 18 * line, text, MUTED, 12, "left")
    draw_text(axes, x - RIGHT, 12, f"head {data['head']} of block {data['block']}", side="left", fontweight="bold")
    draw_tokens(axes, x, HIGH, tokens, "asks", asks)
    draw_reading(axes, x, HIGH, tokens, "is read", asks, row)
    axes.set(xlim=limits[0], ylim=limits[1])
    read = tokens[largest_first(row)[0]]
    words = f"{blocks * heads} small maps, one for each head, each with a pattern of its own"
    return Picture(figure, f"{words}. One is open: from “{tokens[asks]}”, its widest band goes to “{read}”.")
