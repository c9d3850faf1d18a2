"""Multi-head attention as a drawing: features are cut into heads, each attends by itself, and all are joined again."""

from matplotlib.patches import Polygon, Rectangle

from companion.pictures.palette import FAINT, MUTED, PAPER, ROLES, fills, tint
from companion.pictures.picture import Picture, canvas, styled
from companion.pictures.words import labelled

CELL, AWAY = 0.18, 0.85  # inches of a cell, and between two columns of grids, where an arrow says what happens
FIRST = AWAY + 0.3  # where query and key meet before they become weights
BETWEEN, GAP = 2.8, 0.5  # cells between a head and the next one below, and the next one beside it
ARROW = {"arrowstyle": "-|>", "linewidth": 2.2, "mutation_scale": 13, "shrinkA": 0, "shrinkB": 0}


@styled
def heads(weights, head_dim, caption=None):
    """Draw how multi-head attention computes, from left to right, each number of it as a cell in the tint of its head.

    weights: (heads, tokens, tokens), in whose shades the tables of weights are drawn; head_dim: features of a head.
    Raises ValueError for what `labelled` refuses.
    """
    count, tokens = len(weights), weights.shape[-1]
    tables = [labelled("weights", head, range(tokens))[0].tolist() for head in weights]
    wide, step, first = count * head_dim + (count - 1) * GAP, AWAY / CELL, FIRST / CELL
    height = max(3 * tokens + 2 * BETWEEN, count * tokens + (count - 1) * BETWEEN)
    lefts = [0, wide + first, wide + tokens + first + step]
    lefts += [lefts[2] + head_dim + step, lefts[2] + head_dim + wide + 2 * step]
    end = lefts[-1] + count * head_dim
    figure, axes = canvas(CELL * (end + 1.4) + 0.2, CELL * (height + 5.7))

    def draw_parted(left, top, role, name=""):
        """Draw all heads' features, each head's apart from the next one's, and under them which head it is."""
        for number in range(count):
            start = left + number * (head_dim + GAP)
            _draw_grid(axes, start, top, [[shade(role, number)] * head_dim] * tokens)
            style = {"ha": "center", "va": "top", "color": MUTED}
            axes.text(start + head_dim / 2, top + tokens + 0.15, f"head {number}", **style)
        axes.text(left + wide / 2, top - 0.2, name, ha="center", va="bottom", color=ROLES[role].ink)

    def shade(role, head):
        return tint(ROLES[role].fill, 1 - 0.65 * head / max(1, count - 1))

    def spread(number, of):
        """Where a grid begins, so that all of its column are centered in the height."""
        return (height - of * tokens - (of - 1) * BETWEEN) / 2 + number * (tokens + BETWEEN)

    for number, role in enumerate(("query", "key", "value")):
        draw_parted(lefts[0], spread(number, 3), role, role)
    for number, table in enumerate(tables):
        _draw_grid(axes, lefts[1], spread(number, count), fills(table), f"head {number}")
        context = [[shade("context", number)] * head_dim] * tokens
        _draw_grid(axes, lefts[2], spread(number, count), context, f"head {number}")
        output = [[shade("context", number)] * count * head_dim] * tokens
        _draw_grid(axes, lefts[4], spread(0, 1), output, cut=number / count)
    draw_parted(lefts[3], spread(0, 1), "context")
    whole, cut = f"({tokens}, {count * head_dim})", f"({count}, {tokens}, "
    shapes = [whole, f"{cut}{tokens})", f"{cut}{head_dim})", whole, whole]
    sizes = [wide, tokens, head_dim, wide, count * head_dim]
    names = ["features", "weights", "context", "merged", "output"]
    for left, size, name, shape in zip(lefts, sizes, names, shapes):
        style = {"ha": "center", "va": "top"}
        axes.text(left + size / 2, height + 1.7, name, fontweight="bold", **style)
        axes.text(left + size / 2, height + 2.9, shape, color=MUTED, **style)
    for left, size, next_left, does in zip(lefts[1:], sizes[1:], lefts[2:], ("· value", "merge", "W_output")):
        _draw_arrow(axes, left + size + 0.5, next_left - 0.5, height / 2)
        axes.text((left + size + next_left) / 2, height / 2 - 0.5, does, ha="center", va="bottom")
    # The query comes down to the key, and both become weights; the value skips these, and meets them after.
    meet, high = wide + 1.3, spread(0, 3) + tokens / 2
    axes.plot([wide + 0.5, meet], [height / 2] * 2, color=ROLES["key"].fill, linewidth=ARROW["linewidth"])
    _draw_turn(axes, "query", wide + 0.5, meet, high, height / 2)
    _draw_arrow(axes, meet, lefts[1] - 0.5, height / 2)
    axes.text((meet + lefts[1] - 0.5) / 2, height / 2 + 0.4, "query · key,\nsoftmax", ha="center", va="top")
    _draw_turn(axes, "value", wide + 0.5, lefts[2] - step / 2, spread(2, 3) + tokens / 2, height / 2 + 0.3)
    for text in axes.texts:
        text.set_fontsize(11)  # readable on a phone
    axes.set(xlim=(-0.7, end + 0.7), ylim=(height + 4.1, -1.4), aspect="equal")
    axes.axis("off")
    facts = "; ".join(f"{name} {shape}" for name, shape in zip(names, shapes))
    words = f"Query, key and value of {tokens} tokens are cut into {count} heads, which attend apart and are merged"
    return Picture(figure, f"{words}: {facts}.", caption)


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


def _draw_arrow(axes, start, end, y):
    axes.annotate("", (end, y), (start, y), arrowprops={"color": FAINT, **ARROW})


def _draw_turn(axes, role, start, x, y, end):
    """Draw the way of a role's features from start to x, and then up or down from y to the arrow in the middle."""
    axes.plot([start, x, x], [y, y, (y + end) / 2], color=ROLES[role].fill, linewidth=ARROW["linewidth"])
    axes.annotate("", (x, end), (x, y), arrowprops={"color": ROLES[role].fill, **ARROW})
