"""Attention inside one row of tokens, as arcs: of one head above the row, of another below it."""

import torch
from matplotlib.patches import PathPatch, Polygon
from matplotlib.path import Path

from companion.pictures.palette import FAINT, INK, MUTED, PAPER, ROLES, tint
from companion.pictures.picture import Picture, canvas, styled
from companion.pictures.words import labelled, two_decimals

NARROW, WIDE, LETTER = 4.7, 7.3, 0.13  # inches of a picture at least and at most, and of a token's letter
LEAST, LARGE = 0.05, 0.5  # a smaller weight is left out; tokens whose arcs weigh that much are bold
BASE, TIP = 0.2, 0.12  # inches from the tokens' middle to the arcs, and the length of an arrow's head
INWARD = 0.14  # tokens from the middle of a token: an arc that starts there and one that ends there stay apart
ABOVE = 0.2  # inches: apart from the caption of a picture above
LINE = 0.22  # inches from one line of words to the next


@styled
def arcs(tokens, heads, follow=None, caption=None, colors=None):
    """Draw what tokens look at in their own row: an arrow from each query to its keys, as wide as the weight.

    heads: {name: {query: its weights}}, the first above the row, a second below; a query is the index of a token;
    the arrows of a head whose name ends with ✗ are gray; colors: {name: color} of those that are not blue;
    follow: queries whose arcs stand out and have their numbers, all of them if not given.
    Weights under 0.05, and what a token gives itself, are not drawn; a head with one query says how much they are.
    Raises ValueError for more than two heads, and for what `labelled` refuses.
    """
    if not 1 <= len(heads) <= 2:
        raise ValueError(f"{len(heads)} heads were given; there is room for one above the row, and one below")
    drawn = {name: _arrows(queries, tokens) for name, queries in heads.items()}
    follow = {i for queries in heads.values() for i in queries} if follow is None else follow
    labels = [_label(queries, drawn[name], follow) for name, queries in heads.items()]
    reach = [
        max([high + LINE * (2.2 + bool(text)), *(BASE + _height(i, j) + TIP for i, j, _ in arrows)])
        for arrows, (_, high, text) in zip(drawn.values(), labels)
    ]
    low = -max([BASE, *reach[1:]])
    longest = max(map(len, tokens))
    wide = max(NARROW, min(WIDE, LETTER * len(tokens) * max(3, longest)))  # no wider than it must: a phone makes it fit
    figure, axes = canvas(wide, reach[0] - low + 0.2 + ABOVE)
    axes.set(xlim=(-0.5, len(tokens) - 0.5), ylim=(low, reach[0] + ABOVE))
    axes.axis("off")
    for (name, arrows), label, side in zip(drawn.items(), labels, (1, -1)):
        for i, j, weight in sorted(arrows, key=lambda arrow: (arrow[0] in follow, arrow[-1] >= LARGE, arrow)):
            color = FAINT if name.endswith("✗") else (colors or {}).get(name, ROLES["weight"].fill)
            _draw_arrow(axes, i, j, weight, side, color, i in follow)
        _name(axes, name, *label, side)
    strong = [arrow for arrows in drawn.values() for arrow in arrows if arrow[-1] >= LARGE and arrow[0] in follow]
    size = min(14, 14 * wide / LETTER / len(tokens) / longest)  # so that no token touches the next
    for position, token in enumerate(tokens):
        joined = any(position in arrow[:2] for arrow in strong)
        style = {"color": INK, "fontweight": "bold"} if joined else {"color": MUTED}
        _write(axes, position, 0, token, fontsize=size, **style)
    facts = [f"{name}: {_largest(tokens, arrows)}" for name, arrows in drawn.items()]
    return Picture(figure, f"Arrows in the row {' '.join(tokens)}. {'; '.join(facts)}.", caption)


def _arrows(queries, tokens):
    """Return (query, key, weight) of each weight that is drawn."""
    rows = [torch.as_tensor(row, dtype=torch.float64) for row in queries.values()]
    rows = labelled("weights", torch.stack(rows), queries, tokens)[0].tolist()
    arrows = [(i, j, weight) for i, row in zip(queries, rows) for j, weight in enumerate(row)]
    return [(i, j, weight) for i, j, weight in arrows if weight >= LEAST and i != j]


def _label(queries, arrows, follow):
    """Return where a head's name stands, over its wide arcs, and what no arc of a single query shows."""
    large = [(i, j) for i, j, weight in arrows if weight >= LARGE and i in follow]
    under = large or [arrow[:2] for arrow in arrows] or [(0, 0)]
    x, high = sum(map(sum, under)) / len(under) / 2, BASE + max(_height(i, j) for i, j in under)
    high -= 0 if large else LINE  # no number stands between
    if len(queries) > 1:  # beyond its last number
        return max(map(sum, large or under)) / 2, high, ""
    ((query, row),) = queries.items()
    row = torch.as_tensor(row).tolist()
    shares = {"itself": row[query], "others": sum(row) - row[query] - sum(weight for *_, weight in arrows)}
    return x, high, ", ".join(f"{name} {two_decimals(share)}" for name, share in shares.items() if share >= LEAST)


def _largest(tokens, arrows):
    """Say for each query where its widest arrow leads, in words that the last bit of a weight does not change."""
    most = sorted({arrow[0]: arrow for arrow in sorted(arrows, key=lambda arrow: round(arrow[-1], 2))}.values())
    return ", ".join(f"{tokens[i]} ({i}) → {tokens[j]} ({j}) {two_decimals(weight)}" for i, j, weight in most)


def _height(i, j):
    return 0.32 + 0.13 * min(abs(i - j), 4)


def _write(axes, x, y, text, color=INK, fontsize=11, ha="center", **style):
    axes.text(x, y, text, ha=ha, va="center_baseline", color=color, fontsize=fontsize, **style)


def _name(axes, name, x, high, text, side):
    """Write a head's name beyond the number of its arc, and beyond that what is not drawn."""
    left, right = axes.get_xlim()
    inches = max(0.045 * len(name), 0.032 * len(text))  # from their middle to their end
    half = inches * (right - left) / axes.figure.get_figwidth()  # in tokens
    x = min(max(x, left + half), right - half)
    _write(axes, x, side * (high + 1.7 * LINE), name, fontsize=12, fontweight="bold")
    if text:
        _write(axes, x, side * (high + 2.7 * LINE), text, MUTED, fontsize=10)


def _draw_arrow(axes, i, j, weight, side, color, followed):
    """Draw a weight as an arc from token i to token j, above (side 1) or below (side -1), with its number."""
    color = tint(color, (0.3 + 0.7 * weight) * (1 if followed else 0.35))
    width = (0.8 + 4.2 * weight) * (1 if followed else 0.6)
    inward = INWARD if i > j else -INWARD
    start, end, high = i - inward, j + inward, _height(i, j)
    top = BASE + 4 / 3 * high  # the curve rises to three quarters of its control points' height
    points = [(start, BASE), (start, top), (end, top), (end, BASE + TIP)]
    curve = Path([(x, side * y) for x, y in points], [Path.MOVETO, *[Path.CURVE4] * 3])
    for ink, wide in ((PAPER, 1.5 * width), (color, width)):  # on paper: of two that cross, one is on top
        axes.add_patch(PathPatch(curve, fill=False, capstyle="butt", edgecolor=ink, linewidth=wide))
    base, half = side * (BASE + TIP), 0.07 * weight + 0.05  # of its head
    axes.add_patch(Polygon([(end - half, base), (end + half, base), (end, side * BASE)], color=color, linewidth=0))
    if not followed:
        return  # among arcs that cross, nobody sees whose number it is
    if weight >= LARGE:
        _write(axes, (i + j) / 2, side * (BASE + high + 0.17), two_decimals(weight), fontweight="bold")
    else:  # beside its head: elsewhere the small arcs of one query run close together
        _write(axes, j, side * (BASE + 0.1), two_decimals(weight), ha="left" if j > i else "right")
