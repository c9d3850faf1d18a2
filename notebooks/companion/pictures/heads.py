"""Multi-head attention as a drawing: features are cut into heads, each attends by itself, and all are joined again."""

from matplotlib.patches import Rectangle

from companion.pictures.palette import EDGE, INK, MUTED, PAPER, ROLES, fills, tint
from companion.pictures.picture import Picture, canvas, styled
from companion.pictures.words import labelled

CELL, AWAY = 0.22, 0.78  # inches of a cell, and between two columns of grids, where an arrow says what happens
BETWEEN = 2  # cells between a head and the next one below


@styled
def heads(weights, head_dim, title=None, caption=None):
    """Draw how multi-head attention computes, from left to right, each number of it as a cell.

    weights: (heads, tokens, tokens), in whose shades the tables of weights are drawn; head_dim: features of a head.
    Raises ValueError for what `labelled` refuses.
    """
    count, tokens = len(weights), weights.shape[-1]
    tables = [labelled("weights", each, range(tokens))[0].tolist() for each in weights]
    own = [(number + 1) / count for number in range(count) for _ in range(head_dim)]  # each feature's head, as a shade
    wide, step = count * head_dim, AWAY / CELL
    height = max(3 * tokens + 2 * BETWEEN, count * tokens + (count - 1) * BETWEEN)
    lefts = [0, wide + step, wide + tokens + 2 * step]
    lefts += [lefts[2] + head_dim + step, lefts[2] + head_dim + wide + 2 * step]
    end = lefts[-1] + wide
    figure, axes = canvas(CELL * (end + 1.4) + 0.2, CELL * (height + 4.5) + 0.3 * bool(title), title)

    def draw(column, top, rows, name=None):
        for i, row in enumerate(rows):
            for j, face in enumerate(row):
                look = {"facecolor": face, "edgecolor": PAPER, "linewidth": 1}
                axes.add_patch(Rectangle((lefts[column] + j, top + i), 1, 1, **look))
        if name is not None:
            look = {"ha": "center", "va": "bottom", "fontsize": 9.5, "color": INK}
            axes.text(lefts[column] + len(rows[0]) / 2, top - 0.2, name, **look)

    def shaded(role, shares):
        return [[tint(ROLES[role].fill, share) for share in shares]] * tokens

    def spread(number, of):
        """Where a grid begins, so that all of its column are centred in the height."""
        return (height - of * tokens - (of - 1) * BETWEEN) / 2 + number * (tokens + BETWEEN)

    for number, role in enumerate(("query", "key", "value")):
        draw(0, spread(number, 3), shaded(role, own), role)
    for number, table in enumerate(tables):
        top, part = spread(number, count), slice(number * head_dim, (number + 1) * head_dim)
        draw(1, top, fills(table), f"head {number}")
        draw(2, top, shaded("context", own[part]), f"head {number}")
    draw(3, spread(0, 1), shaded("context", own), f"heads {', '.join(map(str, range(count)))}")
    draw(4, spread(0, 1), [[ROLES["input"].fill] * wide] * tokens)
    cut = f"({count}, {tokens}, "
    shapes = [
        f"({tokens}, {wide})",
        f"{cut}{tokens})",
        f"{cut}{head_dim})",
        f"({tokens}, {wide})",
        f"({tokens}, {wide})",
    ]
    sizes = [wide, tokens, head_dim, wide, wide]
    names = ["features", "weights", "context", "merged", "output"]
    for left, size, name, shape in zip(lefts, sizes, names, shapes):
        look = {"ha": "center", "va": "top", "fontsize": 9.5}
        axes.text(left + size / 2, height + 0.6, name, color=INK, fontweight="bold", **look)
        axes.text(left + size / 2, height + 1.7, shape, color=MUTED, **look)
    for left, size, does in zip(lefts, sizes, ("split,\nsoftmax", "· value", "merge", "W_output")):
        x, far = left + size + 0.5, left + size + step - 0.5
        arrow = {"arrowstyle": "-|>", "color": EDGE, "linewidth": 2.2, "mutation_scale": 13, "shrinkA": 0, "shrinkB": 0}
        axes.annotate("", (far, height / 2), (x, height / 2), arrowprops=arrow)
        axes.text((x + far) / 2, height / 2 - 0.5, does, ha="center", va="bottom", fontsize=9.5, color=MUTED)
    axes.set(xlim=(-0.7, end + 0.7), ylim=(height + 2.9, -1.4), aspect="equal")
    axes.axis("off")
    facts = "; ".join(f"{name} {shape}" for name, shape in zip(names, shapes))
    words = f"Query, key and value of {tokens} tokens are cut into {count} heads, which attend apart and are merged"
    return Picture(figure, f"{words}: {facts}.", caption)
