"""Positions as the hands of clocks, live: one clock for each pair of features, from a fast hand to a slow one."""

import math

import torch
from matplotlib.patches import Circle

from companion.pictures.live.base import Live, doubles, six_digits
from companion.pictures.live.still import Drawn, draw_text, sheet
from companion.pictures.palette import EDGE, GRID, INK, MUTED, PAPER, ROLES, tint
from companion.pictures.picture import Picture
from companion.pictures.table import plain_table, role_row
from companion.pictures.words import shown
from utils.positions import BASE

MOST = 16  # positions between a query and a key


def position_clocks(d_model, *, position=0):
    """Show a position's sinusoidal encoding, (d_model,), as hands that turn while the position moves from 0 to 63.

    A hand at 12 o'clock is at the angle 0; its sine and cosine are how far it reaches to the right and up.
    Raises ValueError if d_model is odd.
    """
    speeds = _speeds(d_model)
    hands = {"input": [[1, 0]] * len(speeds)}
    angles = [position * speed for speed in speeds]
    rows = [[f"sin {shown(math.sin(angle))}", f"cos {shown(math.cos(angle))}"] for angle in angles]
    first, last = (shown(angle / math.tau) for angle in (angles[0], angles[-1]))
    text = f"At position {position}, the fastest hand has made {first} rounds, and the slowest {last}."
    twin = _table(speeds, rows, "input", f"position {position}")
    data = {"hands": hands, "position": position, "distance": 0, "most": 63}
    return _live(data, speeds, twin, text, "One clock for each pair of features")


def jump_clocks(head_dim, jump, trained):
    """Show how far a jump of the positions turns each pair of rotary features, up to a jump of 63.

    trained: the largest distance of a query and a key in training, which is how far the pale slices reach; dark ones
    reach from there to the hand, the shorter way. Raises ValueError if head_dim is odd.
    """
    speeds = _speeds(head_dim)
    data = {"hands": {"input": [[1, 0]] * len(speeds)}, "position": jump, "distance": 0, "most": 63, "trained": trained}
    twin = _table(speeds, [_turned(speed, jump, trained) for speed in speeds], "input", f"a jump of {jump}")
    text = f"After a jump of {jump}, the hands stand at {', '.join(_degrees(s * jump) for s in speeds)}."
    return _live(data, speeds, twin, text, "How far a jump turns each pair")


def _turned(speed, jump, trained):
    met = "all around" if speed * trained > math.tau else f"to {_degrees(speed * trained)}"
    return [_degrees(speed * jump), f"trained {met}"]


def _degrees(angle):
    return f"{round(math.degrees(angle % math.tau))}°"


def _unmet(angle, met):
    """Return where the angles that were met in training end, and the turn from there to this one, the shorter way."""
    angle %= math.tau
    if angle <= met:
        return angle, 0
    return (met, angle - met) if angle - met < math.tau - angle else (0, angle - math.tau)


def clocks(query, key, *, speeds=None, position=0, distance=1):
    """Show a query and a key as two hands on each clock: the angle between them is left, and it makes the score.

    query, key: (head_dim,) at position 0; pair i is feature i, upwards, with feature i + head_dim / 2, to the right, as
    `rotate` pairs them; speeds: radians a position of each pair, those of `rotate` if not given; position: of the
    earlier of the two; distance: of the key from the query.
    Raises ValueError for shapes that do not fit.
    """
    query, key = doubles(query, key)
    speeds = _speeds(len(query)) if speeds is None else speeds
    if query.shape != key.shape or tuple(query.shape) != (2 * len(speeds),):
        shapes = f"query has shape {tuple(query.shape)} and key {tuple(key.shape)}"
        raise ValueError(f"{shapes}, but {len(speeds)} speeds need ({2 * len(speeds)},) for both")
    hands = {role: _hands(features) for role, features in (("query", query), ("key", key))}
    rows, score = [], 0
    for speed, (length, angle), (other, ahead) in zip(speeds, *hands.values()):
        turn = ahead - angle + speed * distance
        part, degrees = length * other * math.cos(turn), abs(math.degrees(math.remainder(turn, math.tau)))
        rows.append([f"angle {degrees:.1f}°"] + [f"adds {shown(part)}"] * (len(speeds) > 1))
        score += part
    places = position + max(0, -distance), position + max(0, distance)
    text = f"Query at position {places[0]}, key at position {places[1]}: the score is {shown(score)}."
    twin = _table(speeds, rows, "score", f"score {shown(score)}")
    data = {"hands": hands, "position": position, "distance": distance, "most": MOST}
    return _live(data, speeds, twin, text, "Query and key as hands of clocks")


def _speeds(size):
    if size < 2 or size % 2:
        raise ValueError(f"{size} features cannot be paired; choose an even number")
    return [BASE ** (-2 * pair / size) for pair in range(size // 2)]


def _hands(features):
    """Return length and angle of each pair, clockwise from 12 o'clock."""
    up, right = features.chunk(2)
    return six_digits(torch.stack([torch.hypot(up, right), torch.atan2(right, up)], dim=-1).tolist())


def _live(data, speeds, twin, text, title):
    data["slowness"] = six_digits([1 / speed for speed in speeds])
    return Live("clocks", data, Drawn(_draw, data, twin), lambda quote: text, title, ("drag",))


def _table(speeds, rows, role, caption):
    rows = [[f"a round in {round(math.tau / speed):,}", *row] for speed, row in zip(speeds, rows)]
    return plain_table(*(role_row(row, [role] * 3) for row in rows), caption=caption, role=role)


def _draw(data):
    """Draw a clock for each pair of features, and where there are two hands, their score at every distance."""
    speeds, distance = [1 / slow for slow in data["slowness"]], data["distance"]
    places = [data["position"] + max(0, -distance), data["position"] + max(0, distance)]
    two = len(data["hands"]) > 1
    size = 150 if len(speeds) < 5 and not two else 116 if len(speeds) > 1 else 200
    rows = math.ceil(len(speeds) / 8)
    wide = (size + 6) * min(8, len(speeds))
    figure, axes = sheet(wide + 430 * two, max(190 * two, rows * (size + 46 + 17 * ("trained" in data))))
    longest = max(length for hand in data["hands"].values() for length, _ in hand) or 1
    for pair, speed in enumerate(speeds):
        x, y = (size + 6) * (pair % 8 + 0.5), size / 2 + 3 + pair // 8 * (size + 46)
        hands = [
            (role, pairs[pair][0] / longest, pairs[pair][1] + speed * at)
            for (role, pairs), at in zip(data["hands"].items(), places)
        ]
        _draw_clock(axes, x, y, size / 2 - 8, hands, speed * data["trained"] if "trained" in data else None)
        draw_text(axes, x, y + size / 2 + 6, f"a round in {round(math.tau / speed):,}", MUTED, size=11)
        if "trained" in data:
            for row, text in enumerate(_turned(speed, places[0], data["trained"])):
                draw_text(axes, x, y + size / 2 + 26 + 17 * row, text, MUTED if row else INK, size=11 if row else 14)
        elif not two:
            angle = hands[0][2]
            text = f"sin {shown(math.sin(angle))}  cos {shown(math.cos(angle))}"
            draw_text(axes, x, y + size / 2 + 26, text, ROLES["input"].ink, size=11)
    if two:
        _draw_score(axes, data, speeds, wide + 60)
    if two:
        angle = "Query and key are two hands of a clock, and both turn with their positions"
        return Picture(figure, f"{angle}. The score, a curve, depends on their distance alone.")
    if "trained" in data:
        turned = ", ".join(" ".join(_turned(speed, places[0], data["trained"])) for speed in speeds)
        return Picture(figure, f"Clocks, turned by a jump of {places[0]}: {turned}.")
    first, last = (math.degrees(data["position"] * speed) for speed in (speeds[0], speeds[-1]))
    turned = (
        f"the first of {len(speeds)} hands has gone round {int(first / 360)} times, the last has turned by {last:.0f}°"
    )
    return Picture(figure, f"At position {data['position']}, {turned}.")


def _draw_clock(axes, x, y, radius, hands, met=None):
    """Draw one clock with its hands, each (role, length, angle): between two the angle, at one its sine and cosine.

    met: the angles up to which training turned it, which are then drawn instead.
    """
    axes.add_patch(Circle((x, y), radius, facecolor=PAPER, edgecolor=EDGE, linewidth=1.3))
    for hour in range(12):
        right, up = (radius * turn(hour * math.tau / 12) for turn in (math.sin, math.cos))
        axes.plot([x + 0.93 * right, x + right], [y - 0.93 * up, y - up], color=EDGE, linewidth=1)
    tips = [(x + 0.85 * radius * r * math.sin(a), y - 0.85 * radius * r * math.cos(a)) for _, r, a in hands]
    (_, _, angle), *others = hands

    def fill(start, turn, reach, color):
        arc = [start + turn * step / 60 for step in range(61)]
        rim = [(x + reach * radius * math.sin(a), y - reach * radius * math.cos(a)) for a in arc]
        axes.fill(*zip((x, y), *rim), color=color, linewidth=0)

    if others:
        fill(angle, math.remainder(others[0][2] - angle, math.tau), 0.35, tint(ROLES["score"].fill, 0.3))
    elif met is not None:
        fill(0, min(met, math.tau), 0.85, tint(ROLES["score"].fill, 0.3))
        fill(*_unmet(angle, met), 0.85, ROLES["score"].fill)
    else:
        axes.fill([x, x, tips[0][0]], [y, tips[0][1], tips[0][1]], facecolor=GRID, edgecolor=EDGE)
    for (role, _, a), tip in zip(hands, tips):
        color = ROLES[role].fill if others else ROLES[role].ink
        style = {"arrowstyle": "-|>", "color": color, "linewidth": 2.2, "shrinkA": 0, "shrinkB": 0}
        axes.annotate("", tip, (x, y), arrowprops=style)
        if others:
            away = tip[0] + 16 * math.sin(a), tip[1] - 12 * math.cos(a)
            draw_text(axes, *away, role if radius > 60 else role[0], ROLES[role].ink, size=12, fontweight="bold")
    axes.plot(x, y, "o", color=INK, markersize=4, zorder=6)


def _draw_score(axes, data, speeds, left):
    """Draw the score at every distance as a curve, with a dot at each whole one and a large dot at the present one."""

    def score(distance):
        pairs = zip(speeds, data["hands"]["query"], data["hands"]["key"])
        return sum(r * s * math.cos(b - a + speed * distance) for speed, (r, a), (s, b) in pairs)

    most, blue = data["most"], ROLES["score"].fill
    apart = [step / 4 - most for step in range(8 * most + 1)]
    low, top = min(0, *map(score, apart)), max(0, *map(score, apart))

    def spot(distance, number):
        return left + 180 + 172 * distance / most, 152 - 124 * (number - low) / (top - low or 1)

    axes.plot(*zip(*(spot(distance, score(distance)) for distance in apart)), color=blue, linewidth=1.3)
    axes.plot(*zip(*(spot(distance, score(distance)) for distance in apart[::4])), "o", color=blue, markersize=3.5)
    axes.plot(*zip(spot(-most, 0), spot(most, 0)), color=EDGE, linewidth=0.8)
    axes.plot(*spot(data["distance"], score(data["distance"])), "o", color=blue, markersize=9)
    for number in dict.fromkeys((low, 0, top)):
        draw_text(axes, left, spot(0, number)[1], shown(number), MUTED, size=11, side="right")
    for side, distance in (("left", -most), ("center", 0), ("right", most)):
        label = f"key {'later' if distance > 0 else 'earlier'} by {most}" if distance else "distance 0"
        draw_text(axes, spot(distance, 0)[0], 176, label, MUTED, size=11, side=side)
    draw_text(axes, left, 10, "score", ROLES["score"].ink, size=12)
