"""Matrix products drawn cell by cell."""

import torch
from matplotlib.patches import FancyBboxPatch

from utils.pictures.palette import MUTED, ROLES, ink_on, tint
from utils.pictures.picture import Picture, canvas, styled
from utils.pictures.words import visible, whole


@styled
def pipeline(inputs, matrices, tokens, cell=(1, 0), title=None):
    """Draw `inputs @ matrix = result`, one line for each of the matrices, as cells.

    inputs: (tokens, d_model); matrices: {"query": W_query, ...}, each (d_model, d_k);
    cell: the (row, column) of the result whose dot product is written out.
    Raises ValueError for tokens or a matrix that do not fit the inputs.
    """
    inputs, tokens = torch.as_tensor(inputs, dtype=torch.float64), [*map(visible, tokens)]
    size, (i, j) = inputs.shape[1], cell
    if len(tokens) != len(inputs):
        raise ValueError(f"{len(tokens)} tokens were given for {len(inputs)} rows of inputs")
    for name, matrix in matrices.items():
        if len(matrix) != size:
            raise ValueError(f"the {name} matrix has {len(matrix)} rows, but the inputs have {size} features")
    tall = max(len(inputs), size)
    widest = max(len(matrix[0]) for matrix in matrices.values())
    left = 0.31 * max(map(len, tokens)) + 0.3
    width, height = left + size + 3.2 + 2 * widest, (tall + 2.5) * len(matrices) - 0.25
    figure, axes = canvas(0.44 * width, 0.44 * height + (0.35 if title else 0), title)
    facts = []
    for line, (name, matrix) in enumerate(matrices.items()):
        role, matrix = ROLES[name], torch.as_tensor(matrix, dtype=torch.float64)
        result = inputs @ matrix
        middle = (tall + 2.5) * line + 0.75 + tall / 2
        x = _cells(axes, left, middle, inputs, "input", "X", hot=lambda r, c: r == i)
        for row, token in enumerate(tokens):
            y = middle - len(inputs) / 2 + row + 0.5
            axes.text(left - 0.25, y, token, ha="right", va="center", color=ROLES["input"].ink, fontsize=9.5)
        axes.text(x + 0.75, middle, "@", ha="center", va="center", fontsize=14, color=MUTED)
        x = _cells(axes, x + 1.5, middle, matrix, name, f"$W_{role.symbol}$", hot=lambda r, c: c == j)
        axes.text(x + 0.75, middle, "=", ha="center", va="center", fontsize=15, color=MUTED)
        _cells(axes, x + 1.5, middle, result, name, f"{role.symbol}  ({name})", hot=lambda r, c: (r, c) == (i, j))
        terms = " + ".join(f"{whole(a)}·{whole(w)}" for a, w in zip(inputs[i].tolist(), matrix[:, j].tolist()))
        fact = f"{role.symbol}[{tokens[i]}, {j}] = {terms} = {whole(result[i, j].item())}"
        axes.text(
            left, middle + tall / 2 + 0.85, fact, va="center", fontsize=9.5, color=role.ink, family="DejaVu Sans Mono"
        )
        facts.append(fact)
    axes.set(xlim=(0, width), ylim=(height, -0.1), aspect="equal")
    axes.axis("off")
    names = ", ".join(matrices)
    return Picture(figure, f"X ({len(inputs)} × {size}) times one matrix for each of {names}. {'; '.join(facts)}.")


def _cells(axes, x, middle, matrix, name, title, hot):
    """Draw one matrix as rounded cells with its left edge at x; return its right edge."""
    role, (rows, columns) = ROLES[name], matrix.shape
    y = middle - rows / 2
    for r in range(rows):
        for c in range(columns):
            strong = hot(r, c)
            face = tint(role.fill, 0.78 if strong else 0.26)
            box = FancyBboxPatch(
                (x + c + 0.07, y + r + 0.07),
                0.86,
                0.86,
                boxstyle="round,pad=0,rounding_size=.13",
                facecolor=face,
                edgecolor=role.fill if strong else tint(role.fill, 0.55),
                linewidth=1.7 if strong else 0.8,
            )
            axes.add_patch(box)
            axes.text(
                x + c + 0.5,
                y + r + 0.5,
                whole(matrix[r, c].item()),
                ha="center",
                va="center_baseline",
                color=ink_on(face),
                fontweight="bold" if strong else "normal",
            )
    centre = x + columns / 2
    axes.text(centre, y - 0.28, title, ha="center", va="bottom", color=role.ink, fontsize=11.5, fontweight="bold")
    axes.text(centre, y + rows + 0.2, f"{rows} × {columns}", ha="center", va="top", color=MUTED, fontsize=8.5)
    return x + columns
