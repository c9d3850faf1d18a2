"""A Transformer's block with a lane for each token: what passes through, what reads it, and what is added to it."""

from itertools import product

from matplotlib.patches import Circle, FancyBboxPatch, PathPatch, Polygon
from matplotlib.path import Path

from companion.pictures.palette import MUTED, PAPER, ROLES, TRACK, tint
from companion.pictures.picture import Picture, canvas, styled

# In inches: the lanes' length, the room for the tokens, from lane to lane, and from a lane to what reads it.
LENGTH, LABELS, APART, BRANCH = 3.5, 0.8, 0.62, 0.26
HEAD = 0.62  # from the highest lane to what stands over the boxes
NORM, PART, ROOM, SUM = (0.4, 0.22), 0.3, 0.08, 0.1  # a norm, a part's height, the room between marks, a sum's radius
ARROW = {"arrowstyle": "-|>", "shrinkA": 0, "shrinkB": 0}
BLUE, FLOW = ROLES["weight"].fill, {"linewidth": 2, "solid_capstyle": "butt"}


@styled
def block(parts, tokens, norm_first=True, caption=None):
    """Draw the lanes from left to right: what each part of a block reads from them, and adds to each.

    parts: {name: what it does, in a few words}; "attention" reads across the lanes; tokens: the lanes' words;
    norm_first: each LayerNorm stands before its part (pre-norm), not in the lane behind the sum (post-norm); (True,
    False) draws both, one below the other. Raises ValueError if there are no parts.
    """
    if not parts:
        raise ValueError("the block has no parts; name at least one, as in {'attention': 'reads all tokens'}")
    orders = norm_first if isinstance(norm_first, tuple) else (norm_first,)
    step = LENGTH / len(parts)
    starts = [number * step for number in range(len(parts))]
    deep = APART * len(tokens) + 0.35  # from one block to the next
    low = -deep * len(orders) + APART + 0.1
    figure, axes = canvas(LABELS + LENGTH + 0.5, HEAD + 0.68 - low)
    for (name, does), start in zip(parts.items(), starts):
        axes.text(start + step / 2, HEAD + 0.22, name, ha="center", fontweight="bold", fontsize=10.5)
        axes.text(start + step / 2, HEAD, does, ha="center", color=MUTED, fontsize=9.5)
    for number, first in enumerate(orders):
        heights = [-deep * number - APART * lane for lane in range(len(tokens))]
        for y, token in zip(heights, tokens):
            style = {"color": ROLES["input"].fill, "linewidth": 5, "mutation_scale": 17}
            axes.annotate("", (LENGTH + 0.3, y), (0, y), arrowprops=ARROW | style, zorder=2)
            axes.text(-0.1, y, token, ha="right", va="center", fontsize=11.5, color=ROLES["input"].ink)
        before, behind = NORM[0] * first, NORM[0] * (not first)
        for name, start in zip(parts, starts):
            span = start + ROOM, start + before + 3 * ROOM, start + step - behind - 3 * SUM
            _draw_part(axes, name, heights, span, first)
        if len(orders) > 1:
            kind = "Pre-norm" if first else "Post-norm"
            axes.text(-LABELS, heights[0] + 0.36, kind, fontweight="bold", fontsize=11.5)
    axes.set(xlim=(-LABELS, LENGTH + 0.3), ylim=(low, HEAD + 0.38), aspect="equal")
    axes.axis("off")
    return Picture(figure, " ".join(_says(parts, len(tokens), first) for first in orders), caption)


def _says(parts, num_tokens, norm_first):
    read = "LayerNorm(x)" if norm_first else "x"
    sums = [f"x + {name}({read})" for name in parts]
    steps = "; ".join(f"x becomes {total if norm_first else f'LayerNorm({total})'}" for total in sums)
    kind = f"A {'pre' if norm_first else 'post'}-norm block, with a lane for each of {num_tokens} tokens"
    return f"{kind}. The stream x begins as X; {steps}."


def _draw_part(axes, name, heights, span, norm_first):
    """Draw one part, over all lanes or in each; span: where it is read from, and where it begins and ends."""
    start, left, right = span
    reads = name == "attention"
    for y in heights:
        _draw_branch(axes, y, start, (left, right), norm_first, ROLES["context"].fill if reads else MUTED)
        if not reads:
            _draw_feed_forward(axes, y + BRANCH, left, right)
    if not reads:
        return
    top, bottom = heights[0] + BRANCH + 0.22, heights[-1] - 0.14
    _draw_box(axes, (left, (top + bottom) / 2), (right - left, top - bottom), tint(BLUE, 0.13), BLUE, zorder=1)
    middle = (left + right) / 2
    for y, source in product(heights, heights):  # an arc from each lane to each lane that reads it
        arc = [(left, source), (middle, source), (middle, y), (right, y)]
        path = Path([(x, height + BRANCH) for x, height in arc], [Path.MOVETO] + 3 * [Path.CURVE4])
        axes.add_patch(PathPatch(path, facecolor="none", edgecolor=BLUE, linewidth=1.3, alpha=0.75, zorder=4))


def _draw_branch(axes, y, start, part, norm_first, gives):
    """Draw what leads from a lane to a part, from its left to its right, and back: a sum, and the LayerNorm."""
    (left, right), high = part, y + BRANCH
    end = right + 2 * SUM
    axes.plot([start, start, left], [y, high, high], color=ROLES["input"].fill, **FLOW)
    axes.plot([right, end, end], [high, high, y], color=gives, **FLOW)
    axes.add_patch(Circle((end, y), SUM, facecolor=PAPER, edgecolor=gives, linewidth=1.8, zorder=5))
    axes.text(end, y, "+", ha="center", va="center_baseline", fontsize=11, zorder=6)
    _draw_box(axes, (start + ROOM, high) if norm_first else (end + 1.2 * SUM, y), NORM, MUTED, MUTED, "norm")


def _draw_feed_forward(axes, y, left, right):
    """Draw what widens, bends and narrows again."""
    half = [(left, 0.04), (left + 0.2, PART / 2), (right - 0.2, PART / 2), (right, 0.04)]
    around = [(x, y + high) for x, high in half] + [(x, y - high) for x, high in half[::-1]]
    axes.add_patch(Polygon(around, facecolor=TRACK, edgecolor=MUTED, linewidth=1.2, zorder=4))
    xs, ys = [(left + right) / 2 + x for x in (-0.16, 0, 0.12)], [y - 0.06, y - 0.06, y + 0.08]
    axes.plot(xs, ys, color=MUTED, linewidth=1.3, zorder=5)


def _draw_box(axes, position, size, face, edge, text="", zorder=4):
    """Draw a rounded box with a word in it; position: the middle of its left side."""
    corner = position[0], position[1] - size[1] / 2
    style = {"boxstyle": "round,pad=0,rounding_size=0.07", "facecolor": face, "edgecolor": edge, "linewidth": 1.2}
    axes.add_patch(FancyBboxPatch(corner, *size, zorder=zorder, **style))
    style = {"color": PAPER, "fontsize": 9, "zorder": zorder}
    axes.text(position[0] + size[0] / 2, position[1], text, ha="center", va="center_baseline", **style)
