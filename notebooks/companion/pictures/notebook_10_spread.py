"""How far several runs of one thing lie apart, beside those of others."""

from collections import Counter
from statistics import median

from companion.pictures.palette import FAINT, GRID, INK, MUTED, PAPER, ROLES
from companion.pictures.picture import Picture, canvas, styled
from companion.pictures.placing import beside
from companion.pictures.words import grouped

STACKED = 5  # as many equal dots have room above each other; more are one dot with their number
ACROSS, UP = 44, 0.28  # how many dots fit beside each other in the chart, and of a row's height, what one takes


@styled
def spread(numbers, x_name, band, band_name, inside=False, middle=False, caption=None):
    """Draw one row of dots for each name; behind all, a band to compare them with.

    numbers: {name: its runs' numbers}, the first on top, or {group: {name: numbers}}; band: its two ends on the x
    axis, a line if they are equal; inside=True: all dots but those in the band are gray; middle=True: all dots are
    gray, and a stroke marks the middle number of each row, joined to the next one of its group; where dots would meet,
    they lie above each other.
    Raises ValueError for a name without numbers.
    """
    rows = grouped(numbers)
    if empty := [name for name, row in rows if row is not None and not row]:
        raise ValueError(f"each name needs numbers, but {empty} has none")
    figure, axes = canvas(6.2, 0.34 * len(rows) + 1.0)
    low, high = band
    axes.axvspan(low, high, facecolor=ROLES["input"].fill, edgecolor=MUTED, linewidth=low == high, alpha=0.35, zorder=0)
    axes.text((low + high) / 2, -0.75, band_name, ha="center", va="bottom", color=ROLES["input"].ink)
    above, facts, everything = None, [], [*band, *(number for _, row in rows for number in row or [])]
    near = (max(everything) - min(everything)) / ACROSS
    for place, (name, row) in enumerate(rows):
        if row is None:
            axes.text(0, place, name, transform=axes.get_yaxis_transform(), va="center_baseline", fontweight="bold")
            above = None
            facts.append(f"({name})")
            continue
        pale = {number for number in row if middle or inside and not low <= number <= high}
        _draw_row(axes, place, row, pale, near)
        if middle:
            look = {"color": INK, "linewidth": 2, "zorder": 3}
            axes.vlines(median(row), place - 0.5, place + 0.5, **look)
            if above is not None:
                axes.hlines(place - 0.5, above, median(row), **look)
            above = median(row) if rows[0][1] is None else None  # rows without a group are not joined
        facts.append(f"{name} {', '.join(f'{number:g}' for number in row)}")
    axes.set_yticks(range(len(rows)), [name if row else "" for name, row in rows])
    axes.set(ylim=(len(rows) - 0.4, -0.7), xlabel=x_name)
    axes.spines["left"].set_visible(False)
    axes.tick_params(length=0, labelcolor=INK, color=MUTED)
    ends = " to ".join(f"{end:g}" for end in dict.fromkeys(band))
    return Picture(figure, f"{x_name}. {band_name}: {ends}; {'; '.join(facts)}.", caption)


def _draw_row(axes, place, row, pale, near):
    axes.axhline(place, color=GRID, linewidth=0.8, zorder=0)
    counts = Counter(row)
    drawn = [number for number, times in counts.items() for _ in range(times if times <= STACKED else 1)]
    aside = beside(drawn, near)
    step = min(UP, 0.4 / max(0.5, *map(abs, aside), 0))
    for number, up in zip(drawn, aside):
        color = FAINT if number in pale else INK
        axes.plot(number, place + step * up, "o", color=color, markeredgecolor=PAPER, markersize=7)
    for number, times in counts.items():
        if times > STACKED:
            text = f"all {times}" if times == len(row) else f"×{times}"
            axes.annotate(text, (number, place), (7, 0), textcoords="offset points", va="center_baseline")
