"""Matrix products drawn cell by cell."""

from matplotlib.patches import FancyBboxPatch

from utils.pictures.cells import lists
from utils.pictures.style import MUTED, ROLES, Picture, canvas, ink_on, styled, tint


@styled
def pipeline(inputs, matrices, tokens, cell=(1, 0), title=None):
    """Draw `inputs @ matrix = result`, one line for each of the matrices, as cells.

    inputs: (tokens, d_model); matrices: {"query": W_query, ...}, each (d_model, d_k);
    cell: the (row, column) of the result whose dot product is written out.
    """
    inputs, tokens = lists(inputs), list(tokens)
    size, (i, j) = len(inputs[0]), cell
    if len(tokens) != len(inputs):
        raise ValueError(f"{len(tokens)} tokens were given for {len(inputs)} rows of inputs")
    for name, matrix in matrices.items():
        if len(matrix) != size:
            raise ValueError(f"the {name} matrix has {len(matrix)} rows, but the inputs have {size} features")
    tall = max(len(inputs), size)
    widest = max(len(matrix[0]) for matrix in matrices.values())
    left = 0.31 * max(map(len, tokens)) + 0.3
    width, height = left + size + 3.2 + 2 * widest, (tall + 2.5) * len(matrices) - 0.25
    figure, axes = canvas(0.44 * width, 0.44 * height + (0.35 if title else 0))
    facts = []
    for line, (name, matrix) in enumerate(matrices.items()):
        role, matrix = ROLES[name], lists(matrix)
        result = [[sum(a * w for a, w in zip(row, column)) for column in zip(*matrix)] for row in inputs]
        middle = (tall + 2.5) * line + 0.75 + tall / 2
        x = _cells(axes, left, middle, inputs, "input", "X", hot=lambda r, c: r == i)
        for row, token in enumerate(tokens):
            y = middle - len(inputs) / 2 + row + 0.5
            axes.text(left - 0.25, y, token, ha="right", va="center", color=ROLES["input"].ink, fontsize=9.5)
        axes.text(x + 0.75, middle, "@", ha="center", va="center", fontsize=14, color=MUTED)
        x = _cells(axes, x + 1.5, middle, matrix, name, f"$W_{role.symbol}$", hot=lambda r, c: c == j)
        axes.text(x + 0.75, middle, "=", ha="center", va="center", fontsize=15, color=MUTED)
        _cells(axes, x + 1.5, middle, result, name, f"{role.symbol}  ({name})", hot=lambda r, c: (r, c) == (i, j))
        terms = " + ".join(f"{_number(inputs[i][t])}·{_number(matrix[t][j])}" for t in range(size))
        fact = f"{role.symbol}[{tokens[i]}, {j}] = {terms} = {_number(result[i][j])}"
        axes.text(
            left, middle + tall / 2 + 0.85, fact, va="center", fontsize=9.5, color=role.ink, family="DejaVu Sans Mono"
        )
        facts.append(fact)
    axes.set(xlim=(0, width), ylim=(height, -0.1), aspect="equal")
    axes.axis("off")
    axes.set_title(title or "")
    names = ", ".join(matrices)
    return Picture(
        figure, f"X ({len(inputs)} × {size}) times one matrix for each of {names}. " + "; ".join(facts) + "."
    )


def _cells(axes, x, middle, matrix, name, title, hot):
    """Draw one matrix as rounded cells with its left edge at x; return its right edge."""
    role, rows, columns = ROLES[name], len(matrix), len(matrix[0])
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
                _number(matrix[r][c]),
                ha="center",
                va="center_baseline",
                color=ink_on(face),
                fontweight="bold" if strong else "normal",
            )
    centre = x + columns / 2
    axes.text(centre, y - 0.28, title, ha="center", va="bottom", color=role.ink, fontsize=11.5, fontweight="bold")
    axes.text(centre, y + rows + 0.2, f"{rows} × {columns}", ha="center", va="top", color=MUTED, fontsize=8.5)
    return x + columns


def _number(value):
    return f"{value:g}" if float(value).is_integer() else f"{value:.1f}"
