"""Percentages as coloured cells whose axes have names of their own, such as blocks and heads."""

from itertools import product

import torch
from matplotlib.colors import to_rgb

from companion.pictures.palette import INK, MUTED, PAPER, ROLES, fills, ink_on, tint
from companion.pictures.picture import Picture, canvas, styled


@styled
def grid(percents, rows, columns, row_name="", column_name="", role="weight", apart=0, least=0, caption=None):
    """Draw percentages, (rows, columns), as cells in tints of a role's colour, each with its number.

    rows, columns: labels; row_name, column_name: what they are; role: one name of `ROLES`; apart: how many of the last
    columns count something else, so they stand behind a line; least: a smaller number is not written.
    Raises ValueError for percentages outside 0 to 100, and for labels that do not fit.
    """
    percents = torch.as_tensor(percents, dtype=torch.float64).round().int()
    if tuple(percents.shape) != (len(rows), len(columns)) or not 0 <= percents.min() <= percents.max() <= 100:
        raise ValueError(
            f"{len(rows)} rows and {len(columns)} columns need as many percentages, each from 0 to 100, "
            f"but these have shape {tuple(percents.shape)} and run from {percents.min()} to {percents.max()}"
        )
    numbers = percents.tolist()
    figure, axes = canvas(min(7, 1.2 + 0.75 * len(columns)), 0.36 * len(rows) + 0.75)
    if role == "weight":
        faces = fills((percents / 100).tolist())
    else:
        colour = ROLES[role].ink if role == "input" else ROLES[role].fill  # that grey is too pale
        faces = [[tint(colour, 0.05 + 0.0095 * number) for number in row] for row in numbers]
    axes.imshow([[to_rgb(face) for face in row] for row in faces], aspect="auto")
    for (i, row), j in product(enumerate(numbers), range(len(columns))):
        ink = ink_on(faces[i][j]) if row[j] else MUTED  # a zero is pale, so that the eye goes to the others
        axes.text(j, i, row[j] if row[j] >= least else "", ha="center", va="center_baseline", color=ink, fontsize=10)
    if apart:
        axes.axvline(len(columns) - apart - 0.5, color=MUTED, linewidth=1.2)
    slanted = {"rotation": 40, "ha": "left", "rotation_mode": "anchor"} if len("".join(map(str, columns))) > 40 else {}
    axes.set_xticks(range(len(columns)), columns, **slanted)
    axes.set_yticks(range(len(rows)), rows)
    axes.set_xticks([j + 0.5 for j in range(len(columns) - 1)], minor=True)
    axes.set_yticks([i + 0.5 for i in range(len(rows) - 1)], minor=True)
    axes.grid(which="minor", color=PAPER, linewidth=2)
    axes.tick_params(which="both", length=0, labeltop=True, labelbottom=False, labelcolor=INK)
    corner = " ".join(f"{name} {arrow}" for name, arrow in ((row_name, "↓"), (column_name, "→")) if name)
    look = {"textcoords": "offset points", "ha": "right", "color": MUTED, "fontsize": 9}
    axes.annotate(corner, (0, 1), (-3, 4), xycoords="axes fraction", **look)
    axes.spines[:].set_visible(False)
    facts = [f"{row_name} {name}: {', '.join(f'{each}%' for each in row)}" for name, row in zip(rows, numbers)]
    return Picture(figure, f"{column_name} {', '.join(map(str, columns))}. {'; '.join(facts)}.".strip(), caption)
