"""Rows of weights as columns on one scale, to compare how even they are."""

import torch

from companion.pictures.palette import EDGE, MUTED, ROLES
from companion.pictures.picture import Picture, canvas, styled
from companion.pictures.words import largest_first

HIGH, ROOM = 1.4, 0.26  # inches of a weight of 1, and what a row's number takes above it, as a weight


@styled
def columns(rows, keys, caption=None):
    """Draw each row of weights as columns, with the number of its largest and a dotted line at an even share.

    rows: {name: weights}; keys: one label for each weight.
    """
    rows = {name: torch.as_tensor(row).tolist() for name, row in rows.items()}
    total = sum(max(row) + ROOM for row in rows.values())
    figure, axes = canvas(4.6, HIGH * total + 0.3)
    even, foot, facts = 1 / len(keys), total, []
    for name, row in rows.items():
        most = largest_first(row)[0]
        foot -= row[most] + ROOM
        axes.bar(range(len(row)), row, bottom=foot, width=0.8, color=ROLES["weight"].fill)
        axes.hlines(foot, -0.5, len(row) - 0.5, color=EDGE)
        axes.hlines(foot + even, -0.5, len(row) - 0.5, color=MUTED, linestyle=":", linewidth=1.2)
        above = {"textcoords": "offset points", "ha": "center"}
        axes.annotate(f"{row[most]:.0%}", (most, foot + max(row[most], even)), (0, 3), **above, fontweight="bold")
        axes.text(-0.9, foot, name, ha="right", va="bottom", fontweight="bold")
        facts.append(f"{name}: {keys[most]} {row[most]:.0%}")
        axes.text(len(keys) - 0.4, foot + even, f"even {even:.0%}", va="center", color=MUTED, fontsize=9)
    axes.set_xticks(range(len(keys)), keys, color=ROLES["key"].ink)
    axes.set(yticks=[], xlim=(-0.5, len(keys)), ylim=(0, total))
    axes.tick_params(length=0)
    axes.spines[:].set_visible(False)
    words = f"Largest weight of {len(keys)} keys, {'; '.join(facts)}. An even share is {even:.0%}."
    return Picture(figure, words, caption)
