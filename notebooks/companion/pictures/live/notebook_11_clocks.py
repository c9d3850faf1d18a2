"""Positions as the hands of clocks, live: one clock for each pair of features, from a fast hand to a slow one."""

import math

import torch

from companion.pictures.live.base import Live, doubles, six_digits
from companion.pictures.table import plain_table, role_row
from companion.pictures.words import two_decimals
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
    rows = [[f"sin {two_decimals(math.sin(angle))}", f"cos {two_decimals(math.cos(angle))}"] for angle in angles]
    first, last = (two_decimals(angle / math.tau) for angle in (angles[0], angles[-1]))
    text = f"At position {position}, the fastest hand has made {first} rounds, and the slowest {last}."
    table = _table(speeds, rows, "input", f"position {position}")
    data = {"hands": hands, "position": position, "distance": 0, "most": 63}
    return _live(data, speeds, table, text, "One clock for each pair of features")


def jump_clocks(head_dim, jump, trained):
    """Show how far a jump of the positions turns each pair of rotary features, up to a jump of 63.

    trained: the largest distance of a query and a key in training, which is how far the pale slices reach; dark ones
    reach from there to the hand, the shorter way. Raises ValueError if head_dim is odd.
    """
    speeds = _speeds(head_dim)
    data = {"hands": {"input": [[1, 0]] * len(speeds)}, "position": jump, "distance": 0, "most": 63, "trained": trained}
    table = _table(speeds, [_turned(speed, jump, trained) for speed in speeds], "input", f"a jump of {jump}")
    text = f"After a jump of {jump}, the hands stand at {', '.join(_degrees(s * jump) for s in speeds)}."
    return _live(data, speeds, table, text, "How far a jump turns each pair")


def _turned(speed, jump, trained):
    met = "all around" if speed * trained > math.tau else f"to {_degrees(speed * trained)}"
    return [_degrees(speed * jump), f"trained {met}"]


def _degrees(angle):
    return f"{round(math.degrees(angle % math.tau))}°"


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
        rows.append([f"angle {degrees:.1f}°"] + [f"adds {two_decimals(part)}"] * (len(speeds) > 1))
        score += part
    places = position + max(0, -distance), position + max(0, distance)
    text = f"Query at position {places[0]}, key at position {places[1]}: the score is {two_decimals(score)}."
    table = _table(speeds, rows, "score", f"score {two_decimals(score)}")
    data = {"hands": hands, "position": position, "distance": distance, "most": MOST}
    return _live(data, speeds, table, text, "Query and key as hands of clocks")


def _speeds(size):
    if size < 2 or size % 2:
        raise ValueError(f"{size} features cannot be paired; choose an even number")
    return [BASE ** (-2 * pair / size) for pair in range(size // 2)]


def _hands(features):
    """Return length and angle of each pair, clockwise from 12 o'clock."""
    up, right = features.chunk(2)
    return six_digits(torch.stack([torch.hypot(up, right), torch.atan2(right, up)], dim=-1).tolist())


def _live(data, speeds, table, text, title):
    data["slowness"] = six_digits([1 / speed for speed in speeds])
    return Live("clocks", data, table, text, title, ("drag",))


def _table(speeds, rows, role, caption):
    rows = [[f"a round in {round(math.tau / speed):,}", *row] for speed, row in zip(speeds, rows)]
    return plain_table(*(role_row(row, [role] * 3) for row in rows), caption=caption, role=role)
