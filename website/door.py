"""Draw the pictures of the course's door: those of the README, of a link's preview, and the icons of a page.

Run `python website/door.py`. All numbers come from the head that notebook 00 trains.
"""

import io
import itertools
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

from companion.pictures.notebook_00_course import draw_course
from companion.pictures.palette import EDGE, INK, ROLES
from companion.pictures.picture import STYLE, in_few_colors
from companion.worlds.which_minute.head import STEPS, train_in_steps, trained, untrained
from companion.worlds.which_minute.picture_parts import SHAPES
from companion.worlds.which_minute.sentences import MEANINGS, encode, sentences

ASKED = ("she noticed one minute pause today", "the crack she noticed was minute")
GUESSES = (
    "the gap she noticed was minute",
    "the film she noticed was minute",
    "the crack one pause noticed was minute",
)
WEIGHT, CONTEXT = ROLES["weight"], ROLES["context"]
EDGES = (0.05, 0, "left"), (0.84, 0.87, "center"), (1, 0.07, "right")  # of the plane, where no mark comes: names
FILM = 0, 8, 12, 15, 18, 20, 22, 24, 26, 28, 30, 33, 36, 40, 45, 50, 60, 70, 80, 100, STEPS  # steps of the training


def heads_in_training():
    """Return {steps: the head after so many steps of its training}."""
    head, (texts, meanings) = untrained(), sentences()
    stages = {
        step: deepcopy(head) for step, _ in train_in_steps(head, encode(texts), meanings, steps=101) if step in FILM
    }
    return stages | {STEPS: trained()}


def hero(steps, head, narrow=False):
    """Draw two sentences, what "minute" reads in each, and where its context lies among those of 300 sentences.

    head: as it is after so many steps of its training; narrow: for a phone, one below the other.
    """
    wide, high, line = (4.9, 7, 4.7) if narrow else (10, 3.8, 5.4)  # inches, the last of a row of words
    figure = Figure(figsize=(wide, high))
    for row, text in enumerate(ASKED):
        _sentence(figure.add_axes((0.1 / wide, 1 - (2 + 1.75 * row) / high, line / wide, 1.6 / high)), text, head)
    left, top = (0.02, 4.05) if narrow else (6, 0.3)
    title, note = {"fontsize": 15, "fontweight": "bold"}, {"fontsize": 12}
    figure.text(0.02 / wide, 1 - 0.3 / high, "what “minute” reads, and means", color=WEIGHT.ink, **title)
    figure.text(left / wide, 1 - top / high, "what “minute” becomes", color=CONTEXT.ink, **title)
    figure.text(left / wide, 1 - (top + 0.19) / high, "each mark is one of 300 sentences", **note)
    figure.text(1 - 0.02 / wide, 1 - 0.3 / high, f"{steps} steps", ha="right", **title)
    figure.text(1 - 0.02 / wide, 1 - 0.49 / high, "of training", ha="right", **note)
    _plane(figure.add_axes((left / wide, 0.02, 1 - (left + 0.02) / wide, 1 - (top + 0.35) / high)), head)
    return figure


def preview():
    """Draw what a link shows of the course, often as small as a stamp: its name, its question and both answers."""
    figure = Figure(figsize=(10, 5.25), edgecolor=WEIGHT.fill, linewidth=10)
    figure.text(0.05, 0.85, "Attention from scratch", fontsize=46, fontweight="bold")
    figure.text(0.05, 0.75, "A course in PyTorch.", fontsize=27)
    figure.text(0.95, 0.75, "Which “minute” is meant?", ha="right", fontsize=27, color=WEIGHT.ink)
    for row, text in enumerate(ASKED):
        _sentence(figure.add_axes((0.03, 0.39 - 0.36 * row, 0.94, 0.33)), text, trained(), scale=1.75, shown=False)
    return figure


@torch.no_grad()
def _sentence(axes, text, head, scale=1, shown=True):
    """Draw a sentence, an arrow from "minute" to each word that it reads, as wide as its share, and the answer.

    shown: whether each share stands below its word.
    """
    words = text.split()
    logits, (shares,), _ = head(*encode([words]))
    axes.set(xlim=(-0.55, len(words) - 0.4), ylim=(-1, 1))
    axes.axis("off")
    asking, under = words.index("minute"), {"ha": "center", "va": "top"}
    for place, (word, share) in enumerate(zip(words, shares.tolist())):
        style = {"fontweight": "bold"} if share > 0.5 else {}
        if place == asking:
            style = {"fontweight": "bold", "color": ROLES["query"].ink}
        elif share > 0.05:
            _ribbon(axes, (asking, 0.02), (place, 0.02), 1.05 if shown else 0.92, 13 * scale * share, WEIGHT.fill)
            label = f"{share:.2f}" + "\nof its attention" * (share > 0.5 and words[-1] != "minute")  # once
            axes.text(place, -0.5, label * shown, fontsize=12 * scale, color=WEIGHT.ink, **under)
        axes.text(place, -0.1, word, fontsize=13.5 * scale, **under, **style)
    style = {"fontsize": 13.5 * scale, "fontweight": "bold", "color": CONTEXT.ink}
    axes.text(asking, -0.5, MEANINGS[logits.argmax()], **under, **style)


def _ribbon(axes, start, goal, top, wide, color):
    """Draw an arrow as the cover does: as wide as its share, in points, all the way, and upright at both ends."""
    point = np.ptp(axes.get_ylim()) / (axes.bbox.height * 72 / axes.figure.dpi)
    (x, _), (end, foot) = start, goal
    curve = Curve([start, (x, top), (end, top), (end, foot + 0.8 * wide * point)], [Curve.MOVETO] + [Curve.CURVE4] * 3)
    axes.add_patch(PathPatch(curve, facecolor="none", edgecolor=color, linewidth=wide, capstyle="butt"))
    axes.plot(end, foot, marker=[(-1, 1), (1, 1), (0, 0)], markersize=1.7 * wide, color=color, markeredgewidth=0)


@torch.no_grad()
def _plane(axes, head):
    """Draw the contexts of 300 sentences, and with a rim those of the two asked, where one word is read, with it."""
    texts, meanings = sentences()
    drawn = torch.randperm(len(texts), generator=torch.Generator().manual_seed(0))[:300]
    asked = [text.split() for text in ASKED]
    _, weights, contexts = head(*encode(asked + [texts[place] for place in drawn]))
    across = 8 * axes.bbox.width / axes.bbox.height
    axes.set(xlim=(-across, across), ylim=(-7, 9))
    axes.axis("off")
    for kind, (meaning, mark, (x, y, side)) in enumerate(zip(MEANINGS, SHAPES, EDGES)):
        points = contexts[2:][meanings[drawn] == kind]
        axes.plot(*points.T, mark, color=CONTEXT.fill, markersize=5, alpha=0.45, markeredgewidth=0)
        axes.text(x, y, meaning, fontsize=14, fontweight="bold", ha=side, transform=axes.transAxes)
    axes.text(1, 0, "the word fits both", fontsize=12, ha="right", transform=axes.transAxes)
    sides = ("right", 0.8), ("left", 0)  # of its word, and how much lower it is
    for (x, y), shares, words, mark, (side, lower) in zip(contexts.tolist(), weights, asked, SHAPES, sides):
        axes.plot(x, y, mark, color="none", markersize=11, markeredgecolor=INK, markeredgewidth=1.5)
        clue = f"  {words[shares.argmax()]}  " * bool(shares.max() > 0.5)
        axes.text(x, y - lower, clue, ha=side, va="center", fontsize=13, color=CONTEXT.ink)
    # Where one answer gives way to another, as on the cover.
    across, up = torch.meshgrid(*[torch.linspace(-16, 16, 321)] * 2, indexing="xy")
    answers = head.answer(torch.stack([across, up], dim=-1)).numpy()
    for kind in range(len(MEANINGS)):
        ahead = answers[..., kind] - np.delete(answers, kind, axis=-1).max(axis=-1)
        axes.contour(across, up, ahead, [0], colors=EDGE, linewidths=1.5, zorder=0)


def darkened(palette):
    """Return colors for the dark, as `templates/dark.html` has a browser turn them: the same hues, on dark paper."""
    color = np.reshape(list(palette), (-1, 3)) / 255
    light, dark = color.max(axis=1, keepdims=True), color.min(axis=1, keepdims=True)
    added = np.interp(light, np.linspace(0, 1, 5), [0.93, 0.6, 0.32, 0.07, 0])
    colors = np.abs((color + added).clip(0, 1) - 0.93 * dark**2)
    colors[(color == 1).all(axis=1)] = to_rgb("#0D1117")
    return (255 * colors).round().astype(np.uint8).tobytes()


def save_pictures_and_film(path, *figures, dots=200):
    """Write the last of some figures for light and for dark paper, and if there are several, a film beside it.

    The film plays once, in under 5 seconds. Of each image it keeps what differs from the one before, in few colors.
    """
    images = []
    for figure in figures:
        figure.savefig(raw := io.BytesIO(), format="png", dpi=dots)
        images.append(Image.open(raw).convert("RGB"))
    strip = in_few_colors(Image.fromarray(np.concatenate(images)), count=63)
    frames = np.split(np.array(strip), len(images))
    parts = [np.where(frame == before, 63, frame) for before, frame in itertools.pairwise(frames)]
    moves = {"append_images": [*map(Image.fromarray, [frames[0], *parts])], "default_image": True, "loop": 1}
    moves |= {"duration": [1000] + [180] * len(parts), "blend": 1, "transparency": 63}  # laid over it
    light = bytes(strip.getpalette())
    for look, palette in {"light": light, "dark": darkened(light)}.items():
        image = Image.fromarray(frames[-1])
        image.putpalette(palette + bytes(3))  # the last one is seen through
        image.save(f"{path}-{look}.png", optimize=True)
        if parts:
            image.save(f"{path}-film-{look}.png", optimize=True, save_all=True, **moves)


def icon():
    """Draw how one word reads another, as a page's icon: an arrow back over the word between them."""
    figure = Figure(figsize=(1, 1))
    axes = figure.add_axes((0, 0, 1, 1), xlim=(0, 1), ylim=(0, 1))
    axes.axis("off")
    axes.add_patch(FancyBboxPatch((0, 0), 1, 1, "round,pad=0,rounding_size=0.2", color=WEIGHT.fill, linewidth=0))
    axes.plot([0.2, 0.5], [0.27] * 2, "o", color="white", markersize=13)
    axes.plot([0.78], [0.27], "o", color="#FF9E64", markersize=13)
    _ribbon(axes, (0.78, 0.44), (0.21, 0.41), 0.95, 9, "white")
    return figure


@rc_context(STYLE)
def draw(folder=Path(__file__).parent / "door"):
    """Write all pictures into a folder."""
    folder.mkdir(exist_ok=True)
    stages = heads_in_training().items()
    save_pictures_and_film(folder / "hero", *(hero(*stage) for stage in stages), dots=170)
    save_pictures_and_film(folder / "narrow", *(hero(*stage, narrow=True) for stage in stages), dots=150)
    for number, text in enumerate(GUESSES, 1):
        asked = Figure(figsize=(4.9, 1.6))
        _sentence(asked.add_axes((0, 0, 1, 1)), text, trained())
        save_pictures_and_film(folder / f"guess-{number}", asked)
    save_pictures_and_film(folder / "map", draw_course(wide=True).figure)
    save_pictures_and_film(folder / "map-narrow", draw_course().figure)
    preview().savefig(folder / "preview.png", dpi=120)  # 1,200 x 630 is what a preview may have
    icon().savefig(folder / "icon.png", dpi=180, facecolor="none")


if __name__ == "__main__":
    draw()
