"""How the writer learns, and what one of its heads reads. Used in notebook 18."""

import torch
from matplotlib.patches import PathPatch
from matplotlib.path import Path

from companion.pictures.palette import INK, MUTED, ROLES
from companion.pictures.picture import Picture, canvas, panels, styled
from companion.pictures.words import describe_rows, labelled, two_decimals
from companion.worlds.which_minute import head
from companion.worlds.which_minute.sentences import encode

PART = 100  # steps that make one point: the losses of single batches jump
OFF = 0.015


@styled
def loss_chart(losses, guesses, caption=None):
    """Draw how a loss falls from the first step, as means of `PART`, and the level of each guess: {name: loss}."""
    parts = [losses[0], *torch.tensor(losses).unflatten(0, (-1, PART)).mean(dim=1).tolist()]
    # A training differs a little between machines. So much off, no mean of the stored one is near where rounding turns.
    parts = [round(loss - OFF, 1) + OFF for loss in parts]
    middles = [1, *range(PART // 2, len(losses), PART)]
    figure, axes = canvas(6.6, 3.3)
    axes.plot(middles, parts, color=INK, linewidth=2.2)
    style = {"textcoords": "offset points", "va": "center", "annotation_clip": False}
    between = sum(sorted(guesses.values())[-2:]) / 2  # no dotted line is there
    axes.annotate("your model", (middles[1], between), (12, 0), fontweight="bold", **style)
    for name, loss in guesses.items():
        axes.axhline(loss, color=MUTED, linewidth=1.2, linestyle=":", zorder=0)
        axes.annotate(f"by {name}, {loss:.2f}", (len(losses), loss), (6, 0), color=MUTED, **style)
    axes.annotate("loss", (0, 1), (0, 6), xycoords="axes fraction", textcoords="offset points", color=MUTED)
    axes.set(xlim=(0, len(losses)), ylim=(0, None))
    axes.set_xlabel("step of the training", color=MUTED)
    axes.tick_params(colors=MUTED, length=0)
    axes.spines["left"].set_visible(False)
    levels = ", ".join(f"by {name} {loss:.2f}" for name, loss in guesses.items())
    return Picture(figure, f"Loss of your model: from {parts[0]:.1f} to {parts[-1]:.1f}. Guesses: {levels}.", caption)


@styled
def circle(text, maps, word):
    """Draw what "minute" reads in notebook 00, and beside it what the last token of a text reads in a head of block 0.

    maps: weights of each block, (1, heads, query, key), of "<end>" and the text; it is the head that reads most from
    `word`, a token of the text.
    """
    tokens, words = ["<end>", *text.split()], ["she", "noticed", "one", "minute", "pause", "today"]
    rows = maps[0][0, :, -1].detach()
    number = rows[:, tokens.index(word)].argmax().item()
    figure, facts = panels(7.4, 3.3, 2), []
    minute = head.trained()(*encode([words]))[1]
    caption = f"Of the four heads in block 0, head {number} reads most from “{word}”: it is on the right."
    for axes, query, row, keys in zip(figure.axes, ("minute", tokens[-1]), (minute[0], rows[number]), (words, tokens)):
        axes.set_title("the head of notebook 00" if keys is words else "a head of your model")
        shares = labelled("weights", row[None], [query], keys)[0].tolist()
        facts.append(describe_rows(shares, [query], keys, [[True] * len(keys)], "weight"))
        axes.text(-0.04, 0.5, query, ha="right", va="center", color=ROLES["query"].ink, fontsize=11, fontweight="bold")
        for i, (key, weight) in enumerate(zip(keys, shares[0])):
            y = 1 - (i + 0.5) / len(keys)
            band = Path([(0, 0.5), (0.5, 0.5), (0.5, y), (1, y)], [Path.MOVETO] + 3 * [Path.CURVE4])
            style = {"facecolor": "none", "edgecolor": ROLES["weight"].fill, "linewidth": 0.4 + 12 * weight}
            named = weight == max(shares[0]) or key == word  # all others are pale
            axes.add_patch(PathPatch(band, alpha=0.9 if named else 0.25, capstyle="butt", **style))
            strong = "bold" if named else "normal"
            name = axes.text(1.04, y, key, va="center", color=ROLES["key"].ink, fontsize=11, fontweight=strong)
            if named:
                style = {"textcoords": "offset points", "va": "center", "color": ROLES["weight"].ink}
                axes.annotate(two_decimals(weight), (1, 0.5), (7, 0), xycoords=name, fontweight="bold", **style)
        axes.set(xlim=(-0.32, 1.6), ylim=(-0.02, 1.02))
        axes.axis("off")
    return Picture(figure, " ".join(facts), caption)
