"""Draw the pictures of the course's door: those of the README, of a link's preview, and the icon of a page.

Run `python website/door.py`. All numbers come from the trained head of notebook 00.
"""

from pathlib import Path

import torch
from matplotlib import rc_context
from matplotlib.figure import Figure
from matplotlib.patches import Arc

from companion.pictures.palette import ROLES
from companion.pictures.picture import STYLE
from companion.which_minute.head import trained
from companion.which_minute.sentences import MEANINGS, encode, sentences

FOLDER = Path(__file__).parent / "door"
ASKED = ("she noticed one minute pause today", "she noticed one minute crack today")
LIGHT = {"paper": "#FFFFFF", "ink": "#1F2430", "edge": "#C9CED6"}
LIGHT |= {"weight": ROLES["weight"].fill, "context": ROLES["context"].fill}
LIGHT |= {f"{role}-ink": ROLES[role].ink for role in ("query", "weight", "context")}
DARK = {"query-ink": "#FF9E64", "paper": "#0D1117", "ink": "#E8EBF0", "edge": "#3A4250"}
DARK |= dict.fromkeys(("weight", "weight-ink"), "#56B4E9") | dict.fromkeys(("context", "context-ink"), "#2FC79A")
MARKS = ("o", "^", "s")  # one for each meaning, never color alone; as in the live picture


@torch.no_grad()
def read(texts):
    """Return the chances of each meaning, what "minute" reads of each word, and its context, for each text."""
    logits, weights, contexts = trained()(*encode(texts))
    return logits.softmax(dim=-1), weights, contexts


def hero(look):
    """Draw two sentences, what "minute" reads in each, and where its context lies among those of 600 sentences."""
    figure = Figure(figsize=(10, 4.2), facecolor=look["paper"])
    words = [text.split() for text in ASKED]
    chances, weights, contexts = read(words)
    for row, (text, chance, shares) in enumerate(zip(words, chances, weights)):
        axes = figure.add_axes((0.02, 0.52 - 0.48 * row, 0.54, 0.44))
        axes.text(-0.6, 1.02, "what “minute” reads", fontsize=11, color=look["weight-ink"])
        _sentence(axes, text, shares, MEANINGS[chance.argmax()], look)
    _plane(figure.add_axes((0.59, 0.04, 0.39, 0.92)), contexts, look)
    return figure


def preview():
    """Draw what a link shows of the course, often as small as a stamp: its name, its question and one answer."""
    figure = Figure(figsize=(10, 5.25), facecolor=LIGHT["paper"])
    figure.text(0.05, 0.82, "Attention from scratch", fontsize=44, fontweight="bold", color=LIGHT["ink"])
    figure.text(0.05, 0.71, "Which “minute” is meant?", fontsize=30, color=LIGHT["weight-ink"])
    words = ASKED[1].split()
    chances, weights, _ = read([words])
    _sentence(figure.add_axes((0.0, 0.0, 1, 0.68)), words, weights[0], MEANINGS[chances.argmax()], LIGHT, scale=1.9)
    return figure


def _sentence(axes, words, shares, meaning, look, scale=1):
    axes.set(xlim=(-0.7, len(words) - 0.3), ylim=(-1.0, 1.25))
    axes.axis("off")
    asking = words.index("minute")
    for place, (word, share) in enumerate(zip(words, shares.tolist())):
        if place != asking:
            size = {"width": abs(place - asking), "height": 0.95 + 0.2 * abs(place - asking)}
            width = scale * (0.8 + 22 * share)  # of the line, in points: what is read most is seen first
            axes.add_patch(Arc(((place + asking) / 2, 0.08), **size, theta2=180, lw=width, color=look["weight"]))
        ink = look["query-ink" if place == asking else "ink"]
        heavy = "bold" if place == asking or share > 0.5 else "normal"
        axes.text(place, -0.14, word, ha="center", va="top", fontsize=13.5 * scale, fontweight=heavy, color=ink)
        if share > 0.05:
            axes.text(
                place, -0.46, f"{share:.2f}", ha="center", va="top", fontsize=11 * scale, color=look["weight-ink"]
            )
    axes.text(asking, -0.5, f"means: {meaning}", ha="right", va="top", fontsize=12.5 * scale, color=look["context-ink"])


def _plane(axes, asked, look):
    texts, meanings = sentences()
    drawn = torch.randperm(len(texts), generator=torch.Generator().manual_seed(0))[:600]
    _, _, contexts = read([texts[place] for place in drawn])
    axes.set(aspect="equal", adjustable="datalim", facecolor=look["paper"], xticks=[], yticks=[])
    axes.spines[:].set_visible(False)
    axes.margins(0.12)
    for line in (axes.axhline, axes.axvline):
        line(0, color=look["edge"], linewidth=0.8, zorder=0)
    for kind, (meaning, mark) in enumerate(zip(MEANINGS, MARKS)):
        points = contexts[meanings[drawn] == kind]
        axes.plot(*points.T, mark, color=look["context"], markersize=5, alpha=0.45, markeredgewidth=0)
        x, y = points.mean(dim=0).tolist()
        side, up = (-1.2, -0.5) if kind == 1 else (0, -1.4)  # where the cloud leaves room
        place = {"ha": "right" if side else "center", "va": "center"}
        axes.text(x + side, y + up, meaning, fontsize=14, fontweight="bold", color=look["ink"], **place)
    for (x, y), text in zip(asked.tolist(), ASKED):
        axes.annotate("", (x, y), (0, 0), arrowprops={"arrowstyle": "-|>", "color": look["ink"], "linewidth": 1.8})
        axes.text(x / 2 - 0.3, y / 2 + 0.1, text.split()[4], ha="right", fontsize=12, color=look["ink"])
    axes.text(
        0.99,
        0.97,
        "what “minute” becomes",
        ha="right",
        fontsize=11,
        color=look["context-ink"],
        transform=axes.transAxes,
    )


def icon():
    """Draw what one word reads of another, as a page's icon."""
    figure = Figure(figsize=(1, 1), facecolor=ROLES["weight"].fill)
    axes = figure.add_axes((0, 0, 1, 1))
    axes.set(xlim=(0, 1), ylim=(0, 1))
    axes.axis("off")
    axes.add_patch(Arc((0.5, 0.42), 0.54, 0.72, theta2=180, lw=9, color="white"))
    axes.plot([0.23, 0.77], [0.2, 0.2], "o", color="white", markersize=15)
    return figure


@rc_context(STYLE)
def draw(folder=FOLDER):
    """Write all pictures into a folder."""
    folder.mkdir(exist_ok=True)
    pictures = {
        "hero-light": hero(LIGHT),
        "hero-dark": hero(DARK),
        "preview": preview(),
        "icon": icon(),
    }
    for name, figure in pictures.items():
        dots = {"preview": 120, "icon": 180}.get(name, 200)  # 1,200 x 630 is what a preview may have
        figure.savefig(folder / f"{name}.png", dpi=dots, facecolor=figure.get_facecolor())


if __name__ == "__main__":
    draw()
