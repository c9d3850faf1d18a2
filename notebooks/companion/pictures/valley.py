"""Steps down the curve of a loss, and what the learning rate makes of them."""

import numpy as np
import torch

from companion.pictures.palette import FAINT, INK, MUTED, PAPER
from companion.pictures.picture import Picture, panels, styled
from companion.pictures.words import three_digits


@styled
def valley(loss, start, rates, steps=4, name="w", title=None, caption=None):
    """Draw the steps of plain gradient descent on the curve of a loss, one panel for each learning rate.

    loss: a function of one number, which is called `name`; start: where each panel's first step begins.
    """
    figure, facts = panels(2.4 * len(rates), 2.6, title, len(rates)), []
    for axes, rate in zip(figure.axes, rates):
        walk = [torch.tensor(float(start), requires_grad=True)]
        for _ in range(steps):
            (slope,) = torch.autograd.grad(loss(walk[-1]), walk[-1])
            walk.append((walk[-1] - rate * slope).detach().requires_grad_())
        places = [each.item() for each in walk]
        low, high = min(places), max(places)
        room = 0.3 * (high - low)
        along = np.linspace(low - room, high + room, 100)
        axes.plot(along, loss(along), color=FAINT, linewidth=2.5, zorder=1)
        heights = [loss(place) for place in places]
        for one, other in zip(zip(places, heights), zip(places[1:], heights[1:])):
            look = {"arrowstyle": "-|>", "color": MUTED, "linewidth": 1.3, "shrinkA": 3, "shrinkB": 3}
            axes.annotate("", other, one, arrowprops=look)
        axes.plot(places, heights, "o", color=INK, markersize=5)
        axes.plot(places[0], heights[0], "o", color=INK, markerfacecolor=PAPER, markersize=8, label="start")
        axes.set_title(f"rate {rate:g}", fontsize=10)
        axes.set_xlabel(name)
        axes.tick_params(colors=MUTED)
        facts.append(f"rate {rate:g}: {', '.join(map(three_digits, places))}")
    figure.axes[0].set_ylabel("loss")
    figure.axes[0].legend(frameon=False, handletextpad=0.2)
    return Picture(figure, f"{name}, step by step, each on the curve of its loss. {'; '.join(facts)}.", caption)
