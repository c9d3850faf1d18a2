"""How the writer learns, and what one of its heads reads. Used in notebook 18."""

import torch
from matplotlib.patches import PathPatch
from matplotlib.path import Path

from companion.pictures.palette import INK, MUTED, ROLES
from companion.pictures.picture import Picture, canvas, panels, styled
from companion.pictures.words import describe_rows, labelled, shown
from companion.which_minute import head
from companion.which_minute.sentences import encode

PART = 100  # steps that make one point: the losses of single batches jump


@styled
def learning(losses, guesses, caption=None):
    """Draw how a loss falls from the first step, as means of `PART`, and the level of each guess: {name: loss}."""
    parts = [losses[0], *torch.tensor(losses).unflatten(0, (-1, PART)).mean(dim=1).tolist()]
    parts = [round(each, 1) for each in parts]  # a training differs a little between machines
    middles = [1, *range(PART // 2, len(losses), PART)]
    figure, axes = canvas(6.6, 3.3)
    axes.plot(middles, parts, color=INK, linewidth=2.2)
    look = {"textcoords": "offset points", "va": "center", "annotation_clip": False}
    between = sum(sorted(guesses.values())[-2:]) / 2  # no dotted line is there
    axes.annotate("your model", (middles[1], between), (12, 0), fontweight="bold", **look)
    for name, loss in guesses.items():
        axes.axhline(loss, color=MUTED, linewidth=1.2, linestyle=":", zorder=0)
        axes.annotate(f"by {name}, {loss:.2f}", (len(losses), loss), (6, 0), color=MUTED, **look)
    axes.annotate("loss", (0, 1), (0, 6), xycoords="axes fraction", textcoords="offset points", color=MUTED)
    axes.set(xlim=(0, len(losses)), ylim=(0, None))
    axes.set_xlabel("step of the training", color=MUTED)
    axes.tick_params(colors=MUTED, length=0)
    axes.spines["left"].set_visible(False)
    levels = ", ".join(f"by {name} {loss:.2f}" for name, loss in guesses.items())
    return Picture(figure, f"Loss of your model: from {parts[0]} to {parts[-1]}. Guesses: {levels}.", caption)


@styled
def circle(text, maps, word):
    """Draw what "minute" reads in notebook 00, and beside it what the last token of a text reads in a head of block 0.

    maps: weights of each block, (1, heads, query, key), of "<end>" and the text; it is the head that reads most from
    `word`, a token of the text.
    """
    tokens, words = ["<end>", *text.split()], ["she", "noticed", "one", "minute", "pause", "today"]
    rows = maps[0][0, :, -1].detach()
    number = rows[:, tokens.index(word)].argmax().item()
    figure, facts = panels(7.4, 3.3, None, 2), []
    minute = head.trained()(*encode([words]))[1]
    caption = f"On the right is head {number} of block 0, which reads most from “{word}”."
    for axes, query, row, keys in zip(figure.axes, ("minute", tokens[-1]), (minute[0], rows[number]), (words, tokens)):
        axes.set_title("the head of notebook 00" if keys is words else "a head of the model that writes")
        shares = labelled("weights", row[None], [query], keys)[0].tolist()
        facts.append(describe_rows(shares, [query], keys, [[True] * len(keys)], "weight"))
        axes.text(-0.04, 0.5, query, ha="right", va="center", color=ROLES["query"].ink, fontsize=11, fontweight="bold")
        for place, (key, weight) in enumerate(zip(keys, shares[0])):
            y = 1 - (place + 0.5) / len(keys)
            band = Path([(0, 0.5), (0.5, 0.5), (0.5, y), (1, y)], [Path.MOVETO] + 3 * [Path.CURVE4])
            look = {"facecolor": "none", "edgecolor": ROLES["weight"].fill, "linewidth": 0.4 + 12 * weight}
            axes.add_patch(PathPatch(band, alpha=0.35 + 0.5 * weight, capstyle="butt", **look))
            strong = "bold" if weight > 0.5 else "normal"
            name = axes.text(1.04, y, key, va="center", color=ROLES["key"].ink, fontsize=11, fontweight=strong)
            if weight > 0.5:
                look = {"textcoords": "offset points", "va": "center", "color": ROLES["weight"].ink}
                axes.annotate(shown(weight), (1, 0.5), (7, 0), xycoords=name, fontweight="bold", **look)
        axes.set(xlim=(-0.32, 1.6), ylim=(-0.02, 1.02))
        axes.axis("off")
    return Picture(figure, " ".join(facts), caption)
