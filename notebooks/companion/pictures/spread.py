"""How far several runs of one thing lie apart, beside those of others."""

from collections import Counter

from companion.pictures.palette import GRID, INK, MUTED, PAPER, ROLES
from companion.pictures.picture import Picture, canvas, styled


@styled
def spread(numbers, x_name, band, band_name, title=None, caption=None):
    """Draw one row of dots for each name; behind all, a band to compare them with.

    numbers: {name: its runs' numbers}, the first on top; band: its two ends on the x axis; equal numbers are stacked.
    Raises ValueError for a name without numbers.
    """
    if not all(numbers.values()):
        raise ValueError(f"each name needs numbers, but {[name for name, row in numbers.items() if not row]} has none")
    figure, axes = canvas(6.8, 0.34 * len(numbers) + 1.0, title)
    low, high = band
    axes.axvspan(low, high, color=ROLES["input"].fill, alpha=0.35, linewidth=0, zorder=0)
    axes.text((low + high) / 2, -0.75, band_name, ha="center", va="bottom", color=ROLES["input"].ink, fontsize=9)
    for place, row in enumerate(numbers.values()):
        axes.axhline(place, color=GRID, linewidth=0.8, zorder=0)
        for number, times in Counter(row).items():
            heights = [place + 0.16 * (k - (times - 1) / 2) / max(1, times / 5) for k in range(times)]
            look = {"color": INK, "markeredgecolor": PAPER, "markersize": 7}
            axes.plot([number] * times, heights, "o", **look)
    axes.set_yticks(range(len(numbers)), numbers)
    axes.set(ylim=(len(numbers) - 0.4, -0.7), xlabel=x_name)
    axes.spines["left"].set_visible(False)
    axes.tick_params(length=0, labelcolor=INK, color=MUTED)
    facts = [f"{name} {', '.join(f'{number:g}' for number in row)}" for name, row in numbers.items()]
    return Picture(figure, f"{x_name}. {band_name}: {low:g} to {high:g}; {'; '.join(facts)}.", caption)
