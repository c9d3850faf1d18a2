"""How the writer learns, whom it calls "her", and what one of its heads reads. Used in notebook 18."""

import itertools

import torch
from matplotlib.colors import ListedColormap
from matplotlib.patches import PathPatch
from matplotlib.path import Path

from companion.pictures.palette import EDGE, INK, MUTED, PAPER, ROLES, TRACK
from companion.pictures.picture import Picture, canvas, panels, styled
from companion.pictures.words import describe_rows, labelled, shown
from companion.which_minute import head
from companion.which_minute.sentences import encode

PART = 40  # steps that make one point: the losses of single batches jump


@styled
def learning(losses, guesses, caption=None):
    """Draw how a loss falls from the first step, as means of `PART`, and the level of each guess: {name: loss}."""
    parts = [losses[0], *torch.tensor(losses).unflatten(0, (-1, PART)).mean(dim=1).tolist()]
    parts = [round(each, 1) for each in parts]  # a training differs a little between machines
    middles = [1, *range(PART // 2, len(losses), PART)]
    figure, axes = canvas(6.6, 3.3)
    axes.plot(middles, parts, color=INK, linewidth=2.2)
    look = {"textcoords": "offset points", "va": "center", "annotation_clip": False}
    axes.annotate("your model", (middles[2], parts[2]), (8, 10), fontweight="bold", **look)
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
def circle(tokens, weights, caption=None):
    """Draw what "minute" reads in notebook 00, and beside it what the last of these tokens reads: (tokens)."""
    words = ["she", "noticed", "one", "minute", "pause", "today"]
    figure, facts = panels(7.4, 3.3, None, 2), []
    minute = head.trained()(*encode([words]))[1]
    for axes, query, row, keys in zip(figure.axes, ("minute", tokens[-1]), (minute[0], weights), (words, tokens)):
        axes.set_title("the head of notebook 00" if keys is words else "a head of the model that writes")
        rows = labelled("weights", row[None], [query], keys)[0].tolist()
        facts.append(describe_rows(rows, [query], keys, [[True] * len(keys)], "weight"))
        axes.text(-0.04, 0.5, query, ha="right", va="center", color=ROLES["query"].ink, fontsize=11, fontweight="bold")
        for place, (key, weight) in enumerate(zip(keys, rows[0])):
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


@styled
def pronouns(said, caption=None):
    """Draw what should follow after "she" and after "he", where a girl or a boy comes along, beside what a model says.

    said: two rows, after "she" and after "he", of two sets of words each, where a girl and where a boy comes along.
    """
    said = [[" or ".join(sorted(words)) for words in row] for row in said]
    wanted = [["her", "him"]] * 2
    figure, facts = panels(6.0, 2.4, None, 2), []
    for axes, name, words in zip(figure.axes, ("what is right", "what the model says"), (wanted, said)):
        axes.imshow(
            [[word == "her" for word in row] for row in words], cmap=ListedColormap([TRACK, EDGE]), aspect="auto"
        )
        for i, j in itertools.product(range(2), repeat=2):
            look = {"ha": "center", "va": "center", "fontweight": "bold", "fontsize": 12}
            axes.text(j, i, f"“{words[i][j]}”", **look)
            if words[i][j] != wanted[i][j]:  # underlined as in the stories that the model writes
                wave = torch.linspace(-0.24, 0.24, 61)
                axes.plot(j + wave, i + 0.19 + 0.025 * (80 * wave).sin(), color=INK, linewidth=1.6)
                axes.text(j, i + 0.34, "wrong", ha="center", va="center")
        axes.set_title(name, pad=14)
        axes.set_xticks([0, 1], ["a girl comes", "a boy comes"])
        axes.set_yticks([0, 1], ["after “she”", "after “he”"])
        axes.set_xticks([0.5], minor=True)
        axes.set_yticks([0.5], minor=True)
        axes.grid(which="minor", color=PAPER, linewidth=3)
        axes.tick_params(which="both", length=0, labeltop=True, labelbottom=False)
        axes.spines[:].set_visible(False)
        facts.append(f"{name}: after “she” {' and '.join(words[0])}, after “he” {' and '.join(words[1])}")
    return Picture(figure, f"Where a girl and where a boy comes along, {'; '.join(facts)}.", caption)
