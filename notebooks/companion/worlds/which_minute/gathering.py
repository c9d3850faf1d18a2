"""The clues' vectors while the head is trained, live: words of one meaning come together."""

import numpy as np

from companion.pictures.live.base import Live
from companion.pictures.live.still import Drawn, draw_text, sheet
from companion.pictures.palette import GRID, INK, MUTED, ROLES, tint
from companion.pictures.picture import POINT, Picture
from companion.pictures.placing import around, half, settle
from companion.pictures.table import label, plain_table, role_row
from companion.worlds.which_minute.head import STEPS, train, untrained
from companion.worlds.which_minute.picture_parts import HOME, SHAPES, meaning_of
from companion.worlds.which_minute.sentences import CLUES, MEANING_OF, MEANINGS, VOCABULARY, encode, sentences

WIDE, HIGH, ROOM = 640, 450, (70, 46)  # pixels: of the plane, and around the points
HUES = "key", "value", "context"  # of the meanings: here no color has a role
KEPT = [*range(0, 60, 5), *range(60, 100, 10), *range(100, STEPS, 100)]  # steps
WAYS = (1, 0), (-1, 0), (0, -1), (0, 1)  # where a word may stand beside its point, as in gathering.js
AROUND = np.stack([np.cos(turns := np.linspace(0, 2 * np.pi, 49)[:-1]), np.sin(turns)])


def gathering(*follow):
    """Train the head of notebook 00, and show the first and the last number of each clue's vector, step by step.

    follow: clues to choose from, whose way is drawn; it opens at the last step, with the first of them.
    """
    head, (texts, meanings) = untrained(), sentences()
    rows = VOCABULARY.encode(MEANING_OF)

    def numbers():
        return head.embedding.weight.detach()[rows][:, [0, -1]].numpy()

    times = [numbers() for step, _ in train(head, encode(texts), meanings) if step in KEPT] + [numbers()]
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
        told = [f"“{quote(word)}” ({MEANINGS[MEANING_OF[word]]})" for word in (follow[0], _nearest(data))]
        return f"Step {STEPS}: the word nearest to {told[0]} is {told[1]}."

    cells = ([meaning_of(meaning), label(", ".join(clues))] for meaning, clues in enumerate(CLUES))
    twin = Drawn(_draw, data, plain_table(*(role_row(row, ["input"] * 2, align="left") for row in cells)))
    return Live(HOME / "gathering", data, twin, says, "Words of one meaning gather", ("words", HOME / "meanings"))


def _nearest(data):
    """Return the word nearest to the followed one at the last step."""
    points, index = np.array(data["times"][-1]), data["follow"][0]
    return data["words"][np.square(points - points[index]).sum(axis=1).argsort(kind="stable")[1]]


def _draw(data):
    """Draw each word as a point at the last step, a ground below each meaning's, and the way of one."""
    times, meanings = np.array(data["times"]), np.array(data["meanings"])
    figure, axes = sheet(WIDE, HIGH)
    axes.hlines(data["origin"][1], 0, WIDE, color=GRID, zorder=0)
    axes.vlines(data["origin"][0], 0, HIGH, color=GRID, zorder=0)
    tips = axes.transData.transform(times[-1])
    taken = [around(*tip, 7, 7) for tip in tips]
    for meaning, name in enumerate(MEANINGS):
        own, fill = times[-1][meanings == meaning], ROLES[HUES[meaning]].fill
        reach = own[(own @ AROUND).argmax(axis=0)]  # the outermost point in each direction
        axes.fill(*reach.T, color=tint(fill, 0.25), linewidth=36 * POINT, joinstyle="round", zorder=-1)
        axes.plot(*own.T, SHAPES[meaning], color=fill, markeredgecolor=INK, markersize=10 * POINT)
        top = own[:, 1].mean() < HIGH / 2
        y = own[:, 1].min() - 32 if top else own[:, 1].max() + 32
        written = draw_text(axes, own[:, 0].mean(), y, name, ROLES[HUES[meaning]].ink, 18, fontweight="bold")
        taken.append(around(*axes.transData.transform(written.get_position()), *half(written)))
    axes.plot(*times[:, data["follow"][0]].T, color=MUTED, linestyle=":", linewidth=2 * POINT, zorder=1)
    for number, (word, tip) in enumerate(zip(data["words"], tips)):
        style = {"fontweight": "bold"} if number == data["follow"][0] else {}
        written = draw_text(axes, 0, 0, word, va="center", **style)
        settle(written, [tip + np.array(way) * (half(written) + np.array([9, 9])) for way in WAYS], taken)
    words = f"The {len(meanings)} clues as points at step {STEPS}, those of each meaning on a ground of their own"
    return Picture(
        figure, f"{words}: {', '.join(MEANINGS)}. A line shows the way of “{data['words'][data['follow'][0]]}”."
    )
