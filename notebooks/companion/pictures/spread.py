"""How far several runs of one thing lie apart, beside those of others."""

import itertools
import math
from collections import Counter
from textwrap import fill

from companion.pictures.charts import named_rows
from companion.pictures.palette import GRID, INK, MUTED, PAPER, ROLES
from companion.pictures.picture import WIDE, Picture, canvas, panels, styled

STACKED = 5  # as many equal dots have room above each other; more are one dot with their number
ACROSS, UP = 44, 0.28  # how many dots fit beside each other in the chart, and of a row's height, what one takes


@styled
def spread(numbers, x_name, band, band_name, caption=None, colors=None, of=None, level=None):
    """Draw one row of dots for each name; behind all, a band to compare them with.

    numbers: {name: its runs' numbers}, the first on top, or {group: {name: numbers}}; band: its two ends on the x axis,
    a line if they are equal; colors: {name: color} of dots that are not black; of: up to which the x axis runs from 0;
    level: the number of the row of one dot, orange, at which a thin line goes through all rows.
    Where dots would meet, they lie above each other. Raises ValueError for a name without numbers.
    """
    rows = named_rows(numbers)
    if empty := [name for name, row in rows if row is not None and not row]:
        raise ValueError(f"each name needs numbers, but {empty} has none")
    near = _near(rows, band)
    crowd = max(abs(up) for _, row in rows for up in swarm(_drawn(row or ()), near) or [0])
    tall = max(1, UP * crowd / 0.4)  # a row holds its highest stack
    figure, axes = canvas(WIDE, 0.34 * tall * len(rows) + 1.0)
    colors = (colors or {}) | ({} if level is None else {rows[level][0]: ROLES["query"].fill})
    words = _draw_rows(axes, rows, x_name, band, band_name, near, colors, of, UP / tall)
    if level is not None:
        axes.axvline(rows[level][1][0], color=ROLES["query"].fill, linewidth=1, zorder=0)
    return Picture(figure, words, caption)


@styled
def spreads(numbers, charts, caption=None, colors=None):
    """Draw several charts as in `spread` side by side, with the same rows.

    numbers: {name: (runs, charts)}, shown to a tenth; charts: {x_name: (band, band_name, of)}.
    """
    figure, descriptions = panels(WIDE, 0.34 * len(numbers) + 1.2, len(charts)), []
    for k, (axes, (x_name, (band, band_name, of))) in enumerate(zip(figure.axes, charts.items())):
        rows = [(name, runs[:, k].round(decimals=1).tolist()) for name, runs in numbers.items()]
        near = 1.3 * len(charts) * _near(rows, (*band, of or band[0]))
        descriptions.append(_draw_rows(axes, rows, x_name, band, band_name, near, colors or {}, of, UP))
        axes.set_xlabel(fill(x_name, 36 // len(charts)))
        axes.xaxis.get_major_locator().set_params(integer=True)
        if of:
            axes.set_xticks([0, of / 2, of])
        axes.tick_params(axis="y", labelleft=not k, pad=8)
    return Picture(figure, " ".join(descriptions), caption)


def _near(rows, band):
    """Return how far apart numbers are whose dots touch."""
    everything = [*band, *(number for _, row in rows for number in row or ())]
    return (max(everything) - min(everything)) / ACROSS or 1


def _draw_rows(axes, rows, x_name, band, band_name, near, colors, of, step):
    """Draw the band, and the dots of each row; return what they show."""
    low, high = band
    axes.axvspan(low, high, facecolor=ROLES["input"].fill, edgecolor=MUTED, linewidth=low == high, alpha=0.35, zorder=0)
    axes.text((low + high) / 2, -0.75, band_name, ha="center", va="bottom", color=ROLES["input"].ink)
    axes.set_yticks(range(len(rows)), [name for name, _ in rows])
    for y, ((_, row), name) in enumerate(zip(rows, axes.get_yticklabels())):
        if row is None:
            name.set_fontweight("bold")
        else:
            _draw_row(axes, y, row, near, step, colors.get(name.get_text(), INK))
    axes.set(ylim=(len(rows) - 0.4, -0.7), xlabel=x_name)
    if of:
        axes.set(xlim=(0, 1.02 * of))
    axes.spines["left"].set_visible(False)
    axes.tick_params(length=0, labelcolor=INK, color=MUTED)
    facts = [f"{name} {', '.join(f'{number:g}' for number in row)}" if row else f"({name})" for name, row in rows]
    ends = " to ".join(f"{end:g}" for end in dict.fromkeys(band))
    return f"{x_name}. {band_name}: {ends}; {'; '.join(facts)}."


def _draw_row(axes, y, row, near, step, color):
    axes.axhline(y, color=GRID, linewidth=0.8, zorder=0)
    drawn = _drawn(row)
    for number, up in zip(drawn, swarm(drawn, near)):
        axes.plot(number, y + step * up, "o", color=color, markeredgecolor=PAPER, markersize=7, clip_on=False)
    for number, times in Counter(row).items():
        if times > STACKED:
            text = f"all {times}" if times == len(row) else f"×{times}"
            axes.annotate(text, (number, y), (7, 0), textcoords="offset points", va="center_baseline")


def _drawn(row):
    """Return the numbers that get a dot of their own."""
    return [number for number, times in Counter(row).items() for _ in range(times if times <= STACKED else 1)]


def swarm(numbers, near):
    """Return for each number how many dots it stands aside, so that no dot covers another and all lie in the middle.

    near: how far apart numbers are whose dots touch.
    """
    order = sorted(range(len(numbers)), key=numbers.__getitem__)
    aside, crowd, middle = {}, [], [0.0] * len(numbers)
    for k, after in zip(order, [*order[1:], None]):
        ways = (side * step / 2 for step in itertools.count() for side in (1, -1))
        gaps = [(other, (numbers[k] - numbers[j]) / near) for j, other in aside.items()]
        aside[k] = next(x for x in ways if all(math.hypot(x - other, gap) >= 1 for other, gap in gaps))
        crowd.append(k)
        if after is None or numbers[after] - numbers[k] >= near:  # no dot behind it is near
            center = sum(f(aside[j] for j in crowd) for f in (min, max)) / 2
            for j in crowd:
                middle[j] = aside[j] - center
            crowd = []
    return middle
