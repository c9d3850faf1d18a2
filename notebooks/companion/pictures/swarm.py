"""Room for dots that would cover each other."""

import itertools
import math


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
