"""What "minute" asks, what each word offers and what it hands over: a head's vectors, drawn in the plane."""

import math
from itertools import product

import numpy as np
import torch

from companion.pictures.palette import GRID, PAPER, ROLES
from companion.pictures.picture import Picture, panels, styled
from companion.pictures.words import largest_first
from companion.which_minute.sentences import VOCABULARY

SHRINK = {  # the query is drawn as many times shorter: the first that leaves it not too long; and what is left of it
    1: "all",
    2: "half",
    3: "a third",
    4: "a quarter",
    5: "a fifth",
    8: "an eighth",
    10: "a tenth",
    20: "a twentieth",
}
TURNS, GAPS = (0, 25, -25, 50, -50, 75, -75, 100, -100), (3, 14, 26, 38, 50)  # where a label may go: degrees, points


@styled
def roles(head, words, title=None):
    """Draw the query of "minute" and each word's key in one plane, and each word's value in another.

    head: a `WhichMinute`; words: a sentence with "minute", or some of its words.
    """
    with torch.no_grad():
        inputs = head.embedding(torch.tensor(VOCABULARY.encode(words)))
        key, value = (layer(inputs).tolist() for layer in (head.attend.W_key, head.attend.W_value))
        query = head.attend.W_query(inputs)[words.index("minute")].tolist()
    figure = panels(7.6, 4.1 if title is None else 4.4, title, 2)
    left, right = figure.axes
    part = _part(query, key)
    end = [number / part for number in query]
    offers, gives = ([(word, vector) for word, vector in zip(words, vectors)] for vectors in (key, value))
    _set_up(left, "what “minute” asks, what each word offers", [end, *key])
    _set_up(right, "what each word hands over", value)
    left.axline((0, 0), end, color=ROLES["query"].fill, linewidth=1, linestyle=(0, (1, 3)), zorder=0)
    drawn = [(left, "key", *each) for each in offers] + [(right, "value", *each) for each in gives]
    drawn.append((left, "query", "query of “minute”", end))
    # The farthest choose the places of their labels first; the query, whose line shows whose it is, comes last.
    drawn.sort(key=lambda each: (each[1] == "query", -math.hypot(*each[3])))
    for axes, role, _, tip in drawn:
        _draw_arrow(axes, role, tip)
    figure.draw_without_rendering()  # settles the layout, in which labels find room
    for axes in (left, right):
        _label(axes, [(role, text, tip) for each, role, text, tip in drawn if each is axes])
    says = _says(words, query, key, part)
    return Picture(figure, says, says)


def _part(query, key):
    """Return by how much the query is too long to be drawn beside the keys."""
    longest = max(math.hypot(*vector) for vector in key)
    return next((part for part in SHRINK if math.hypot(*query) / part <= 1.2 * longest), max(SHRINK))


def _set_up(axes, title, vectors):
    ends = [(min(0, *numbers), max(0, *numbers)) for numbers in zip(*vectors)]
    reach = 0.76 * max(high - low for low, high in ends)
    across, up = (((low + high) / 2 - reach, (low + high) / 2 + reach) for low, high in ends)
    axes.set_title(title, fontsize=10)
    axes.set(xlim=across, ylim=up, aspect="equal", xticks=[], yticks=[])
    axes.axhline(0, color=GRID, zorder=0)
    axes.axvline(0, color=GRID, zorder=0)
    axes.spines[["top", "right"]].set_visible(True)


def _draw_arrow(axes, role, tip):
    width = 3 if role == "query" else 1.8
    look = {"arrowstyle": "-|>", "color": ROLES[role].fill, "linewidth": width, "shrinkA": 0, "shrinkB": 0}
    axes.annotate("", tip, (0, 0), arrowprops=look)


# ---- labels: each beside its arrow's tip, where it covers neither an arrow nor another label ----


def _label(axes, arrows):
    """Write the name of each arrow, (role, text, tip), near its tip; farther away, a thin line leads to it."""
    origin, *tips = axes.transData.transform([(0, 0), *(tip for *_, tip in arrows)])
    frame, point = axes.get_window_extent(), axes.figure.dpi / 72
    taken = [_around(*origin + share * (tip - origin), 3, 3) for tip in tips for share in np.linspace(0, 1, 40)]
    for (role, text, _), tip in zip(arrows, tips):
        look = {"color": ROLES[role].ink, "fontsize": 10, "fontweight": "bold", "ha": "center", "va": "center"}
        written = axes.text(0, 0, text, **look, in_layout=False, zorder=5)
        wide, high = (side / 2 for side in written.get_window_extent().size)
        toward = math.atan2(*(tip - origin)[::-1])
        ways = [(gap * point, toward + math.radians(turn)) for gap, turn in product(GAPS, TURNS)]
        places = [_beside(tip, wide, high, *way) for way in ways]
        costs = [_covered(_around(*place, wide, high), taken, frame) for place in places]
        place = places[costs.index(min(costs))]  # the first of the best
        taken.append(_around(*place, wide + 2, high + 1))
        lead = axes.transData.inverted().transform([tip, place])
        written.set_position(lead[1])
        if math.dist(tip, place) > wide + 12 * point:
            axes.plot(*lead.T, color=ROLES[role].ink, linewidth=0.6, zorder=1)
            written.set_bbox({"facecolor": PAPER, "edgecolor": "none", "pad": 1})


def _around(x, y, wide, high):
    return x - wide, x + wide, y - high, y + high


def _beside(tip, wide, high, gap, angle):
    """Return where a label's middle lies, so that the label begins `gap` beyond a tip in a direction."""
    x, y = math.cos(angle), math.sin(angle)
    return tip[0] + x * (gap + wide), tip[1] + y * (gap + high)


def _covered(box, taken, frame):
    """Return how much of a box is taken already, or lies outside the frame."""
    left, right, low, high = box
    outside = max(0, frame.x0 - left) + max(0, right - frame.x1) + max(0, frame.y0 - low) + max(0, high - frame.y1)
    shared = sum(max(0, min(right, b) - max(left, a)) * max(0, min(high, d) - max(low, c)) for a, b, c, d in taken)
    return shared + 1000 * outside


def _says(words, query, key, part):
    along = [x * query[0] + y * query[1] for x, y in key]
    order = largest_first(along)
    best, last = order[0], order[-1]
    drawn = f" (The query is drawn at {SHRINK[part]} of its length, to fit.)" if part > 1 else ""
    turned = along[last] < 0 and last != best
    against = f", and what “{words[last]}” offers points farthest the other way" if turned else ""
    return f"What “{words[best]}” offers, its key, lies farthest along what “minute” asks, its query{against}.{drawn}"
