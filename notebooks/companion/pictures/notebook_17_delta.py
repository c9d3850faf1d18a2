"""One step of the delta rule on a small state: how far each feature of its answer moves to the value."""

import torch

from companion.pictures.charts import NOTE
from companion.pictures.palette import EDGE, INK, MUTED, PAPER, ROLES
from companion.pictures.picture import Picture, canvas, styled

KEY, VALUE = (torch.tensor(numbers, dtype=torch.float64) for numbers in ([0.6, 0.8, 0], [0, 1.8, 0.9]))
STATE = [[1, 0, 1], [0.5, 1, 0], [1.5, 0.5, 1]]


@styled
def corrected(step, rate=0.5):
    """Show a state's answer to a key before and after a step, a function, and the value, feature by feature."""
    state = torch.tensor(STATE, dtype=torch.float64)
    answers = {"before": KEY @ state, "after": KEY @ step(state, KEY, VALUE, rate), "value": VALUE}
    inks = [INK, ROLES["context"].ink, ROLES["value"].ink]
    looks = [("o", PAPER, INK), ("o", ROLES["context"].fill, PAPER), ("D", ROLES["value"].fill, PAPER)]
    figure, axes = canvas(6.2, 2.9)
    facts = []
    for y, row in enumerate(zip(*(answer.tolist() for answer in answers.values()))):
        before, after, value = row
        axes.plot([before, value], [y, y], color=EDGE, linewidth=2, zorder=1)
        arrow = {"arrowstyle": "-|>", "color": ROLES["context"].fill, "linewidth": 2.5, "shrinkA": 6, "shrinkB": 5}
        axes.annotate("", (after, y), (before, y), arrowprops=arrow, zorder=2)
        for name, number, ink, (marker, face, edge) in zip(answers, row, inks, looks):
            axes.plot(number, y, marker, color=face, markeredgecolor=edge, markersize=11, zorder=3)
            text = f"{name}\n{number:.2f}" if not y else f"{number:.2f}"
            style = {"textcoords": "offset points", "ha": "center", "va": "bottom", "color": ink}
            axes.annotate(text, (number, y), (0, 8), linespacing=1.3, **style)
        for share in (0.25, 0.5, 0.75, 1) if y == 1 else ():  # of the way, at other rates
            place, text = before + share * (value - before), f"{share:g}" if share > 0.25 else "rate 0.25"
            axes.plot([place, place], [y + 0.12, y + 0.24], color=MUTED, linewidth=1)
            axes.annotate(text, (place, y + 0.24), (0, -2), textcoords="offset points", ha="center", va="top", **NOTE)
        facts.append(f"feature {y} {', '.join(f'{name} {number:.2f}' for name, number in zip(answers, row))}")
    axes.set(xlim=(-0.1, 2.05), ylim=(2.3, -0.9), xticks=[0, 0.5, 1, 1.5, 2], xlabel="answer to the key")
    axes.set_yticks(range(3), [f"feature {y}" for y in range(3)])
    axes.spines["left"].set_visible(False)
    axes.tick_params(length=0, labelcolor=INK)
    caption = f"One step at a rate of {rate:g}: what the state answers to the key, before and after."
    return Picture(figure, f"answer to the key: {'; '.join(facts)}.", caption)
