"""Attention as lines from queries to keys."""

from matplotlib.patches import PathPatch, Rectangle
from matplotlib.path import Path

from companion.pictures.palette import EDGE, INK, MUTED, PAPER, ROLES, TRACK
from companion.pictures.picture import WIDE, Picture, canvas, styled
from companion.pictures.words import attendable, describe_rows, labelled, two_decimals

WHOLE = 0.8  # how wide the weight 1 is, of the room of a row: at its query the bands add up to it


@styled
def lines(weights, queries, keys, focus, caption=None):
    """Draw one band for each query and key, as wide as the weight; the query with the index `focus` stands out.

    weights: (queries, keys). Weights under 0.02 are left out. Raises ValueError for what `labelled` refuses.
    """
    weights, queries, keys = labelled("weights", weights, queries, keys)
    rows, height = weights.tolist(), max(len(queries), len(keys))
    figure, axes = canvas(WIDE, 0.46 * height + 1.0)
    left = [(i + 0.5) * height / len(queries) for i in range(len(queries))]
    right = [(j + 0.5) * height / len(keys) for j in range(len(keys))]
    for i, (token, row) in enumerate(zip(queries, rows)):
        start = left[i] - WHOLE * sum(row) / 2
        for j, weight in enumerate(row):
            if weight >= 0.02:
                _draw_band(axes, start, right[j] - WHOLE * weight / 2, WHOLE * weight, i == focus)
            start += WHOLE * weight
        style = {"color": ROLES["query"].ink, "fontweight": "bold"} if i == focus else {"color": MUTED}
        axes.text(-0.035, left[i], token, ha="right", va="center", fontsize=11, **style)
    for j, token in enumerate(keys):
        axes.text(1.035, right[j], token, va="center", fontsize=11, color=ROLES["key"].ink)
    axes.text(-0.035, -0.12, "query", ha="right", va="bottom", color=ROLES["query"].ink, fontsize=10)
    axes.text(1.035, -0.12, "key", va="bottom", color=ROLES["key"].ink, fontsize=10)
    name = f"weights of “{queries[focus]}”"
    axes.text(1.42, -0.12, name, va="bottom", color=ROLES["weight"].ink, fontsize=10)
    for weight, y in zip(rows[focus], right):
        axes.add_patch(Rectangle((1.42, y - 0.3), 0.38, 0.6, facecolor=TRACK))
        axes.add_patch(Rectangle((1.42, y - 0.3), 0.38 * weight, 0.6, facecolor=ROLES["weight"].fill))
        heavy = "bold" if two_decimals(weight) == two_decimals(max(rows[focus])) else "normal"
        axes.text(1.82, y, two_decimals(weight), va="center", color=INK, fontweight=heavy)
    axes.set(xlim=(-0.38, 2.0), ylim=(height + 0.1, -0.55))
    axes.axis("off")
    words = describe_rows(rows, queries, keys, attendable(None, queries, keys), "weight", focus)
    return Picture(figure, words, caption)


def _draw_band(axes, start, end, wide, hot):
    upper = [(0, start), (0.5, start), (0.5, end), (1, end)]
    lower = [(x, y + wide) for x, y in reversed(upper)]
    curve = [Path.CURVE4] * 3
    band = Path([*upper, *lower, upper[0]], [Path.MOVETO, *curve, Path.LINETO, *curve, Path.CLOSEPOLY])
    style = {"facecolor": ROLES["weight"].fill, "alpha": 0.7, "zorder": 3}
    if not hot:
        style = {"facecolor": EDGE, "zorder": 1}
    axes.add_patch(PathPatch(band, edgecolor=PAPER, linewidth=0.3, **style))
