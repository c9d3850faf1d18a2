"""One word in two sentences, live: its two contexts are one arrow, until attention sets in."""

import torch

from companion.pictures.live.base import Live, doubles, six_digits
from companion.pictures.live.plane import plane_reach
from companion.pictures.table import label, plain_table, role_row
from companion.pictures.words import labelled, two_decimals


def parting(weights, value, sentences, position):
    """Show how one word's contexts in two sentences part, as its weights go from itself alone to the given ones.

    weights: (2, keys), the word's in each sentence; value: (2, keys, 2); sentences: two lists of tokens, as long as
    each other; position: of the word in both, with the same value in both.
    Raises ValueError for shapes that do not fit, values of the word that differ, or a largest number of the values
    that is not between 0.1 and 10.
    """
    weights, value = doubles(weights, value)
    _check(weights, value, sentences, position)
    sentences = [labelled("weights", row[None], ["context"], words)[2] for row, words in zip(weights, sentences)]
    data = {"weights": six_digits(weights.tolist()), "value": six_digits(value.tolist()), "sentences": sentences}
    data |= {"place": position, "reach": plane_reach(value)}
    contexts = (weights[:, None] @ value)[:, 0]
    angle, distance = f"{_angle(*contexts):.1f}°", two_decimals((contexts[0] - contexts[1]).norm().item())

    def says(quote):
        contexts_of = f"With attention at 1.00, the two contexts of “{quote(sentences[0][position])}” are"
        return f"{contexts_of} {distance} apart, at an angle of {angle}."

    caption = f"attention 1.00: angle {angle}, distance {distance}"
    table = _table(weights.tolist(), sentences, contexts.norm(dim=1).tolist(), caption)
    return Live("parting", data, table, says, "One word, two contexts", shared=("drag", "plane", "words"))


def _check(weights, value, sentences, position):
    two = len(value) == len(sentences) == 2
    if value.ndim != 3 or weights.shape != value.shape[:2] or not two or value.shape[2] != 2:
        raise ValueError(
            f"{len(sentences)} sentences, weights {tuple(weights.shape)} and value {tuple(value.shape)} do not fit: "
            "there must be two sentences, and for them (2, keys) and (2, keys, 2), as an arrow has two numbers"
        )
    if position not in range(weights.shape[1]):
        raise ValueError(f"position is {position}, but the words have the positions 0 to {weights.shape[1] - 1}")
    if not torch.allclose(*value[:, position], rtol=1e-4, atol=1e-6, equal_nan=True):
        raise ValueError(
            f"the two values at position {position} differ; take a position that holds the same word in both"
        )


def _angle(one, other):
    """Return the angle between two vectors, in degrees; arctan keeps its digits where the angle is small."""
    one, other = (vector / vector.norm() for vector in (one, other))
    return 2 * torch.atan2((one - other).norm(), (one + other).norm()).rad2deg().item()


def _table(weights, sentences, lengths, caption):
    """Return the words of each sentence, the weight of each, and the length of the context that they make."""
    rows, columns = [], len(sentences[0])
    for row, words, length in zip(weights, sentences, lengths):
        rows.append(role_row([*map(label, words), ""], ["key"] * (columns + 1), align="center"))
        cells = [*map(two_decimals, row), f"length {two_decimals(length)}"]
        rows.append(role_row(cells, ["weight"] * columns + ["context"], align="center"))
    return plain_table(*rows, caption=caption, role="context")
