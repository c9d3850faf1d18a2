"""Words as lanes through random layers, live: attention alone, and with what a block puts around it."""

from functools import cache

import torch
from torch import nn

from companion.pictures.live.base import Live, six_digits
from companion.pictures.table import plain_table, role_row
from companion.worlds.which_minute import head
from companion.worlds.which_minute.picture_parts import HOME
from companion.worlds.which_minute.sentences import encode
from utils.transformer import EncoderBlock

PARTS = "the input added", "norms", "feed-forward"
BLOCK = "with the input added, norms and feed-forward"
DRAWS, DEPTH, SHOWN = 4, 12, 4  # layers at most, and at first
ELSE = "Norms and feed-forward are for something else."


@torch.no_grad()
def told_apart(words, seed=0, added=False, norms=False, widened=False):
    """Return how well words can be told apart before and behind each of twelve random layers: thirteen shares.

    It is the share of their vectors' length that is not common to all. The embeddings are those of the head that was
    trained on this question. added: each output is added to what came in, and does not replace it; norms: a LayerNorm
    comes before each part; widened: a feed-forward part follows each attention.
    """
    passed = [rows := head.trained().embedding(encode([words])[0])[0].double()]
    for block in _random_blocks(seed):
        for norm, part in ((block.norm1, block.attention), (block.norm2, block.feed_forward))[: 1 + widened]:
            rows = part.double()((norm.double() if norms else nn.Identity())(rows)) + (rows if added else 0)
        passed.append(rows)
    return [((rows - rows.mean(dim=0)).norm() / rows.norm()).item() for rows in passed]


@cache
def _random_blocks(seed):
    with torch.random.fork_rng(devices=[]):
        torch.manual_seed(seed)
        blocks = [EncoderBlock(8, 2, 16) for _ in range(DEPTH)]
    for block in blocks:
        for name, bias in block.named_parameters():
            if name.endswith("bias"):
                bias.data.zero_()  # the notebook's own attentions have none
    return blocks


def stages(words):
    """Show each word as a lane through random attentions, and through as many with what a block puts around them.

    The lanes are as far apart as the words can be told apart. Each part can be taken away, more layers be
    stacked, and others drawn.
    """
    ways = [[bool(way >> place & 1) for place in range(len(PARTS))] for way in range(2 ** len(PARTS))]
    draws = [[told_apart(words, seed, *way) for way in ways] for seed in range(DRAWS)]
    data = {"words": words, "parts": PARTS, "depth": SHOWN, "else": ELSE, "draws": six_digits(draws)}
    alone, block = _ends(data)
    names = ["before the first layer", *(f"after layer {layer + 1}" for layer in range(SHOWN))]
    rows = [[name, f"{one:.0%}", f"{other:.0%}"] for name, one, other in zip(names, alone, block)]
    rows = [["told apart", "attention alone", BLOCK], *rows]
    table = plain_table(*(role_row(row, ["input"] * 3, "th" if row is rows[0] else "td") for row in rows))
    title = "How well the words can be told apart, layer by layer"
    return Live(HOME / "stages", data, table, _says(alone, block), title)


def _says(alone, block):
    shares = f"{alone[-1]:.0%} with attention alone, {block[-1]:.0%} {BLOCK}"
    return f"How well the words can be told apart after {SHOWN} layers: {shares}."


def _ends(data):
    """Return the shares of attention alone, and of the whole block, in the first layers of the first draw."""
    return [data["draws"][0][way][: SHOWN + 1] for way in (0, -1)]
