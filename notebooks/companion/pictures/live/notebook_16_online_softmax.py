"""Softmax in one pass, live: keys come one by one, and a larger score shrinks all that was kept."""

import math

from companion.pictures.live.base import Live, doubles, six_digits
from companion.pictures.table import plain_table, role_row
from companion.pictures.words import two_decimals

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
    sentences = [_says(number, steps) for number in range(len(steps))]
    start = next((number for number, step in enumerate(steps) if number and step["factor"] < 1), 0)
    data = {"scores": scores, "values": values, "sentences": sentences, "start": start}
    data["steps"] = [{name: six_digits(number) for name, number in step.items()} for step in steps]
    return Live("online-softmax", data, _table(scores, steps), sentences[start], "Softmax in one pass")


def _steps(scores, values):
    """Return for each key what is kept once it has been read, and the factor that shrank what was kept before."""
    largest, total, context, steps = -math.inf, 0.0, 0.0, []
    for score, value in zip(scores, values):
        new = max(largest, score)
        factor, weight = math.exp(largest - new), math.exp(score - new)
        total, context, largest = total * factor + weight, context * factor + weight * value, new
        steps.append({"largest": largest, "factor": factor, "weight": weight, "sum": total, "context": context})
    return steps


def _says(number, steps):
    """Say what key `number` does to what was kept, and after the last key what the result is."""
    step, old = steps[number], steps[number - 1]
    added = f"its weight, {two_decimals(step['weight'])}, is added"
    if number == 0:
        sentence = f"Key 0 is the first, so its score is the largest, and {added}."
    elif step["factor"] < 1:
        shrinking = (
            f"exp({two_decimals(old['largest'])} − {two_decimals(step['largest'])}) = {two_decimals(step['factor'])}"
        )
        sentence = f"Key {number} has a larger score: all that was kept shrinks by {shrinking}, and then {added}."
    else:
        sentence = f"Key {number} has no larger score: what was kept stays, and {added}."
    total, context = step["sum"], step["context"]
    result = f" All keys are read: {two_decimals(context)} / {two_decimals(total)} = {two_decimals(context / total)}."
    return sentence + result * (number == len(steps) - 1)


def _table(scores, steps):
    """Return what is kept after each key, one row a key."""
    rows = [role_row(COLUMNS, COLUMNS.values(), "th")]
    for number, (score, step) in enumerate(zip(scores, steps)):
        factor = two_decimals(step["factor"]) if number else "–"
        kept = [two_decimals(step[name]) for name in ("sum", "context")]
        numbers = [f"{number}", two_decimals(score), two_decimals(step["largest"]), factor, *kept]
        rows.append(role_row(numbers, COLUMNS.values()))
    return plain_table(*rows)
