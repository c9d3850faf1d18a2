"""A Transformer's block as a stream: what passes through, what reads it, and what is added to it."""

from matplotlib.patches import Circle, FancyBboxPatch

from companion.pictures.palette import EDGE, INK, MUTED, PAPER, ROLES, TRACK, tint
from companion.pictures.picture import Picture, canvas, styled

ABOVE, STEP = 1.6, 5.1  # the parts' distance from the stream, and from each other
NORM, PART, GAP = (1.1, 0.62), (2.9, 1.0), 0.25  # width and height of the boxes, and the room between them
INCHES = 0.55  # one unit of these


@styled
def block(parts, norm_first=True, title=None, caption=None):
    """Draw a block's residual stream from left to right, its parts above it, and its LayerNorms.

    parts: {name: what it does, in a few words}; what ends in "attention" has the colour of the weights;
    norm_first: each LayerNorm stands before its part (pre-norm), not in the stream behind the sum (post-norm).
    Raises ValueError if there are no parts.
    """
    if not parts:
        raise ValueError("the block has no parts; name at least one, as in {'attention': 'reads all tokens'}")
    end = STEP * len(parts) + 0.9
    figure, axes = canvas(INCHES * (end + 1.0) + 0.2, INCHES * (ABOVE + 1.2) + 0.5, title)
    stream, read = ROLES["input"], "LayerNorm(x)" if norm_first else "x"
    axes.annotate("", (end, 0), (0, 0), arrowprops=_arrow(stream.fill, 5, 20), zorder=1)
    axes.text(-0.15, 0, "X", ha="right", va="center", fontsize=13, fontweight="bold", color=stream.ink)
    for place, (name, does) in enumerate(parts.items()):
        _draw_part(axes, STEP * place + GAP, name, does, norm_first)
    axes.set(xlim=(-0.8, end + 0.2), ylim=(-0.4, ABOVE + 0.6), aspect="equal")
    axes.axis("off")
    sums = [f"x + {name}({read})" for name in parts]
    steps = "; ".join(f"x becomes {each if norm_first else f'LayerNorm({each})'}" for each in sums)
    return Picture(
        figure, f"A {'pre' if norm_first else 'post'}-norm block. The stream x begins as X; {steps}.", caption
    )


def _draw_part(axes, left, name, does, norm_first):
    """Draw the branch that reads the stream, the part on it, the sum that takes it back, and the LayerNorm."""
    attends = name.endswith("attention")
    face, edge = (tint(ROLES["weight"].fill, 0.2), ROLES["weight"].fill) if attends else (TRACK, MUTED)
    branch = left + GAP
    part = branch + (NORM[0] + GAP if norm_first else 0)
    sums = part + PART[0] + GAP
    axes.plot([left, left, part], [0, ABOVE, ABOVE], color=ROLES["input"].fill, linewidth=2.2, zorder=0)
    axes.plot([part + PART[0], sums, sums], [ABOVE, ABOVE, 0.6], color=ROLES["context"].fill, linewidth=2.2, zorder=0)
    axes.annotate("", (sums, 0.25), (sums, 0.7), arrowprops=_arrow(ROLES["context"].fill, 2.2, 13))
    axes.add_patch(Circle((sums, 0), 0.26, facecolor=PAPER, edgecolor=ROLES["context"].fill, linewidth=2, zorder=3))
    _write(axes, (sums, 0), "+", color=ROLES["context"].ink, fontsize=14)
    _draw_box(axes, (part, ABOVE), PART, face, edge)
    _write(axes, (part + PART[0] / 2, ABOVE + 0.2), name, fontweight="bold")
    _write(axes, (part + PART[0] / 2, ABOVE - 0.22), does, color=MUTED, fontsize=8)
    norm = (branch, ABOVE) if norm_first else (sums + 0.45, 0)
    _draw_box(axes, norm, NORM, PAPER, EDGE)
    _write(axes, (norm[0] + NORM[0] / 2, norm[1]), "norm")


def _draw_box(axes, place, size, face, edge):
    """Draw a rounded box; place: the middle of its left side."""
    corner = place[0], place[1] - size[1] / 2
    look = {"boxstyle": "round,pad=0,rounding_size=0.14", "facecolor": face, "edgecolor": edge, "linewidth": 1.4}
    axes.add_patch(FancyBboxPatch(corner, *size, zorder=2, **look))


def _write(axes, place, text, color=INK, fontsize=10, **look):
    axes.text(*place, text, ha="center", va="center_baseline", color=color, fontsize=fontsize, zorder=4, **look)


def _arrow(color, linewidth, head):
    return {
        "arrowstyle": "-|>",
        "color": color,
        "linewidth": linewidth,
        "shrinkA": 0,
        "shrinkB": 0,
        "mutation_scale": head,
    }
