"""How far layers carry: who reads whom from layer to layer, and where the change of one input arrives."""

import torch

from companion.pictures.palette import GRID, INK, MUTED, PAPER, ROLES
from companion.pictures.picture import Picture, canvas, styled


@styled
def reach(mask, moved, caption=None):
    """Draw the inputs as a row of dots, each layer's outputs above it, and a line wherever a token reads another.

    mask: boolean (tokens, tokens) of every layer, True = may attend; moved: boolean (layers + 1, tokens), what the
    change of one input moves, first in the inputs: these dots are full, and the lines between them wide.
    """
    fill, moved = ROLES["context"].fill, torch.stack(list(moved)).tolist()
    figure, axes = canvas(6.4, 0.8 * len(moved) + 0.5)
    for depth, (before, after) in enumerate(zip(moved, moved[1:])):
        for query, key in mask.nonzero().tolist():
            carries = before[key] and after[query]
            style = {"color": fill, "linewidth": 2.2} if carries else {"color": GRID, "linewidth": 1}
            axes.plot([key, query], [depth, depth + 1], zorder=1 + carries, **style)
    for depth, row in enumerate(moved):
        for token, moves in enumerate(row):
            style = {"markerfacecolor": fill, "markeredgecolor": fill} if moves else {"markeredgecolor": MUTED}
            axes.plot(token, depth, "o", markersize=10 if moves else 7, **{"markerfacecolor": PAPER} | style, zorder=3)
    names = ["inputs", *(f"layer {number}" for number in range(1, len(moved)))]
    axes.set_yticks(range(len(moved)), names)
    axes.set_xticks(range(len(moved[0])))
    axes.tick_params(length=0, labelcolor=INK)
    axes.spines[:].set_visible(False)
    moved_tokens = [", ".join(str(token) for token, moves in enumerate(row) if moves) for row in moved]
    facts = [f"{name} {tokens}" for name, tokens in zip(names, moved_tokens)]
    return Picture(figure, f"The change of one input moves: {'; '.join(facts)}.", caption)
