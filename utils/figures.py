"""Pictures of attention: a heatmap, matrix products in cells, and lines from queries to keys."""

import math

from matplotlib.patches import FancyBboxPatch, PathPatch, Rectangle
from matplotlib.path import Path

from utils.style import (
    INK,
    MASKED,
    MUTED,
    ROLES,
    SCORE_COLOURS,
    WEIGHT_COLOURS,
    Picture,
    canvas,
    ink_on,
    minus,
    styled,
    tint,
)


@styled
def heatmap(matrix, queries, keys=None, mask=None, signed=False, focus=None, title=None):
    """Draw attention weights, or scores with `signed=True`: one row a query, one column a key.

    matrix: (queries, keys); keys: labels, the queries' own if not given; mask: boolean (queries, keys),
    True = may attend, the rest is hatched; focus: index of one query to frame.
    Raises ValueError if the labels do not fit the matrix.
    """
    rows, keys = _checked(matrix, queries, keys)
    longest = max(map(len, queries))
    figure, axes = canvas(0.62 * len(keys) + 0.13 * longest + (1.1 if signed else 1.5), 0.56 * len(queries) + 1.35)
    top = max((abs(number) for row in rows for number in row if math.isfinite(number)), default=0) or 1
    for i, row in enumerate(rows):
        for j, number in enumerate(row):
            if mask is not None and not mask[i][j]:
                axes.add_patch(_square(j, i, facecolor=MASKED, edgecolor="#B4BAC4", hatch="////", linewidth=0))
                continue
            face = SCORE_COLOURS(0.5 + number / top / 2) if signed else WEIGHT_COLOURS(number)
            axes.add_patch(_square(j, i, facecolor=face, edgecolor="none"))
            axes.text(
                j + 0.5,
                i + 0.5,
                minus(_short(number, top)),
                ha="center",
                va="center_baseline",
                fontsize=9.5,
                color=ink_on(face[:3]),
                fontweight="bold" if not signed and number >= 0.5 else "normal",
            )
        if not signed:
            total = sum(number for number in row if math.isfinite(number))
            axes.text(len(keys) + 0.16, i + 0.5, f"Σ {total:.2f}", va="center", color=MUTED, fontsize=8.5)
    if focus is not None:
        frame = {"fill": False, "edgecolor": ROLES["query"].fill, "linewidth": 2.2, "zorder": 5}
        axes.add_patch(Rectangle((0, focus), len(keys), 1, **frame))
    axes.set(xlim=(-0.03, len(keys) + (0.03 if signed else 0.95)), ylim=(len(queries) + 0.03, -0.03), aspect="equal")
    _label_tokens(axes, queries, keys)
    axes.set_title(title or "")
    return Picture(figure, _describe(rows, queries, keys, mask, signed, focus))


@styled
def pipeline(inputs, matrices, tokens, cell=(1, 0), title=None):
    """Draw `inputs @ matrix = result`, one line for each of the matrices, as cells.

    inputs: (tokens, d_model); matrices: {"query": W_query, ...}, each (d_model, d_k);
    cell: the (row, column) of the result whose dot product is written out.
    """
    inputs, tokens = _lists(inputs), list(tokens)
    size, (i, j) = len(inputs[0]), cell
    tall = max(len(inputs), size)
    widest = max(len(matrix[0]) for matrix in matrices.values())
    left = 0.31 * max(map(len, tokens)) + 0.3
    width, height = left + size + 3.2 + 2 * widest, (tall + 2.5) * len(matrices) - 0.25
    figure, axes = canvas(0.44 * width, 0.44 * height + (0.35 if title else 0))
    facts = []
    for line, (name, matrix) in enumerate(matrices.items()):
        role, matrix = ROLES[name], _lists(matrix)
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


@styled
def lines(weights, queries, keys=None, focus=None, title=None):
    """Draw one curve for each query and key, as wide as the weight; `focus` follows one query.

    weights: (queries, keys). Weights under 0.02 are left out.
    """
    rows, keys = _checked(weights, queries, keys)
    height = max(len(queries), len(keys))
    top = max(max(row) for row in (rows if focus is None else [rows[focus]]))
    figure, axes = canvas(5.6, 0.46 * height + 1.0)
    left = [(i + 0.5) * height / len(queries) for i in range(len(queries))]
    right = [(j + 0.5) * height / len(keys) for j in range(len(keys))]
    for i, row in enumerate(rows):
        hot = focus in (None, i)
        for j, weight in enumerate(row):
            if weight < 0.02:
                continue
            points = [(0, left[i]), (0.5, left[i]), (0.5, right[j]), (1, right[j])]
            curve = Path(points, [Path.MOVETO, Path.CURVE4, Path.CURVE4, Path.CURVE4])
            share = min(weight / top, 1)
            look = {"edgecolor": "#9AA1AD", "alpha": 0.12, "zorder": 1}
            if hot:
                look = {"edgecolor": ROLES["weight"].fill, "alpha": 0.25 + 0.65 * share, "zorder": 3}
            axes.add_patch(PathPatch(curve, facecolor="none", linewidth=0.6 + 11 * share, capstyle="butt", **look))
    for i, token in enumerate(queries):
        hot = focus in (None, i)
        axes.text(
            -0.035,
            left[i],
            token,
            ha="right",
            va="center",
            fontsize=11,
            fontweight="bold" if i == focus else "normal",
            color=ROLES["query"].ink if hot else MUTED,
        )
    for j, token in enumerate(keys):
        axes.text(1.035, right[j], token, va="center", fontsize=11, color=ROLES["key"].ink)
    axes.text(-0.035, -0.12, "query", ha="right", va="bottom", color=ROLES["query"].ink, fontsize=9)
    axes.text(1.035, -0.12, "key", va="bottom", color=ROLES["key"].ink, fontsize=9)
    if focus is not None:
        _bars_beside(axes, rows[focus], right, queries[focus])
    axes.set(xlim=(-0.38, 1.4 if focus is None else 2.0), ylim=(height + 0.1, -0.55))
    axes.axis("off")
    axes.set_title(title or "")
    return Picture(figure, _describe(rows, queries, keys, None, False, focus))


def _bars_beside(axes, row, heights, query):
    axes.text(1.42, -0.12, f"weights of “{query}”", va="bottom", color=ROLES["weight"].ink, fontsize=9)
    for weight, y in zip(row, heights):
        axes.add_patch(Rectangle((1.42, y - 0.3), 0.38, 0.6, facecolor="#EEF0F3"))
        axes.add_patch(Rectangle((1.42, y - 0.3), 0.38 * weight, 0.6, facecolor=ROLES["weight"].fill))
        axes.text(1.82, y, f"{weight:.2f}", va="center", fontsize=9, color=INK)


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


def _label_tokens(axes, queries, keys):
    slanted = {"rotation": 40, "ha": "left", "rotation_mode": "anchor"} if max(map(len, keys)) > 7 else {}
    axes.set_xticks([j + 0.5 for j in range(len(keys))], keys, color=ROLES["key"].ink, **slanted)
    axes.set_yticks([i + 0.5 for i in range(len(queries))], queries, color=ROLES["query"].ink)
    axes.tick_params(length=0, labeltop=True, labelbottom=False, pad=3)
    axes.xaxis.set_label_position("top")
    axes.set_xlabel("key tokens →", color=ROLES["key"].ink, fontsize=9, loc="left")
    axes.set_ylabel("← query tokens", color=ROLES["query"].ink, fontsize=9, loc="top")
    axes.spines[:].set_visible(False)


def _describe(rows, queries, keys, mask, signed, focus):
    """Say in words what a reader of the picture sees: where each query's largest number is."""
    what = "score" if signed else "weight"
    found = [_largest(rows[i], keys, None if mask is None else mask[i], 100 if signed else 1) for i in range(len(rows))]
    asking = "1 query" if len(queries) == 1 else f"{len(queries)} queries"
    if focus is not None:
        return f"{asking} by {len(keys)} keys. Largest {what} of “{queries[focus]}”: {found[focus]}."
    facts = ", ".join(f"{query} → {largest}" for query, largest in zip(queries, found))
    return f"{asking} by {len(keys)} keys. Largest {what} of each query: {facts}."


def _largest(row, keys, allowed, top):
    seen = [j for j in range(len(keys)) if allowed is None or allowed[j]]
    if not seen:
        return "nothing, all masked"
    best = max(seen, key=lambda j: row[j])
    return f"{keys[best]} {minus(_short(row[best], top))}"


def _checked(matrix, queries, keys):
    rows, keys = _lists(matrix), list(queries if keys is None else keys)
    if len(rows) != len(queries) or any(len(row) != len(keys) for row in rows):
        raise ValueError(
            f"the matrix is {len(rows)} × {len(rows[0])}, "
            f"but there are {len(queries)} query labels and {len(keys)} key labels"
        )
    return rows, keys


def _square(x, y, **look):
    return Rectangle((x + 0.03, y + 0.03), 0.94, 0.94, **look)


def _lists(matrix):
    return matrix.tolist() if hasattr(matrix, "tolist") else [list(row) for row in matrix]


def _number(value):
    return f"{value:g}" if float(value).is_integer() else f"{value:.1f}"


def _short(value, top):
    """Two decimals, or one where three digits before the point leave no room."""
    return f"{value:.1f}" if top >= 100 else f"{value:.2f}"
