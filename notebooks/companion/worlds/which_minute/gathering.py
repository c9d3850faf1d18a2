"""The clues' vectors while the head is trained, live: words of one meaning come together."""

import numpy as np

from companion.pictures.live.base import Live
from companion.pictures.table import label, plain_table, role_row
from companion.worlds.which_minute.head import STEPS, train_in_steps, untrained
from companion.worlds.which_minute.picture_parts import HOME, meaning_of
from companion.worlds.which_minute.sentences import CLUES, MEANING_OF, MEANINGS, VOCABULARY, encode, sentences

WIDE, HIGH, ROOM = 640, 450, (70, 46)  # pixels: of the plane, and around the points
HUES = "key", "value", "context"  # of the meanings: here no color has a role
KEPT = [*range(0, 60, 5), *range(60, 100, 10), *range(100, STEPS, 100)]  # steps


def gathering(*follow):
    """Train the head of notebook 00, and show the first and the last number of each clue's vector, step by step.

    follow: clues to choose from, whose way is drawn; it opens at the last step, with the first of them.
    """
    head, (texts, meanings) = untrained(), sentences()
    rows = VOCABULARY.encode(MEANING_OF)

    def numbers():
        return head.embedding.weight.detach()[rows][:, [0, -1]].numpy()

    times = [numbers() for step, _ in train_in_steps(head, encode(texts), meanings) if step in KEPT] + [numbers()]
    times = np.stack(times) * (1, -1)  # in a drawing, y runs down
    low, high = times.min(axis=(0, 1)), times.max(axis=(0, 1))
    unit = (np.array([WIDE, HIGH]) - 2 * np.array(ROOM)) / (high - low)
    origin = np.array([WIDE, HIGH]) / 2 - unit * (low + high) / 2
    data = {
        "steps": [*KEPT, STEPS],
        "times": (origin + unit * times).round().astype(int).tolist(),
        "origin": origin.round().astype(int).tolist(),
        "size": [WIDE, HIGH],
        "words": [*MEANING_OF],
        "meanings": [*MEANING_OF.values()],
        "names": MEANINGS,
        "hues": HUES,
        "follow": [[*MEANING_OF].index(word) for word in follow],
    }

    def says(quote):
        named = [f"“{quote(word)}” ({MEANINGS[MEANING_OF[word]]})" for word in (follow[0], _nearest(data))]
        return f"Step {STEPS}: the word nearest to {named[0]} is {named[1]}."

    cells = ([meaning_of(meaning), label(", ".join(clues))] for meaning, clues in enumerate(CLUES))
    table = plain_table(*(role_row(row, ["input"] * 2, align="left") for row in cells))
    return Live(HOME / "gathering", data, table, says, "Words of one meaning gather", ("words", HOME / "meanings"))


def _nearest(data):
    """Return the word nearest to the followed one at the last step."""
    points, index = np.array(data["times"][-1]), data["follow"][0]
    return data["words"][np.square(points - points[index]).sum(axis=1).argsort(kind="stable")[1]]
