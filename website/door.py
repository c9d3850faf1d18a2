"""Draw the pictures of the course's door: those of the README, of a link's preview, and the icons of a page.

Run `python website/door.py`. All numbers come from the head that notebook 00 trains.
"""

import io
from copy import deepcopy
from pathlib import Path

import numpy as np
import torch
from matplotlib import rc_context
from matplotlib.colors import to_rgb
from matplotlib.figure import Figure
from matplotlib.patches import FancyBboxPatch, PathPatch
from matplotlib.path import Path as Curve
from PIL import Image

from companion.pictures.notebook_00_course import course
from companion.pictures.palette import ROLES
from companion.pictures.picture import STYLE, in_few_colors
from companion.worlds.which_minute.head import STEPS, train, trained, untrained
from companion.worlds.which_minute.sentences import MEANINGS, encode, sentences

FOLDER = Path(__file__).parent / "door"
ASKED = ("she noticed one minute pause today", "the crack she noticed was minute")
LIGHT = {"paper": "#FFFFFF", "ink": "#1F2430", "edge": "#C9CED6"}
LIGHT |= {"weight": ROLES["weight"].fill, "context": ROLES["context"].fill}
LIGHT |= {f"{role}-ink": ROLES[role].ink for role in ("query", "weight", "context")}
DARK = {"query-ink": "#D1581E", "paper": "#0D1117", "ink": "#E8EBF0", "edge": "#3A4250"}
DARK |= dict.fromkeys(("weight", "weight-ink"), "#56B4E9") | dict.fromkeys(("context", "context-ink"), "#2FC79A")
MARKS = ("o", "^", "s")  # one for each meaning, never color alone; as in the live picture
CLOUDS = (-3.4, -3.5), (-1.9, 4.6), (3, -4.2)  # where the name of each meaning stands
FILM = [0, *range(6, 60, 2), *range(60, 100, 5), 100, STEPS]  # the steps that the README shows, in less than 5 seconds


def learned():
    """Return {steps: the head after so many steps of its training}."""
    head, (texts, meanings) = untrained(), sentences()
    stages = {step: deepcopy(head) for step, _ in train(head, encode(texts), meanings) if step in FILM}
    return stages | {STEPS: trained()}


@torch.no_grad()
def read(texts, head=None):
    """Return the chances of each meaning, what "minute" reads of each word, and its context, for each text."""
    logits, weights, contexts = (head or trained())(*encode(texts))
    return logits.softmax(dim=-1), weights, contexts


def hero(look, narrow, steps, head):
    """Draw two sentences, what "minute" reads in each, and where its context lies among those of 300 sentences.

    narrow: for a phone, one below the other; head: as it is after so many steps of its training.
    """
    wide, high, line = (4.9, 7, 4.7) if narrow else (10, 3.8, 5.4)  # inches, the last of a row of words
    figure = Figure(figsize=(wide, high), facecolor=look["paper"])
    title = {"fontsize": 15, "fontweight": "bold"}
    figure.text(0.2 / wide, 1 - 0.3 / high, "what “minute” reads, and means", color=look["weight-ink"], **title)
    words = [text.split() for text in ASKED]
    chances, weights, contexts = read(words, head)
    for row, (text, chance, shares) in enumerate(zip(words, chances, weights)):
        axes = figure.add_axes((0.1 / wide, 1 - (2 + 1.75 * row) / high, line / wide, 1.6 / high))
        _sentence(axes, text, shares, MEANINGS[chance.argmax()], look)
    left, top = (0.2, 4.05) if narrow else (6, 0.3)
    figure.text(left / wide, 1 - top / high, "what “minute” becomes", color=look["context-ink"], **title)
    note = {"fontsize": 11, "color": look["ink"]}
    figure.text(left / wide, 1 - (top + 0.19) / high, "each mark is one of 300 sentences", **note)
    figure.text(1 - 0.2 / wide, 1 - 0.3 / high, f"{steps} steps", ha="right", color=look["ink"], **title)
    axes = figure.add_axes((left / wide, 0.02, 1 - (left + 0.1) / wide, 1 - (top + 0.35) / high))
    _plane(axes, contexts, [share.max() > 0.5 for share in weights], head, look)
    return figure


def guess(look):
    """Draw the sentence that the README asks about."""
    figure = Figure(figsize=(5.6, 1.7), facecolor=look["paper"])
    words = ["the", "gap", "she", "noticed", "was", "minute"]
    (chances,), (weights,), _ = read([words])
    _sentence(figure.add_axes((0, 0, 1, 1)), words, weights, MEANINGS[chances.argmax()], look)
    return figure


def preview():
    """Draw what a link shows of the course, often as small as a stamp: its name, its question and both answers."""
    figure = Figure(figsize=(10, 5.25), facecolor=LIGHT["paper"], edgecolor=LIGHT["weight"], linewidth=10)
    figure.text(0.05, 0.85, "Attention from scratch", fontsize=46, fontweight="bold", color=LIGHT["ink"])
    figure.text(0.05, 0.75, "A course in PyTorch.", fontsize=27, color=LIGHT["ink"])
    figure.text(0.95, 0.75, "Which “minute” is meant?", ha="right", fontsize=27, color=LIGHT["weight-ink"])
    texts = [text.split() for text in ASKED]
    for row, (words, chances, weights, _) in enumerate(zip(texts, *read(texts))):
        axes = figure.add_axes((0.03, 0.39 - 0.36 * row, 0.94, 0.33))
        _sentence(axes, words, weights, MEANINGS[chances.argmax()], LIGHT, scale=1.75, shown=False)
    return figure


def _sentence(axes, words, shares, meaning, look, scale=1, shown=True):
    """Draw a sentence, an arrow from "minute" to each word that it reads, as wide as its share, and the answer.

    shown: whether each share stands below its word.
    """
    axes.set(xlim=(-0.55, len(words) - 0.4), ylim=(-1, 1))
    axes.axis("off")
    asking = words.index("minute")
    for place, (word, share) in enumerate(zip(words, shares.tolist())):
        ink = look["query-ink" if place == asking else "ink"]
        heavy = "bold" if place == asking or share > 0.5 else "normal"
        axes.text(place, -0.1, word, ha="center", va="top", fontsize=13.5 * scale, fontweight=heavy, color=ink)
        if place != asking and share > 0.05:
            _ribbon(axes, (asking, 0.02), (place, 0.02), 1.05 if shown else 0.92, 13 * scale * share, look["weight"])
            note = {"ha": "center", "va": "top", "fontsize": 11 * scale, "color": look["weight-ink"]}
            says = f"{share:.2f}" + "\nof its attention" * (words[-1] != "minute")  # what the number is, once
            axes.text(place, -0.5, says * shown, **note)
    note = {"ha": "center", "va": "top", "fontsize": 13.5 * scale, "color": look["context-ink"]}
    axes.text(asking, -0.5, meaning, fontweight="bold", **note)


def _ribbon(axes, start, goal, top, wide, color):
    """Draw an arrow as the cover does: as wide as its share, in points, all the way, and upright at both ends."""
    point = np.ptp(axes.get_ylim()) / (axes.bbox.height * 72 / axes.figure.dpi)
    (x, _), (end, foot) = start, goal
    curve = Curve([start, (x, top), (end, top), (end, foot + 0.8 * wide * point)], [Curve.MOVETO] + [Curve.CURVE4] * 3)
    axes.add_patch(PathPatch(curve, facecolor="none", edgecolor=color, linewidth=wide, capstyle="butt"))
    axes.plot(end, foot, marker=[(-1, 1), (1, 1), (0, 0)], markersize=1.7 * wide, color=color, markeredgewidth=0)


@torch.no_grad()
def _plane(axes, asked, sure, head, look):
    texts, meanings = sentences()
    drawn = torch.randperm(len(texts), generator=torch.Generator().manual_seed(0))[:300]
    _, _, contexts = read([texts[place] for place in drawn], head)
    axes.set(aspect="equal", adjustable="datalim", facecolor=look["paper"], xticks=[], yticks=[])
    axes.spines[:].set_visible(False)
    for kind, (meaning, mark, (x, y)) in enumerate(zip(MEANINGS, MARKS, CLOUDS)):
        points = contexts[meanings[drawn] == kind]
        axes.plot(*points.T, mark, color=look["context"], markersize=5, alpha=0.45, markeredgewidth=0)
        place = {"ha": "center", "va": "center", "color": look["ink"]}
        axes.text(x, y, meaning, fontsize=14, fontweight="bold", **place)
        if meaning == "either":
            below = {"textcoords": "offset points", "fontsize": 12}
            axes.annotate("the word fits both", (x, y), (0, -15), **below, **place)
    for (x, y), clue, mark, named in zip(asked.tolist(), ("pause", "crack"), MARKS, sure):
        axes.plot(x, y, mark, color="none", markersize=11, markeredgecolor=look["ink"], markeredgewidth=1.5)
        axes.text(x + 0.9, y, clue * bool(named), va="center", fontsize=13, color=look["context-ink"])
    # Where one answer gives way to another, as on the cover.
    across, up = torch.meshgrid(*[torch.linspace(-12, 12, 241)] * 2, indexing="xy")
    answers = head.answer(torch.stack([across, up], dim=-1))
    for kind in range(len(MEANINGS)):
        others = answers[..., [other for other in range(len(MEANINGS)) if other != kind]].amax(dim=-1)
        axes.contour(across, up, answers[..., kind] - others, [0], colors=look["edge"], linewidths=1.5, zorder=0)
    axes.set(xlim=(-7, 7), ylim=(-5.5, 8))


def turned(image):
    """Return an image for the dark, as `templates/dark.html` has a browser turn it: the same hues, on dark paper."""
    color = np.asarray(image) / 255
    light, dark = color.max(axis=-1, keepdims=True), color.min(axis=-1, keepdims=True)
    added = np.interp(light, np.linspace(0, 1, 5), [0.93, 0.6, 0.32, 0.07, 0])
    found = np.abs((color + added).clip(0, 1) - 0.93 * dark**2)
    found[(color == 1).all(axis=-1)] = to_rgb(DARK["paper"])
    return Image.fromarray((255 * found).round().astype(np.uint8))


def icon(small=False):
    """Draw how one word reads another, as a page's icon: an arrow back over the word between them.

    small: for 16 px, with nothing between them.
    """
    figure = Figure(figsize=(1, 1), facecolor="none")
    axes = figure.add_axes((0, 0, 1, 1))
    axes.set(xlim=(0, 1), ylim=(0, 1))
    axes.axis("off")
    square = {"boxstyle": "round,pad=0,rounding_size=0.2", "linewidth": 0}
    axes.add_patch(FancyBboxPatch((0, 0), 1, 1, color=ROLES["weight"].fill, **square))
    dot, wide = (20, 13) if small else (13, 9)
    axes.plot([0.22] if small else [0.2, 0.5], [0.27] * (2 - small), "o", color="white", markersize=dot)
    axes.plot([0.78], [0.27], "o", color="#FF9E64", markersize=dot)
    _ribbon(axes, (0.78, 0.44), (0.21, 0.41), 0.95, wide, "white")
    return figure


@rc_context(STYLE)
def draw(folder=FOLDER):
    """Write all pictures into a folder."""
    folder.mkdir(exist_ok=True)
    pictures = {
        "hero-light": hero(LIGHT),
        "hero-dark": hero(DARK),
        "narrow-light": hero(LIGHT, narrow=True),
        "narrow-dark": hero(DARK, narrow=True),
        "guess-light": guess(LIGHT),
        "guess-dark": guess(DARK),
        "preview": preview(),
        "icon": icon(),
        "small": icon(small=True),
    }
    for name, picture in {"map": course(wide=True), "map-narrow": course()}.items():
        picture.figure.savefig(raw := io.BytesIO(), format="png", dpi=200)
        image = Image.open(raw).convert("RGB")
        image.save(folder / f"{name}-light.png", optimize=True)
        turned(image).save(folder / f"{name}-dark.png", optimize=True)
    for name, figure in pictures.items():
        dots = {"preview": 120, "icon": 180, "small": 32}.get(name, 200)  # 1,200 x 630 is what a preview may have
        figure.savefig(folder / f"{name}.png", dpi=dots, facecolor=figure.get_facecolor())


if __name__ == "__main__":
    draw()
