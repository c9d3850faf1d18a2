"""Steps down the curve of a loss, and what the learning rate makes of them."""

import numpy as np
import torch
from matplotlib.patches import FancyArrowPatch

from companion.pictures.palette import FAINT, INK, MUTED, PAPER
from companion.pictures.picture import Picture, panels, styled
from companion.pictures.words import minus, three_digits

HIGH = 4  # times the loss at the start: who climbs higher leaves the picture


@styled
def valley(loss, start, rates, goal, steps=4, name="w", title=None, caption=None):
    """Draw the steps of plain gradient descent on the curve of a loss, a panel for each learning rate, to one scale.

    loss: a function of one number, which is called `name`; start: where each panel's first step begins; goal: where
    the loss is least.
    """
    walks = {rate: _walk(loss, start, rate, steps) for rate in rates}
    places = [place for walk in walks.values() for place in walk]
    along, top = np.linspace(min(places) - 0.3, max(places) + 0.3, 300), HIGH * loss(start)
    along = along[loss(along) <= top]
    figure, facts = panels(2.4 * len(rates), 3.1, title, len(rates)), []
    for axes, (rate, walk) in zip(figure.axes, walks.items()):
        points = [(place, loss(place)) for place in walk]
        axes.plot(along, loss(along), color=FAINT, linewidth=2.5, zorder=1)
        axes.axvline(goal, color=MUTED, linestyle=":", zorder=0)
        for one, other in zip(points, points[1:]):
            look = {"arrowstyle": "-|>", "mutation_scale": 7, "color": INK, "shrinkA": 3, "shrinkB": 3}
            axes.add_patch(FancyArrowPatch(one, other, **look))
        axes.plot(*zip(*points), "o", color=INK, markersize=5)
        axes.plot(*points[0], "o", color=INK, markerfacecolor=PAPER, markersize=8)
        _number(axes, points[1:], goal, (along[-1] - along[0]) / 20)
        axes.set(xlim=(along[0] - 0.2, along[-1] + 0.2), ylim=(-0.12 * top, top), yticks=[])
        axes.set_xticks([start, goal], [f"{name} = {start:g}", f"{goal:g}"])
        axes.set_title(f"rate {rate:g}", fontsize=11)
        axes.set_xlabel(f"after {steps} steps {name} = {minus(f'{walk[-1]:.2f}')}", fontsize=11)
        facts.append(f"rate {rate:g}: {', '.join(map(three_digits, walk))}")
    figure.axes[0].set_ylabel("loss")
    look = {"textcoords": "offset points", "ha": "right", "va": "center"}
    figure.axes[0].annotate("start ", (start, loss(start)), (-8, 0), **look)
    return Picture(figure, f"{name}, step by step, each on the curve of its loss. {'; '.join(facts)}.", caption)


def _number(axes, points, goal, near):
    """Write beside each point, outside the valley, its step; points that are near each other share their place."""
    heaps = {}  # the first point of each, and the steps that end there
    for step, (x, y) in enumerate(points, start=1):
        heap = next((first for first in heaps if abs(first[0] - x) < near), (x, y))
        heaps.setdefault(heap, []).append(str(step))
    for (x, y), steps in heaps.items():
        away, side = (5, "left") if x > goal else (-5, "right")
        look = {"textcoords": "offset points", "ha": side, "va": "top", "annotation_clip": True, "fontsize": 10}
        axes.annotate(" ".join(steps), (x, y), (away, -2), **look)


def _walk(loss, start, rate, steps):
    """Return where a number stands before the first step, and after each."""
    walk = [torch.tensor(float(start), requires_grad=True)]
    for _ in range(steps):
        (slope,) = torch.autograd.grad(loss(walk[-1]), walk[-1])
        walk.append((walk[-1] - rate * slope).detach().requires_grad_())
    return [place.item() for place in walk]
