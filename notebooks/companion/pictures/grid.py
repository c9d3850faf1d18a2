"""Percentages as coloured cells whose axes have names of their own, such as blocks and heads."""

import torch

from companion.pictures.palette import INK, MUTED, PAPER, ROLES, fills, ink_on, tint
from companion.pictures.picture import Picture, canvas, styled


@styled
def grid(percents, rows, columns, row_name="", column_name="", role="weight", title=None, caption=None):
    """Draw percentages, (rows, columns), as cells in tints of a role's colour, each with its number.

    rows, columns: labels; row_name, column_name: what they are; role: one name of `ROLES`.
    Raises ValueError for percentages outside 0 to 100, and for labels that do not fit.
    """
    percents = torch.as_tensor(percents, dtype=torch.float64).round().int()
    if tuple(percents.shape) != (len(rows), len(columns)) or not 0 <= percents.min() <= percents.max() <= 100:
        raise ValueError(
            f"{len(rows)} rows and {len(columns)} columns need as many percentages, each from 0 to 100, "
            f"but these have shape {tuple(percents.shape)} and run from {percents.min()} to {percents.max()}"
        )
    figure, axes = canvas(7.0, 0.36 * len(rows) + 0.75 + 0.3 * bool(title), title)
    if role == "weight":
        faces = fills((percents / 100).tolist())
    else:
        faces = [[tint(ROLES[role].fill, 0.05 + 0.0095 * number) for number in row] for row in percents.tolist()]
    axes.imshow(faces, aspect="auto")
    for (i, row), j in ((each, j) for each in enumerate(percents.tolist()) for j in range(len(columns))):
        axes.text(j, i, row[j], ha="center", va="center_baseline", color=ink_on(faces[i][j]), fontsize=10)
    slanted = {"rotation": 40, "ha": "left", "rotation_mode": "anchor"} if len("".join(map(str, columns))) > 40 else {}
    axes.set_xticks(range(len(columns)), columns, **slanted)
    axes.set_yticks(range(len(rows)), rows)
    axes.set_xticks([j + 0.5 for j in range(len(columns) - 1)], minor=True)
    axes.set_yticks([i + 0.5 for i in range(len(rows) - 1)], minor=True)
    axes.grid(which="minor", color=PAPER, linewidth=2)
    axes.tick_params(which="both", length=0, labeltop=True, labelbottom=False, labelcolor=INK)
    axes.xaxis.set_label_position("top")
    axes.set_xlabel(column_name, color=MUTED, loc="left")
    axes.set_ylabel(row_name, color=MUTED, loc="top")
    axes.spines[:].set_visible(False)
    facts = [
        f"{row_name} {name}: {', '.join(f'{each}%' for each in row)}" for name, row in zip(rows, percents.tolist())
    ]
    return Picture(figure, f"{column_name} {', '.join(map(str, columns))}. {'; '.join(facts)}.".strip(), caption)
