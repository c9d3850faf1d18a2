"""What "minute" asks, what each word offers and what it hands over: a head's vectors, drawn in the plane."""

import math
from itertools import product

import numpy as np
import torch

from companion.pictures.palette import EDGE, GRID, MUTED, PAPER, ROLES, tint
from companion.pictures.picture import Picture, panels, styled
from companion.pictures.placing import around, half, settle
from companion.pictures.words import largest_first, shown
from companion.which_minute.sentences import MEANINGS, VOCABULARY

TURNS = (0, 25, -25, 50, -50, 75, -75, 100, -100)  # where a name may go, seen from its arrow: degrees
GAPS = (3, 14, 26, 38, 50)  # and how far from its tip: points
ORDER = ("query", "key", "value", "context")  # in which names are written
IN_THE_MIDDLE = {"ha": "center", "va": "center", "in_layout": False, "zorder": 5}


@styled
@torch.no_grad()
def roles(head, words):
    """Draw the query of "minute" and each word's key in one plane, and each word's value in another.

    The more weight a word gets, the stronger its arrows. The values lie in the areas of the head's answers, and so
    does the context that they make.
    head: a `WhichMinute`; words: a sentence with "minute", or some of its words.
    """
    inputs = head.embedding(torch.tensor(VOCABULARY.encode(words)))
    query, key, value = (layer(inputs) for layer in (head.attend.W_query, head.attend.W_key, head.attend.W_value))
    query = query[words.index("minute")]
    weights = torch.softmax(key @ query / len(query) ** 0.5, dim=-1)
    context, weights = weights @ value, weights.tolist()
    found = largest_first(weights)[0]
    part = math.ceil(query.norm() / key.norm(dim=1).max() / 1.2)  # by how much the query is too long for its plane
    figure = panels(6.2, 3.6, None, 2)
    left, right = figure.axes
    _set_up(left, f"“minute” asks, “{words[found]}” fits best", torch.cat([query[None] / part, key]))
    _set_up(right, f"so “{words[found]}” hands over most", value)
    left.set_xlabel("dotted: where the query points", loc="left", color=MUTED)
    right.set_xlabel("areas: what the head would answer", loc="left", color=MUTED)
    left.axline((0, 0), (query / part).tolist(), color=ROLES["query"].fill, linestyle=(0, (1, 3)), zorder=0)
    foot = query * (key[found] @ query) / (query @ query)  # how far along the query the best key lies
    left.plot(*torch.stack([key[found], foot]).T, color=ROLES["key"].ink, linestyle=(0, (3, 2)), linewidth=1.2)
    figure.draw_without_rendering()  # settles the layout, in which labels find room
    weight = shown(weights[found])
    names = [f"{word} {weight}" if place == found else word for place, word in enumerate(words)]
    asks = f"query ÷ {part}" if part > 1 else "query"
    _draw(left, [("query", asks, query / part, 1), *(("key", *each) for each in zip(names, key, weights))])
    values = [("value", *each) for each in zip(names, value, weights)]
    taken = _draw(right, [*values, ("context", "context", context, 1)])
    _name_areas(right, head, taken)
    answer = MEANINGS[head.answer(context[None]).argmax()]
    caption, besides = _says(words, (key @ query).tolist(), weight, part, answer)
    return Picture(figure, caption + besides, caption)


def _set_up(axes, title, vectors):
    reach = 10 ** (math.ceil(4 * vectors.abs().max().log10()) / 4)  # in wide steps: two sentences get the same
    axes.set_title(title, fontsize=11)
    axes.set(xlim=(-reach, reach), ylim=(-reach, reach), aspect="equal", xticks=[], yticks=[])
    axes.axhline(0, color=GRID, zorder=0)
    axes.axvline(0, color=GRID, zorder=0)
    axes.spines[["top", "right"]].set_visible(True)


def _name_areas(axes, head, taken):
    """Draw where the head's answer changes, and write each answer into its area."""
    side = torch.linspace(*axes.get_xlim(), 41)
    points = torch.cartesian_prod(side, side)
    answers = head.answer(points)
    for meaning, own in zip(MEANINGS, answers.T):
        lead = own - answers.where(answers != own[:, None], -math.inf).amax(dim=1)
        area = points[lead > 0]
        if not len(area):  # of a head that has not learned
            continue
        axes.contour(side, side, lead.view(41, 41).T, levels=[0], colors=EDGE, linewidths=1.2, zorder=0)
        outward = (area - 1.6 * area.mean(dim=0)).norm(dim=1).argsort()  # the middle is for the arrows
        written = axes.text(0, 0, meaning, color=MUTED, fontsize=13, fontweight="bold", **IN_THE_MIDDLE)
        settle(written, axes.transData.transform(area[outward]).tolist(), taken)


def _draw(axes, arrows):
    """Draw arrows from the origin, each (role, name, tip, weight), and return what they and their names cover."""
    arrows = sorted(arrows, key=lambda arrow: (ORDER.index(arrow[0]), -arrow[2].norm()))  # the farthest choose first
    origin, *tips = axes.transData.transform([(0, 0), *(tip.tolist() for *_, tip, _ in arrows)])
    taken = []
    for (role, _, tip, weight), end in zip(arrows, tips):
        look = {"arrowstyle": "-|>", "color": tint(ROLES[role].fill, 0.65 + 0.35 * weight), "shrinkA": 0, "shrinkB": 0}
        if role == "context":
            axes.plot(*tip, "D", color=ROLES[role].fill, markeredgecolor=PAPER, markersize=9, zorder=4)
            taken.append(around(*end, 7, 7))
            continue
        axes.annotate("", tip.tolist(), (0, 0), arrowprops={**look, "linewidth": 1.6 + 2 * weight})
        shares = np.linspace(-3, 3, 240) if role == "query" else np.linspace(0, 1, 40)  # the query's line goes on
        taken += [around(*origin + share * (end - origin), 3, 3) for share in shares]
    for (role, name, _, weight), end in zip(arrows, tips):
        _name(axes, name, ROLES[role].ink, weight > 0.5, end, end - origin, taken)
    return taken


def _name(axes, name, ink, strong, end, along, taken):
    """Write an arrow's name near its tip; farther away, a thin line leads to it."""
    look = {"color": ink, "fontsize": 11, "fontweight": "bold" if strong else "normal"}
    written, point = axes.text(0, 0, name, **look, **IN_THE_MIDDLE), axes.figure.dpi / 72
    wide, high = half(written)
    ways = [(gap * point, math.atan2(*along[::-1]) + math.radians(turn)) for gap, turn in product(GAPS, TURNS)]
    places = [end + (math.cos(way) * (gap + wide), math.sin(way) * (gap + high)) for gap, way in ways]
    place = settle(written, places, taken)
    gap = place - end
    if math.hypot(*gap) > wide + 12 * point:
        edge = place - gap * min(wide / abs(gap[0]), high / abs(gap[1]))
        axes.plot(*axes.transData.inverted().transform([end, edge]).T, color=ink, linewidth=0.6, zorder=1)


def _says(words, along, weight, part, answer):
    """Return a caption, and what a reader who cannot see the picture needs besides."""
    order = largest_first(along)
    best, last = order[0], order[-1]
    drawn = f" (The query is {part} times as long as it is drawn.)" if part > 1 else ""
    caption = (
        f"The key of “{words[best]}” lies farthest along the query, so it gets the weight {weight}, "
        f"and the context lies in the area “{answer}”."
    )
    turned = along[last] < 0 and last != best
    return caption + drawn, f" The key of “{words[last]}” points farthest the other way." if turned else ""
