"""Softmax in one pass, live: keys come one by one, and a larger score shrinks all that was kept."""

import math

from companion.pictures.live.base import Live, doubles, six_digits
from companion.pictures.live.still import Drawn, box, draw_text, sheet
from companion.pictures.palette import MUTED, ROLES, tint
from companion.pictures.picture import Picture
from companion.pictures.table import plain_table, role_row
from companion.pictures.words import shown

# The role whose ink each has.
COLUMNS = {"key": "key", "score": "score", "largest": "score", "factor": "score", "sum": "weight", "context": "context"}


def online_softmax(scores, values):
    """Show one query's keys as they come: each is a block as wide as its weight so far and as high as its value.

    It opens at the first key that shrinks what was kept.
    scores, values: (keys,), a number each, finite; no value is below zero.
    Raises ValueError for other shapes or numbers.
    """
    scores, values = doubles(scores, values)
    if scores.ndim != 1 or scores.shape != values.shape or not len(scores):
        raise ValueError(f"scores {tuple(scores.shape)} and values {tuple(values.shape)} must both be (keys,)")
    if not scores.isfinite().all() or not values.isfinite().all() or values.min() < 0:
        raise ValueError("scores and values must be finite, and values not below 0, as they are heights of blocks")
    scores, values = six_digits(scores.tolist()), six_digits(values.tolist())
    steps = _steps(scores, values)
    sentences = [_say(number, steps) for number in range(len(steps))]
    start = next((number for number, step in enumerate(steps) if number and step["factor"] < 1), 0)
    data = {"scores": scores, "values": values, "sentences": sentences, "start": start}
    data["steps"] = [{name: six_digits(number) for name, number in step.items()} for step in steps]
    twin = Drawn(_draw, data, _table(scores, steps))
    return Live("online-softmax", data, twin, lambda quote: sentences[start], "Softmax in one pass")


def _steps(scores, values):
    """Return for each key what is kept once it has been read, and the factor that shrank what was kept before."""
    largest, total, context, steps = -math.inf, 0.0, 0.0, []
    for score, value in zip(scores, values):
        new = max(largest, score)
        factor, weight = math.exp(largest - new), math.exp(score - new)
        total, context, largest = total * factor + weight, context * factor + weight * value, new
        steps.append({"largest": largest, "factor": factor, "weight": weight, "sum": total, "context": context})
    return steps


def _say(number, steps):
    """Say what key `number` does to what was kept, and after the last key what the result is."""
    step, old = steps[number], steps[number - 1]
    added = f"its weight, {shown(step['weight'])}, is added"
    if number == 0:
        sentence = f"Key 0 is the first, so its score is the largest, and {added}."
    elif step["factor"] < 1:
        shrinking = f"exp({shown(old['largest'])} − {shown(step['largest'])}) = {shown(step['factor'])}"
        sentence = f"Key {number} has a larger score: all that was kept shrinks by {shrinking}, and then {added}."
    else:
        sentence = f"Key {number} has no larger score: what was kept stays, and {added}."
    total, context = step["sum"], step["context"]
    result = f" All keys are read: {shown(context)} / {shown(total)} = {shown(context / total)}."
    return sentence + result * (number == len(steps) - 1)


def _table(scores, steps):
    """Return what is kept after each key, one row a key."""
    rows = [role_row(COLUMNS, COLUMNS.values(), "th")]
    for number, (score, step) in enumerate(zip(scores, steps)):
        factor = shown(step["factor"]) if number else "–"
        kept = [shown(step[name]) for name in ("sum", "context")]
        numbers = [f"{number}", shown(score), shown(step["largest"]), factor, *kept]
        rows.append(role_row(numbers, COLUMNS.values()))
    return plain_table(*rows)


def _draw(data):
    """Draw one moment for each key: the blocks once it is read."""
    rows = math.ceil(len(data["steps"]) / 2)
    figure, axes = sheet(684, 236 * rows + 20)
    for read in range(len(data["steps"])):
        _draw_moment(axes, 342 * (read % 2), 236 * (read // 2), data, read)
    legend = "The green line is context / sum, the average so far. Brackets: all before, and what is left of it."
    draw_text(axes, 4, 236 * rows + 8, legend, MUTED, side="left")
    words = (
        "A chart for each key: blocks for the keys so far, each as wide as its weight so far and as high as its value"
    )
    return Picture(figure, f"{words}, and a line at the height of their average. {legend}")


def _draw_moment(axes, x, y, data, read):
    """Draw a block for each key up to one, below brackets as wide as all were before that one, and are."""
    scores, values, steps = (data[name] for name in ("scores", "values", "steps"))
    now, green, floor = steps[read], ROLES["context"], y + 168
    across, up = 220 / max(step["sum"] for step in steps), 94 / (max(values) or 1)
    title = f"key {read}, score {shown(scores[read])}"
    draw_text(axes, x + 4, y + 14, title, ROLES["score"].ink, side="left", fontweight="bold")
    for below, name in ((-14, "value"), (14, "key"), (33, "weight")):
        draw_text(axes, x + 4, floor + below, name, ROLES[name].ink, side="left")
    left = x + 58
    if read and now["factor"] < 1:
        before, blue = steps[read - 1]["sum"], ROLES["weight"].ink
        _bracket(axes, left, y + 34, across * before, "width before", MUTED, linewidth=1, linestyle=":")
        _bracket(axes, left, y + 54, across * before * now["factor"], f"× {shown(now['factor'])}", blue, linewidth=1.5)
    for j, (score, value) in enumerate(zip(scores[: read + 1], values)):
        weight = math.exp(score - now["largest"])
        style = {"edge": green.ink, "linewidth": 2 if j == read else 1}
        box(axes, left, floor - up * value, across * weight, up * value, tint(green.fill, 0.12), **style)
        for below, text, role in ((-14, f"{value:g}", "value"), (14, f"{j}", "key"), (33, shown(weight), "weight")):
            draw_text(axes, left + across * weight / 2, floor + below, text, ROLES[role].ink, path_effects=[])
        left += across * weight
    height = now["context"] / now["sum"]
    axes.plot([x + 58, left], [floor - up * height] * 2, color=green.ink, linestyle=(0, (3, 1.5)), linewidth=2)
    draw_text(axes, left + 8, floor - up * height, f"= {shown(height)}", green.ink, side="left", fontweight="bold")


def _bracket(axes, x, y, wide, text, ink, **style):
    """Draw a bracket of that width, open below, and a text at its right."""
    axes.plot([x, x, x + wide, x + wide], [y + 9, y, y, y + 9], color=ink, **style)
    draw_text(axes, x + wide + 6, y + 4, text, ink, size=12, side="left")
