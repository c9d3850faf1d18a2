"""Words as points of the plane: which lie together, before training and after it."""

import numpy as np
import torch
from matplotlib.figure import Figure

from companion.pictures.palette import GRID, INK, MUTED, PAPER, TRACK
from companion.pictures.picture import DPI, Picture, styled
from companion.pictures.placing import around, half, settle

LOOKS = (("o", INK), ("^", PAPER), ("s", "#9AA1AD"))  # a marker and a fill for each kind: no color has a role here
WAYS = [(1, 0), (-1, 0), (0, 1), (0, -1), (1, 1), (-1, 1), (1, -1), (-1, -1)]
WAYS += [(a / 2, b) for a in (1, -1) for b in (1, -1)]  # where a word may stand beside its point
GAPS = (8, 14, 20, 26)  # and how far from it, in pixels: a line leads to a word that is not beside it
SIZE, OWN = 7, 11  # of a mark, and how near to it no other word may stand: pixels
AROUND = np.stack([np.cos(turns := np.linspace(0, 2 * np.pi, 90)), np.sin(turns)])


@styled
def kinds(panels, x_name, y_name, follow=(), caption=None):
    """Draw each word as a point, with a marker for its kind, and shade how far a kind's words reach.

    panels: {title: {kind: (words, points)}}, points (words, 2); they stand below each other, on one scale;
    follow: words that all panels name, in bold; the last panel names the others, too.
    Raises ValueError for more kinds than there are markers.
    """
    panels = {
        title: {kind: (words, torch.as_tensor(points).numpy()) for kind, (words, points) in groups.items()}
        for title, groups in panels.items()
    }
    every = np.concatenate([points for groups in panels.values() for _, points in groups.values()])
    (left, low), (right, high) = every.min(axis=0), every.max(axis=0)
    figure = Figure(figsize=(4.9, 3.1 * len(panels) + 0.3), dpi=DPI, layout="constrained")
    for axes, (title, groups) in zip(np.ravel(figure.subplots(len(panels))), panels.items()):
        if len(groups) > len(LOOKS):
            raise ValueError(f"{len(groups)} kinds, but there are {len(LOOKS)} markers")
        axes.set_title(title)
        axes.axhline(0, color=GRID, zorder=0)
        axes.axvline(0, color=GRID, zorder=0)
        axes.set(xlim=(left - 0.4, right + 0.4), ylim=(low - 0.3, high + 0.3), xticks=[], yticks=[])
        axes.set_ylabel(f"{y_name} →", color=MUTED, loc="bottom")
        axes.spines[:].set_visible(False)
        for (kind, (_, points)), (marker, face) in zip(groups.items(), LOOKS):
            style = {"markersize": SIZE, "markerfacecolor": face, "markeredgecolor": INK}
            axes.plot(*points.T, marker, label=kind, **style, zorder=3)
            reach = points[(points @ AROUND).argmax(axis=0)]  # the outermost point in each direction
            axes.fill(*reach.T, color=TRACK, linewidth=26, joinstyle="round", zorder=-1)
    axes.set_xlabel(f"{x_name} →", color=MUTED, loc="left")
    style = {"loc": "outside upper left", "ncols": 3, "handletextpad": 0.1, "frameon": False}
    figure.legend(*axes.get_legend_handles_labels(), **style)
    figure.draw_without_rendering()  # settles the layout, in which the words find room
    for axes, groups in zip(figure.axes, panels.values()):
        named = [pair for words, points in groups.values() for pair in zip(words, points)]
        _write(axes, named, [word for word, _ in named] if axes is figure.axes[-1] else follow, follow)
    facts = [f"{title}: {_says(groups)}" for title, groups in panels.items()]
    return Picture(figure, f"Words as points, {x_name} across and {y_name} upwards. {'. '.join(facts)}.", caption)


def _write(axes, named, names, follow):
    tips = axes.transData.transform([point for _, point in named])
    apart = np.hypot(*(tips[:, None] - tips).T)
    words = []
    for i in np.argsort(-tips[:, 1]):  # from the top down, so that few lines cross
        word, tip = named[i][0], tips[i]
        if word not in names:
            continue
        style = {"fontweight": "bold" if word in follow else "normal", "ha": "center", "va": "center"}
        written = axes.text(0, 0, word, fontsize=10, **style, in_layout=False, zorder=4)
        reach = np.array(half(written))
        nearest = np.argsort(apart[i])[1]
        toward = (tips[nearest] - tip) * (apart[i][nearest] < SIZE)  # the side of a point that it covers
        ways = [way for way in np.array(WAYS) if way @ toward <= 0]
        places = [tip + way * (reach + gap) for gap in GAPS for way in ways]
        pads = np.clip(apart[i] - 8, SIZE, OWN)  # two points that touch cannot have so much room
        taken = [*words, *(around(*other, pad, pad) for other, pad in zip(tips, pads))]
        middle = settle(written, places, taken)
        end = np.clip(tip, middle - reach, middle + reach)  # of the word, the nearest to its point
        words.append(around(*middle, *(reach + (6, 1))))
        if np.hypot(*(end - tip)) > GAPS[1] - 3:
            axes.plot(*axes.transData.inverted().transform([tip, end]).T, color=MUTED, linewidth=0.7, zorder=2)
            words += [around(*(tip + share * (end - tip)), 2, 2) for share in np.linspace(0.3, 1, 5)]


def _says(groups):
    """Say where the middle of each kind lies: one decimal, which no other processor turns."""
    middles = {kind: points.mean(axis=0) for kind, (_, points) in groups.items()}
    return "; ".join(f"{kind} around {x:z.1f}, {y:z.1f}".replace("-", "−") for kind, (x, y) in middles.items())
