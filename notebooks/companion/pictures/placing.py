"""Finds room for a picture's words, where each covers the least of what is drawn and written already, and for dots."""

import itertools
import math

import numpy as np


def half(written):
    """Return half the width and half the height of a text, in pixels."""
    return [side / 2 for side in written.get_window_extent().size]


def around(x, y, wide, high):
    """Return the box around a point, (left, right, low, high), from half its width and half its height."""
    return x - wide, x + wide, y - high, y + high


def settle(written, positions, taken):
    """Move a text to the first of the best positions, pixels of its middle, add its box to `taken`, and return it.

    taken: boxes. A position outside the axes is the worst.
    """
    wide, high = half(written)
    frame, boxes = written.axes.get_window_extent().padded(-5), np.array(taken).T
    costs = [_covered(around(*position, wide, high), boxes, frame) for position in positions]
    position = positions[costs.index(min(costs))]
    taken.append(around(*position, wide + 2, high + 1))
    written.set_position(written.axes.transData.inverted().transform(position))
    return position


def _covered(box, boxes, frame):
    """Return how much of a box is taken already, or lies outside the frame."""
    left, right, low, high = box
    outside = max(0, frame.x0 - left) + max(0, right - frame.x1) + max(0, frame.y0 - low) + max(0, high - frame.y1)
    across = (np.minimum(right, boxes[1]) - np.maximum(left, boxes[0])).clip(0)
    up = (np.minimum(high, boxes[3]) - np.maximum(low, boxes[2])).clip(0)
    return across @ up + 1000 * outside


def swarm(numbers, near):
    """Return for each number how many dots it stands aside, so that no dot covers another and all lie in the middle.

    near: how far apart numbers are whose dots touch.
    """
    order = sorted(range(len(numbers)), key=numbers.__getitem__)
    aside, crowd, middle = {}, [], [0.0] * len(numbers)
    for k, after in zip(order, [*order[1:], None]):
        ways = (side * step / 2 for step in itertools.count() for side in (1, -1))
        gaps = [(other, (numbers[k] - numbers[j]) / near) for j, other in aside.items()]
        aside[k] = next(x for x in ways if all(math.hypot(x - other, gap) >= 1 for other, gap in gaps))
        crowd.append(k)
        if after is None or numbers[after] - numbers[k] >= near:  # no dot behind it is near
            center = sum(f(aside[j] for j in crowd) for f in (min, max)) / 2
            for j in crowd:
                middle[j] = aside[j] - center
            crowd = []
    return middle
