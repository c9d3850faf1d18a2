"""Attention inside one row of tokens, as arcs: of one head above the row, of another below it."""

import torch
from matplotlib.patches import FancyBboxPatch, PathPatch, Polygon
from matplotlib.path import Path

from companion.pictures.palette import INK, MUTED, PAPER, ROLES, tint
from companion.pictures.picture import Picture, canvas, styled
from companion.pictures.words import labelled, shown

LEAST, LARGE = 0.05, 0.5  # a smaller weight is left out; tokens whose arcs weigh that much are bold
BASE, TIP = 0.2, 0.12  # inches from the tokens' middle to the arcs, and the length of an arrow's head
INWARD = 0.14  # tokens from the middle of a token: an arc that starts there and one that ends there stay apart
LINE = 0.25  # inches from one line of notes to the next


@styled
def arcs(tokens, heads, answer=None, notes=None, title=None, caption=None):
    """Draw what tokens look at in their own row: an arrow from each query to its keys, as wide as the weight.

    heads: {name: {query: its weights}}, the first above the row, a second below; a query is the index of a token;
    answer: what the last token says, in a box behind it; notes: {index: {role: text}}, written below a token.
    Weights under 0.05, and what a token gives itself, are left out.
    Raises ValueError for more than two heads, and for what `labelled` refuses.
    """
    if not 1 <= len(heads) <= 2:
        raise ValueError(f"{len(heads)} heads were given; there is room for one above the row, and one below")
    notes = notes or {}
    drawn = {name: _arrows(queries, tokens) for name, queries in heads.items()}
    reach = [max((_height(i, j) for i, j, _ in arrows), default=0) + 0.45 for arrows in drawn.values()]
    most = max(map(len, notes.values()), default=0)
    top, low = BASE + reach[0], -BASE - sum(reach[1:]) - LINE * most
    figure, axes = canvas(7.3, top - low + 0.2 + 0.3 * bool(title), title)
    for (name, arrows), side, far in zip(drawn.items(), (1, -1), reach):
        for i, j, weight in sorted(arrows, key=lambda arrow: (arrow[-1] >= LARGE, arrow)):
            _draw_arrow(axes, i, j, weight, side)
        look = {"color": ROLES["weight"].ink, "fontsize": 10.5, "fontweight": "bold"}
        axes.text(-0.4, side * (BASE + far), name, va="top" if side > 0 else "bottom", **look)
    busy = {place for arrows in drawn.values() for i, j, weight in arrows if weight >= LARGE for place in (i, j)}
    size = min(14, 730 / len(tokens) / max(4, *map(len, tokens)))  # so that no token touches the next
    for place, token in enumerate(tokens):
        look = {"color": INK, "fontweight": "bold"} if place in busy else {"color": MUTED}
        _write(axes, place, 0, token, fontsize=size, **look)
    lines = [(place, n, role, text) for place, says in notes.items() for n, (role, text) in enumerate(says.items())]
    for place, number, role, text in lines:
        _write(axes, place, low + LINE * (most - number - 0.5), f"{role}: {text}", color=ROLES[role].ink)
    facts = [f"{name}: {_largest(tokens, arrows)}" for name, arrows in drawn.items()]
    facts += [f"{tokens[place]} ({place}), {role}: {text}" for place, _, role, text in lines]
    if answer is not None:
        frame = {"boxstyle": "round,pad=0,rounding_size=0.08", "facecolor": PAPER, "edgecolor": INK, "linestyle": "--"}
        axes.add_patch(FancyBboxPatch((len(tokens) - 0.3, -0.19), 0.6, 0.38, linewidth=1.2, **frame))
        _write(axes, len(tokens), 0, answer, fontsize=14, fontweight="bold")
        _write(axes, len(tokens), -0.36, "next", color=MUTED)
        facts.append(f"next: {answer}")
    axes.set(xlim=(-0.5, len(tokens) - 0.5 + (answer is not None)), ylim=(low, top))
    axes.axis("off")
    return Picture(figure, f"Arrows in the row {' '.join(tokens)}. {'; '.join(facts)}.", caption)


def _arrows(queries, tokens):
    """Return (query, key, weight) of each weight that is drawn."""
    rows = [torch.as_tensor(row, dtype=torch.float64) for row in queries.values()]
    rows = labelled("weights", torch.stack(rows), queries, tokens)[0].tolist()
    arrows = [(i, j, weight) for i, row in zip(queries, rows) for j, weight in enumerate(row)]
    return [(i, j, weight) for i, j, weight in arrows if weight >= LEAST and i != j]


def _largest(tokens, arrows):
    """Say for each query where its widest arrow leads, in words that the last bit of a weight does not change."""
    most = sorted({arrow[0]: arrow for arrow in sorted(arrows, key=lambda arrow: round(arrow[-1], 2))}.values())
    return ", ".join(f"{tokens[i]} ({i}) → {tokens[j]} ({j}) {shown(weight)}" for i, j, weight in most)


def _height(i, j):
    return 0.32 + 0.13 * min(abs(i - j), 7)


def _write(axes, x, y, text, color=INK, fontsize=10, **look):
    axes.text(x, y, text, ha="center", va="center_baseline", color=color, fontsize=fontsize, **look)


def _draw_arrow(axes, i, j, weight, side):
    """Draw an arc from token i to token j, above (side 1) or below (side -1), with a head at its end."""
    inward = INWARD if i > j else -INWARD
    start, end, high = i - inward, j + inward, _height(i, j)
    top = BASE + 4 / 3 * high  # the curve rises to three quarters of its control points' height
    points = [(start, BASE), (start, top), (end, top), (end, BASE + TIP)]
    curve = Path([(x, side * y) for x, y in points], [Path.MOVETO, *[Path.CURVE4] * 3])
    colour, width = tint(ROLES["weight"].fill, 0.3 + 0.7 * weight), 0.6 + 6.5 * weight
    for ink, more in ((PAPER, 2.5), (colour, 0)):  # paper around it: where two cross, one passes over the other
        axes.add_patch(PathPatch(curve, fill=False, edgecolor=ink, linewidth=width + more, capstyle="butt"))
    half, base = 0.06 + 0.1 * weight, side * (BASE + TIP)
    axes.add_patch(Polygon([(end - half, base), (end + half, base), (end, side * BASE)], color=colour, linewidth=0))
    _write(axes, (start + end) / 2, side * (BASE + high + 0.16), shown(weight), fontsize=9.5)
