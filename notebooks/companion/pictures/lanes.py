"""A Transformer's block with a lane for each token: what passes through, what reads it, and what is added to it."""

from matplotlib.patches import Circle, FancyBboxPatch, PathPatch
from matplotlib.path import Path

from companion.pictures.palette import EDGE, MUTED, PAPER, ROLES, TRACK, tint
from companion.pictures.picture import Picture, canvas, styled

# In inches: the lanes' length, the room for the tokens, from lane to lane, and from a lane to what reads it.
LENGTH, LABELS, APART, BRANCH = 6.0, 0.8, 0.62, 0.26
NORM, PART, ROOM, SUM = (0.42, 0.21), 0.3, 0.11, 0.1  # a norm, a part's height, the room between marks, a sum's radius
BLUE, FLOW = ROLES["weight"].fill, {"linewidth": 2, "solid_capstyle": "butt"}


@styled
def block(parts, tokens, memory=(), norm_first=True, title=None, caption=None):
    """Draw the lanes from left to right: what each part of a block reads from them, and adds to each.

    parts: {name: what it does, in a few words}; what ends in "attention" reads across the lanes, "causal ..." not
    those below, and "cross-..." the memory alone; tokens: the lanes' words; memory: those that the encoder has read;
    norm_first: each LayerNorm stands before its part (pre-norm), not in the lane behind the sum (post-norm).
    Raises ValueError if there are no parts, or if cross-attention has no memory.
    """
    if not parts:
        raise ValueError("the block has no parts; name at least one, as in {'attention': 'reads all tokens'}")
    if "cross-attention" in parts and not memory:
        raise ValueError("cross-attention has nothing to read; give the memory's words, too")
    heights = [-APART * place for place in range(len(tokens))]
    low = heights[-1] - (1.0 if memory else 0.25)
    figure, axes = canvas(LABELS + LENGTH + 0.5, 1.3 - low, title)
    for y, token in zip(heights, tokens):
        axes.annotate("", (LENGTH + 0.3, y), (0, y), arrowprops=_arrow(ROLES["input"].fill, 5, 17), zorder=2)
        axes.text(-0.1, y, token, ha="right", va="center", fontsize=11, color=ROLES["input"].ink)
    step = LENGTH / len(parts)
    for number, (name, does) in enumerate(parts.items()):
        start, end = number * step + ROOM, (number + 1) * step
        before, behind = (NORM[0], 0) if norm_first else (0, NORM[0])
        left, right = start + before + 2 * ROOM, end - behind - 3 * SUM
        axes.text((left + right) / 2, 0.82, name, ha="center", fontweight="bold")
        axes.text((left + right) / 2, 0.62, does, ha="center", color=MUTED, fontsize=9)
        gives = ROLES["context"].fill if name.endswith("attention") else MUTED
        for y in heights:
            _draw_branch(axes, y, start, (left, right), norm_first, gives)
        if not name.endswith("attention"):
            _draw_feed_forward(axes, heights, left, right)
            continue
        top, bottom = BRANCH + 0.22, heights[-1] - 0.14
        _draw_box(axes, (left, (top + bottom) / 2), (right - left, top - bottom), tint(BLUE, 0.13), BLUE, zorder=1)
        if name.startswith("cross-"):
            _draw_memory(axes, heights, left, right, memory)
        else:
            _draw_arcs(axes, heights, left, right, name.startswith("causal"))
    axes.set(xlim=(-LABELS, LENGTH + 0.3), ylim=(low, 1), aspect="equal")
    axes.axis("off")
    read = "LayerNorm(x)" if norm_first else "x"
    sums = [f"x + {name}({read}{', memory' if name.startswith('cross-') else ''})" for name in parts]
    steps = "; ".join(f"x becomes {each if norm_first else f'LayerNorm({each})'}" for each in sums)
    kind = f"A {'pre' if norm_first else 'post'}-norm block, with a lane for each of {len(tokens)} tokens"
    return Picture(figure, f"{kind}. The stream x begins as X; {steps}.", caption)


def _draw_branch(axes, y, start, part, norm_first, gives):
    """Draw what leads from a lane to a part, from its left to its right, and back: a sum, and the LayerNorm."""
    (left, right), high = part, y + BRANCH
    end = right + 2 * SUM
    axes.plot([start, start, left], [y, high, high], color=ROLES["input"].fill, **FLOW)
    axes.plot([right, end, end], [high, high, y], color=gives, **FLOW)
    axes.add_patch(Circle((end, y), SUM, facecolor=PAPER, edgecolor=gives, linewidth=1.8, zorder=5))
    axes.text(end, y, "+", ha="center", va="center_baseline", fontsize=11, zorder=6)
    _draw_box(axes, (start + ROOM, high) if norm_first else (end + 1.2 * SUM, y), NORM, PAPER, EDGE, "norm")


def _draw_feed_forward(axes, heights, left, right):
    for y in heights:
        _draw_box(axes, (left, y + BRANCH), (right - left, PART), TRACK, MUTED)
        axes.plot([left, right], [y + BRANCH] * 2, color=MUTED, linewidth=1.3, zorder=5)


def _draw_arcs(axes, heights, left, right, causal):
    """Draw an arc from each lane that is read to each lane that reads it."""
    middle = (left + right) / 2
    for place, y in enumerate(heights):
        for source in heights[: place + 1] if causal else heights:
            arc = [(left, source), (middle, source), (middle, y), (right, y)]
            path = Path([(x, height + BRANCH) for x, height in arc], [Path.MOVETO] + 3 * [Path.CURVE4])
            axes.add_patch(PathPatch(path, facecolor="none", edgecolor=BLUE, linewidth=1.3, alpha=0.75, zorder=4))


def _draw_memory(axes, heights, left, right, memory):
    """Draw the memory below the lanes; its keys meet each lane's query, and its values become each lane's context."""
    y, key, value = heights[-1] - 0.8, right - 0.42, right - 0.2
    text = axes.text((key + value) / 2, y, "    ".join(memory), ha="center", va="center_baseline")
    text.set_bbox({"boxstyle": "round,pad=0.45", "facecolor": TRACK, "edgecolor": MUTED, "linewidth": 1.2})
    beside = {"xycoords": text, "textcoords": "offset points", "ha": "right", "va": "center"}
    axes.annotate("memory", (0, 0.5), (-14, 0), fontweight="bold", **beside)
    for x, role, side in ((key, "key", "right"), (value, "value", "left")):
        axes.plot([x, x], [y + 0.18, BRANCH], color=ROLES[role].fill, zorder=3, **FLOW)
        axes.annotate("", (x, heights[-1] - 0.14), (x, y + 0.18), arrowprops=_arrow(ROLES[role].fill, 2, 12))
        axes.text(x + (0.1 if side == "left" else -0.1), y + 0.38, role, ha=side, color=ROLES[role].ink, va="center")
    for height in heights:
        for begin, end, role in ((left, key, "query"), (key, value, "weight"), (value, right, "context")):
            axes.plot([begin, end], [height + BRANCH] * 2, color=ROLES[role].fill, zorder=4, **FLOW)
    axes.text((left + key) / 2, BRANCH + 0.12, "query", ha="center", va="center", fontsize=9, color=ROLES["query"].ink)


def _draw_box(axes, place, size, face, edge, text="", zorder=4):
    """Draw a rounded box with a word in it; place: the middle of its left side."""
    corner = place[0], place[1] - size[1] / 2
    look = {"boxstyle": "round,pad=0,rounding_size=0.07", "facecolor": face, "edgecolor": edge, "linewidth": 1.2}
    axes.add_patch(FancyBboxPatch(corner, *size, zorder=zorder, **look))
    axes.text(place[0] + size[0] / 2, place[1], text, ha="center", va="center_baseline", fontsize=9, zorder=zorder)


def _arrow(color, linewidth, head):
    look = {"arrowstyle": "-|>", "shrinkA": 0, "shrinkB": 0, "mutation_scale": head}
    return {"color": color, "linewidth": linewidth, **look}
