"""How the writer learns, and what one of its heads reads, beside the head of notebook 00. Used in notebook 17."""

import torch
from matplotlib.patches import PathPatch
from matplotlib.path import Path

from companion.pictures.palette import GRID, MUTED, ROLES
from companion.pictures.picture import Picture, canvas, panels, styled
from companion.pictures.words import describe_rows, labelled, shown
from companion.which_minute import head
from companion.which_minute.sentences import encode

PART = 40  # steps that make one point: the losses of single batches jump


@styled
def learning(losses, guesses, caption=None):
    """Draw how a loss falls, as means of `PART` steps, and the loss of each guess as a level: {name: loss}."""
    parts = torch.tensor(losses).unflatten(0, (-1, PART)).mean(dim=1).tolist()
    parts = [round(each, 2) for each in parts]  # a training differs a little between machines
    middles = range(PART // 2, len(losses), PART)
    figure, axes = canvas(6.6, 3.3, None)
    axes.plot(middles, parts, color=ROLES["context"].fill, marker="o", markersize=5, linewidth=2)
    look = {"textcoords": "offset points", "color": ROLES["context"].ink, "fontweight": "bold"}
    axes.annotate("your model", (middles[1], parts[1]), (8, 8), **look)
    for name, loss in guesses.items():
        axes.axhline(loss, color=MUTED, linewidth=1.2, linestyle="--", zorder=0)
        place = "top" if loss == min(guesses.values()) else "bottom"  # the curve ends above the lowest
        axes.text(len(losses), loss, f"by {name} ", ha="right", va=place, color=MUTED)
    axes.set(xlabel="step", ylabel="loss", xlim=(0, len(losses)), ylim=(-0.35, 1.1 * max(guesses.values())))
    axes.grid(color=GRID, linewidth=0.8, axis="x")
    levels = ", ".join(f"by {name} {loss:.2f}" for name, loss in guesses.items())
    return Picture(figure, f"Loss of your model: from {parts[0]:.2f} to {parts[-1]:.2f}. Guesses: {levels}.", caption)


@styled
def circle(tokens, weights, caption=None):
    """Draw what "minute" reads in notebook 00, and beside it what the last of these tokens reads: (tokens)."""
    words = ["she", "noticed", "one", "minute", "pause", "today"]
    figure, facts = panels(7.4, 3.3, None, 2), []
    minute = head.trained()(*encode([words]))[1]
    for axes, query, row, keys in zip(figure.axes, ("minute", tokens[-1]), (minute[0], weights), (words, tokens)):
        rows = labelled("weights", row[None], [query], keys)[0].tolist()
        facts.append(describe_rows(rows, [query], keys, [[True] * len(keys)], "weight"))
        axes.text(-0.04, 0.5, query, ha="right", va="center", color=ROLES["query"].ink, fontsize=11, fontweight="bold")
        for place, (key, weight) in enumerate(zip(keys, rows[0])):
            y = 1 - (place + 0.5) / len(keys)
            band = Path([(0, 0.5), (0.5, 0.5), (0.5, y), (1, y)], [Path.MOVETO] + 3 * [Path.CURVE4])
            look = {"facecolor": "none", "edgecolor": ROLES["weight"].fill, "linewidth": 0.4 + 12 * weight}
            axes.add_patch(PathPatch(band, alpha=0.35 + 0.5 * weight, capstyle="butt", **look))
            strong = "bold" if weight > 0.5 else "normal"
            axes.text(1.04, y, key, va="center", color=ROLES["key"].ink, fontsize=11, fontweight=strong)
            if weight > 0.5:
                axes.text(1.42, y, shown(weight), va="center", color=ROLES["weight"].ink, fontweight="bold")
        axes.set(xlim=(-0.32, 1.6), ylim=(-0.02, 1.02))
        axes.axis("off")
    return Picture(figure, " ".join(facts), caption)
