"""Pictures of attention: a heatmap, several heads side by side, and lines from queries to keys."""

import math

from matplotlib.patches import PathPatch, Rectangle
from matplotlib.path import Path

from utils.pictures.cells import checked, describe, label_tokens, lists, short, square
from utils.pictures.style import (
    INK,
    MASKED,
    MUTED,
    PAPER,
    ROLES,
    SCORE_COLOURS,
    WEIGHT_COLOURS,
    Picture,
    canvas,
    ink_on,
    minus,
    styled,
)


@styled
def heatmap(matrix, queries, keys=None, mask=None, signed=False, focus=None, title=None):
    """Draw attention weights, or scores with `signed=True`: one row a query, one column a key.

    matrix: (queries, keys); keys: labels, the queries' own if not given; mask: boolean (queries, keys),
    True = may attend, the rest is hatched; focus: index of one query to frame.
    Raises ValueError if the labels do not fit the matrix.
    """
    rows, keys = checked(matrix, queries, keys)
    longest = max(map(len, queries))
    figure, axes = canvas(0.62 * len(keys) + 0.13 * longest + (1.1 if signed else 1.5), 0.56 * len(queries) + 1.35)
    top = max((abs(number) for row in rows for number in row if math.isfinite(number)), default=0) or 1
    for i, row in enumerate(rows):
        for j, number in enumerate(row):
            face = _square(axes, i, j, number, top if signed else None, mask)
            if face is not None:
                look = {"color": ink_on(face[:3]), "fontweight": "bold" if not signed and number >= 0.5 else "normal"}
                label = minus(short(number, top))
                axes.text(j + 0.5, i + 0.5, label, ha="center", va="center_baseline", fontsize=9.5, **look)
        if not signed:
            total = sum(number for number in row if math.isfinite(number))
            axes.text(len(keys) + 0.16, i + 0.5, f"Σ {total:.2f}", va="center", color=MUTED, fontsize=8.5)
    if focus is not None:
        frame = {"fill": False, "edgecolor": ROLES["query"].fill, "linewidth": 2.2, "zorder": 5}
        axes.add_patch(Rectangle((0, focus), len(keys), 1, **frame))
    axes.set(xlim=(-0.03, len(keys) + (0.03 if signed else 0.95)), ylim=(len(queries) + 0.03, -0.03), aspect="equal")
    label_tokens(axes, queries, keys)
    axes.set_title(title or "")
    return Picture(figure, describe(rows, queries, keys, mask, signed, focus))


@styled
def heads(weights, queries, keys=None, mask=None, title=None):
    """Draw one small map for each head, side by side, all on the same scale.

    weights: (heads, queries, keys); mask: boolean (queries, keys), True = may attend, the rest is hatched.
    Under each map stands how many keys a query of that head effectively looks at, on average: exp(entropy).
    """
    maps = [checked(head, queries, keys) for head in weights]
    keys = maps[0][1]
    figure, _ = canvas(0.32 * len(keys) * len(maps) + 1.6, 0.32 * len(queries) + 1.6, columns=len(maps))
    facts = []
    for place, (axes, (rows, _)) in enumerate(zip(figure.axes, maps)):
        for i, row in enumerate(rows):
            for j, number in enumerate(row):
                _square(axes, i, j, number, None, mask)
        axes.set(xlim=(-0.03, len(keys) + 0.03), ylim=(len(queries) + 0.03, -0.03), aspect="equal")
        label_tokens(axes, queries if place == 0 else [""] * len(queries), keys)
        axes.tick_params(axis="x", rotation=60)
        axes.set(xlabel="", ylabel="← query tokens" if place == 0 else "")
        looks = sum(math.exp(-sum(a * math.log(a) for a in row if a > 0)) for row in rows) / len(rows)
        axes.text(0.5, -0.03, f"head {place}", transform=axes.transAxes, ha="center", va="top", fontweight="bold")
        axes.text(0.5, -0.15, f"≈ {looks:.1f} keys", transform=axes.transAxes, ha="center", va="top", color=MUTED)
        facts.append(f"head {place} looks at {looks:.1f} keys on average")
    if title:
        figure.suptitle(title, x=0.01, ha="left", fontsize=11.5, fontweight="bold")
    return Picture(figure, f"{len(maps)} heads, {len(queries)} queries by {len(keys)} keys: {', '.join(facts)}.")


@styled
def influence(moved, tokens, title=None):
    """Draw which outputs move when one input is changed: one row an output, one column a changed input.

    moved: boolean (outputs, inputs). Cells that move are filled and carry a dot.
    """
    rows, _ = checked(moved, tokens, tokens)
    figure, axes = canvas(0.56 * len(tokens) + 1.9, 0.5 * len(tokens) + 1.35)
    for i, row in enumerate(rows):
        for j, moves in enumerate(row):
            axes.add_patch(square(j, i, facecolor=ROLES["context"].fill if moves else MASKED, edgecolor="none"))
            axes.text(j + 0.5, i + 0.5, "●" if moves else "", ha="center", va="center", color=PAPER)
    axes.set(xlim=(-0.03, len(tokens) + 0.03), ylim=(len(tokens) + 0.03, -0.03), aspect="equal")
    label_tokens(axes, tokens, tokens)
    axes.set_xlabel("changed input →", color=ROLES["input"].ink, fontsize=9, loc="left")
    axes.set_ylabel("← output that moves", color=ROLES["context"].ink, fontsize=9, loc="top")
    axes.tick_params(axis="x", labelcolor=ROLES["input"].ink)
    axes.tick_params(axis="y", labelcolor=ROLES["context"].ink)
    axes.set_title(title or "")
    facts = []
    for j, token in enumerate(tokens):
        outputs = [tokens[i] for i, row in enumerate(rows) if row[j]]
        facts.append(f"{token} moves {', '.join(outputs) or 'nothing'}")
    return Picture(figure, f"Changing the input {'; '.join(facts)}.")


@styled
def patches(image, weights, words, title=None):
    """Draw an image, and for each word how much each patch of it attends to that word.

    image: (height, width, 3) between 0 and 1; weights: (patches, words), patches row by row in a square grid.
    Raises ValueError if the weights fit neither the words nor a square grid.
    """
    rows, side = lists(weights), math.isqrt(len(weights))
    if len(rows) != side * side or any(len(row) != len(words) for row in rows):
        raise ValueError(
            f"the weights are {len(rows)} × {len(rows[0])}; {len(words)} words and a square grid of patches "
            f"need (side · side) × {len(words)}"
        )
    figure, _ = canvas(1.75 * (len(words) + 1) + 0.3, 2.4, columns=len(words) + 1)
    figure.axes[0].imshow(lists(image), interpolation="nearest")
    figure.axes[0].set_title("image", fontsize=10)
    facts = []
    for axes, word, column in zip(figure.axes[1:], words, zip(*rows)):
        for place, weight in enumerate(column):
            _square(axes, place // side, place % side, weight, None, None)
        axes.set(xlim=(-0.03, side + 0.03), ylim=(side + 0.03, -0.03), aspect="equal")
        axes.set_title(f"“{word}”", fontsize=10, color=ROLES["key"].ink)
        most = max(range(len(column)), key=lambda place: column[place])
        facts.append(f"“{word}” most from row {most // side}, column {most % side} ({column[most]:.2f})")
    for axes in figure.axes:
        axes.set(xticks=[], yticks=[])
        axes.spines[:].set_visible(axes is figure.axes[0])  # a frame for the image alone
    if title:
        figure.suptitle(title, x=0.01, ha="left", fontsize=11.5, fontweight="bold")
    return Picture(figure, f"An image in {side} × {side} patches, and who attends to each word: {'; '.join(facts)}.")


@styled
def lines(weights, queries, keys=None, focus=None, title=None):
    """Draw one curve for each query and key, as wide as the weight; `focus` follows one query.

    weights: (queries, keys). Weights under 0.02 are left out.
    """
    rows, keys = checked(weights, queries, keys)
    height = max(len(queries), len(keys))
    top = max(max(row) for row in (rows if focus is None else [rows[focus]])) or 1  # a row may be all zeros
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
    return Picture(figure, describe(rows, queries, keys, None, False, focus))


def _bars_beside(axes, row, heights, query):
    axes.text(1.42, -0.12, f"weights of “{query}”", va="bottom", color=ROLES["weight"].ink, fontsize=9)
    for weight, y in zip(row, heights):
        axes.add_patch(Rectangle((1.42, y - 0.3), 0.38, 0.6, facecolor="#EEF0F3"))
        axes.add_patch(Rectangle((1.42, y - 0.3), 0.38 * weight, 0.6, facecolor=ROLES["weight"].fill))
        axes.text(1.82, y, f"{weight:.2f}", va="center", fontsize=9, color=INK)


def _square(axes, i, j, number, top, mask):
    """Fill one cell, by its weight or, with a `top`, by its score; return its colour, None if masked."""
    if mask is not None and not mask[i][j]:
        axes.add_patch(square(j, i, facecolor=MASKED, edgecolor="#B4BAC4", hatch="////", linewidth=0))
        return None
    face = WEIGHT_COLOURS(float(number)) if top is None else SCORE_COLOURS(0.5 + number / top / 2)
    axes.add_patch(square(j, i, facecolor=face, edgecolor="none"))
    return face
