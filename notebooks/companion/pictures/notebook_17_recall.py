"""What models that look letters up have found, way by way: softmax blue, a sum gray, the delta rule green."""

from companion.pictures.palette import ROLES
from companion.pictures.spread import spread

COLORS = {"softmax": ROLES["weight"].fill, "sum": ROLES["input"].ink, "delta": ROLES["context"].fill}


def recalled(found, level, level_name, caption=None):
    """Show for each way how many of 100 answers are right, a dot for each seed, beside a level to compare with.

    found: {group: {name: percents}}, where a name begins with "softmax", "sum" or "delta".
    """
    colors = {name: COLORS[name.split(",")[0]] for group in found.values() for name in group}
    words = "% right, a dot for each seed"
    return spread(found, words, (level, level), level_name, caption, colors=colors, of=100)
