"""Columns of numbers around zero as clouds of marks, which lie beside each other where they would meet."""

import torch

from companion.pictures.palette import INK, MUTED, NOT_YET, PAPER, ROLES, VERDICT_SIGNS
from companion.pictures.picture import Picture, canvas, styled
from companion.pictures.spread import swarm

ACROSS, UP = 50, 30  # how many marks fit beside each other in the chart, and above each other
EDGED = {"linestyle": "", "markeredgecolor": INK, "markeredgewidth": 0.8}
WRONG = VERDICT_SIGNS[NOT_YET][1]
# Of the two kinds.
MARKS = (
    EDGED | {"marker": "o", "markersize": 5.5, "markerfacecolor": PAPER},
    EDGED | {"marker": "^", "markersize": 6, "markerfacecolor": ROLES["input"].fill},
)


@styled
def dots(columns, kinds, x_name, y_name, halves, caption=None):
    """Draw each column's numbers at their heights, a circle or a triangle, the wrong ones red; on top, count the right.

    columns: {name: numbers (members)}; kinds: {name: boolean (members)} of the kind that belongs above zero and of the
    other, which belongs below; halves: words such as "nearest is", by which each half is named, before its kind.
    """
    figure, axes = canvas(6.2, 3.6)
    numbers, (first, _) = torch.stack([*columns.values()]).double(), kinds.values()  # (columns, members)
    step, high = ACROSS / len(columns), (numbers.max() - numbers.min()).item() / UP
    wrong = (numbers != 0) & ((numbers > 0) != first)
    axes.axhline(0, color=MUTED, linewidth=1, zorder=0)
    for column, row in enumerate(numbers):
        members = row.nonzero().flatten().tolist()
        for member, x in zip(members, swarm(row[members].tolist(), high)):
            red = {"markerfacecolor": WRONG, "zorder": 3} if wrong[column, member] else {}
            axes.plot((column + 0.5) * step + x, row[member].item(), **MARKS[1 - int(first[member])] | red)
    axes.set(xlim=(0, len(columns) * step), xlabel=x_name, ylabel=y_name)
    axes.set_xticks([(column + 0.5) * step for column in range(len(columns))], columns)
    axes.locator_params(axis="y", nbins=5)
    axes.tick_params(colors=MUTED, length=0)
    counts = wrong.sum(dim=1).tolist()
    _write_halves(axes, halves, kinds, numbers, (numbers != 0).sum(dim=1) - wrong.sum(dim=1))
    facts = [
        f"{name}: {(row > 0).sum()} of {len(row)} dots above zero, {count} in the wrong half"
        for name, row, count in zip(columns, numbers, counts)
    ]
    return Picture(figure, f"{y_name} by {x_name}. {'; '.join(facts)}.", caption)


def _write_halves(axes, halves, kinds, numbers, right):
    """Write beside the marks what each half means, and above them how many are right, and how many zero."""
    end, (low, high), edge = axes.get_xlim()[1], axes.get_ylim(), axes.get_xaxis_transform()
    for kind, mark, y, line in zip(kinds, MARKS, (high / 2, low / 2), (0.95, 0.87)):
        axes.plot(1.035 * end, line, transform=edge, clip_on=False, **mark)
        axes.text(1.06 * end, line, kind, transform=edge, color=MUTED, va="center_baseline")
        axes.text(1.02 * end, 0.6 * y, f"{halves}\n{kind}", va="center")
    style = {"transform": edge, "fontweight": "bold"}
    for x, count, row in zip(axes.get_xticks(), right.tolist(), numbers):
        axes.text(x, 1.02, count, ha="center", **style)
        if ties := (row == 0).sum().item():
            axes.text(x, 0.98, f"{ties} ties\nat 0", transform=edge, ha="center", va="top", color=MUTED)
    axes.text(-0.02 * end, 1.02, "right", ha="right", **style)
    axes.plot(1.035 * end, 0.79, transform=edge, clip_on=False, **MARKS[0] | {"markerfacecolor": WRONG})
    axes.text(1.06 * end, 0.79, "red: wrong", transform=edge, color=WRONG, va="center_baseline")
    axes.text(1.02 * end, 1.02, f"of {numbers.shape[1]}", **style)
