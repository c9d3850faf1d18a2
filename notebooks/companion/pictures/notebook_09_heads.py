"""Multi-head attention as a drawing: features are cut into heads, each attends by itself, and all are joined again."""

from itertools import accumulate

from matplotlib.patches import Polygon, Rectangle

from companion.pictures.palette import FAINT, MUTED, PAPER, ROLES, fills, tint
from companion.pictures.picture import Picture, canvas, styled
from companion.pictures.words import labelled

CELL = 0.18  # inches; all other lengths are in cells, and the middle of the drawing is at the height 0
AWAY = 0.85 / CELL  # between two columns of grids, where an arrow says what happens
FIRST = AWAY + 0.3 / CELL  # between the first two, where query and key meet before they become weights
BETWEEN, GAP = 2.8, 0.5  # between a head and the next one below, and the next one beside it
NAMES = "features", "weights", "context", "merged", "output"  # of the columns
ARROW = {"arrowstyle": "-|>", "linewidth": 2.2, "mutation_scale": 13, "shrinkA": 0, "shrinkB": 0}


@styled
def heads(weights, head_dim, caption=None):
    """Draw how multi-head attention computes, from left to right, each number of it as a cell in the tint of its head.

    weights: (heads, tokens, tokens), in whose shades the tables of weights are drawn; head_dim: features of a head.
    Raises ValueError for what `labelled` refuses.
    """
    count, tokens = len(weights), weights.shape[-1]
    tables = [labelled("weights", head, range(tokens))[0].tolist() for head in weights]
    apart, bottom = count * head_dim + (count - 1) * GAP, (max(3, count) * (tokens + BETWEEN) - BETWEEN) / 2
    widths = [apart, tokens, head_dim, apart, count * head_dim]
    rights = list(accumulate(map(sum, zip([0, FIRST, AWAY, AWAY, AWAY], widths))))
    columns, end = [(right - width, right) for right, width in zip(rights, widths)], rights[-1]
    figure, axes = canvas(CELL * (end + 1.4) + 0.2, CELL * (2 * bottom + 5.7))
    _draw_grids(axes, [left for left, _ in columns], tables, head_dim)
    _draw_arrows(axes, columns, tokens + BETWEEN)
    whole, cut = f"({tokens}, {count * head_dim})", f"({count}, {tokens}, "
    shapes = [whole, f"{cut}{tokens})", f"{cut}{head_dim})", whole, whole]
    for (left, right), name, shape in zip(columns, NAMES, shapes):
        axes.text((left + right) / 2, bottom + 1.7, name, ha="center", va="top", fontweight="bold")
        axes.text((left + right) / 2, bottom + 2.9, shape, ha="center", va="top", color=MUTED)
    for text in axes.texts:
        text.set_fontsize(11)  # readable on a phone
    axes.set(xlim=(-0.7, end + 0.7), ylim=(bottom + 4.1, -bottom - 1.4), aspect="equal")
    axes.axis("off")
    facts = "; ".join(f"{name} {shape}" for name, shape in zip(NAMES, shapes))
    words = f"Query, key and value of {tokens} tokens are cut into {count} heads, which attend apart and are merged"
    return Picture(figure, f"{words}: {facts}.", caption)


def _draw_grids(axes, lefts, tables, head_dim):
    """Draw the five columns: query, key and value; each head's weights and context; the contexts merged; the output."""
    features, weights, context, merged, output = lefts
    count, tokens = len(tables), len(tables[0])

    def top(number, of):
        """Where one of a column's grids begins, so that all of them are centered around the height 0."""
        return (number - (of - 1) / 2) * (tokens + BETWEEN) - tokens / 2

    def features_of(role, head, size=head_dim):
        return [[tint(ROLES[role].fill, 1 - 0.65 * head / max(1, count - 1))] * size] * tokens

    def draw_parted(left, y, role, name=""):
        """Draw all heads' features, each head's apart from the next one's, and under them which head it is."""
        for head in range(count):
            start = left + head * (head_dim + GAP)
            _draw_grid(axes, start, y, features_of(role, head))
            axes.text(start + head_dim / 2, y + tokens + 0.15, f"head {head}", ha="center", va="top", color=MUTED)
        axes.text((left + start + head_dim) / 2, y - 0.2, name, ha="center", va="bottom", color=ROLES[role].ink)

    for number, role in enumerate(("query", "key", "value")):
        draw_parted(features, top(number, 3), role, role)
    for head, table in enumerate(tables):
        _draw_grid(axes, weights, top(head, count), fills(table), f"head {head}")
        _draw_grid(axes, context, top(head, count), features_of("context", head), f"head {head}")
        _draw_grid(axes, output, top(0, 1), features_of("context", head, count * head_dim), cut=head / count)
    draw_parted(merged, top(0, 1), "context")


def _draw_arrows(axes, columns, away):
    """Draw the arrows between columns, and what happens there; away: how far the query is above the key."""
    # The query comes down to the key, and both become weights; the value skips these, and meets them after.
    (_, start), (weights, _), (context, _), *_ = columns
    meet, arrow = start + 1.3, {"color": FAINT, **ARROW}
    axes.plot([start + 0.5, meet], [0, 0], color=ROLES["key"].fill, linewidth=ARROW["linewidth"])
    _draw_turn(axes, "query", start + 0.5, meet, -away, 0)
    axes.annotate("", (weights - 0.5, 0), (meet, 0), arrowprops=arrow)
    axes.text((meet + weights - 0.5) / 2, 0.4, "query · key,\nsoftmax", ha="center", va="top")
    _draw_turn(axes, "value", start + 0.5, context - AWAY / 2, away, 0.3)
    for (_, right), (left, _), does in zip(columns[1:], columns[2:], ("· value", "merge", "W_output")):
        axes.annotate("", (left - 0.5, 0), (right + 0.5, 0), arrowprops=arrow)
        axes.text((right + left) / 2, -0.5, does, ha="center", va="bottom")


def _draw_grid(axes, left, top, rows, name="", cut=0):
    """Draw rows of colors as cells, and a name above them; of each cell, what lies behind a slanted cut."""
    for i, row in enumerate(rows):
        for j, face in enumerate(row):
            style = {"facecolor": face, "edgecolor": PAPER, "linewidth": 1}
            cell = axes.add_patch(Rectangle((left + j, top + i), 1, 1, **style | {"fill": not cut}))
            if cut:
                corners = (2 * cut, 0), (2 * cut - 1, 1), (2, 1), (2, 0)
                slanted = Polygon([(left + j + x, top + i + y) for x, y in corners], **style | {"linewidth": 0})
                axes.add_patch(slanted).set_clip_path(cell)
    axes.text(left + len(rows[0]) / 2, top - 0.2, name, ha="center", va="bottom")


def _draw_turn(axes, role, start, x, y, end):
    """Draw the way of a role's features from start to x, and then up or down from y to the arrow in the middle."""
    axes.plot([start, x, x], [y, y, (y + end) / 2], color=ROLES[role].fill, linewidth=ARROW["linewidth"])
    axes.annotate("", (x, end), (x, y), arrowprops={"color": ROLES[role].fill, **ARROW})
