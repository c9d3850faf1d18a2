"""A live picture of what a model writes at some steps of its training, with the parts that are not true marked."""

from pathlib import Path

from companion.pictures.live.base import Live
from companion.pictures.table import label
from companion.stories.truth import untrue
from companion.stories.world import written
from companion.stories.writer import write

HOME = Path(__file__).parent


def told(models, record, seed=0):
    """Return what `becoming` shows of {step: model} and the record of their training: one story of each model."""
    losses, stories = dict(record["held_back"]), [write(model, seed=seed)[0] for model in models.values()]
    flaws = [", ".join(sorted(untrue(tokens))) for tokens in stories]
    return list(models), [losses[step] for step in models], [written(tokens) for tokens in stories], flaws


def becoming(steps, losses, texts, flaws, *, title="What it writes, from noise to stories"):
    """Show the text that a model writes after each of some steps, and move through them by a slider.

    steps, losses: a number for each; texts: a string for each; flaws: what is not true in each, in words, "" if all is.
    Raises ValueError unless there are as many of all four.
    """
    numbers = {len(each) for each in (steps, losses, texts, flaws)}
    if len(numbers) != 1:
        raise ValueError(f"steps, losses, texts and flaws have {sorted(numbers)} parts; give one of each for each step")
    times = [
        {"step": int(step), "loss": f"{loss:.2f}", "text": text, "says": f"not true: {flaw}" if flaw else "all is true"}
        for step, loss, text, flaw in zip(steps, losses, texts, flaws)
    ]
    rows = "".join(
        f'<tr style="background:none"><th style="text-align:right;vertical-align:top">{time["step"]}</th>'
        f'<td style="text-align:left">{label(time["text"])} <em>({label(time["says"])})</em></td></tr>'
        for time in times
    )
    twin = f"<table><thead><tr><th>step</th><th>what it writes</th></tr></thead><tbody>{rows}</tbody></table>"
    last = times[-1]
    sentence = f"Step {last['step']}, loss {last['loss']}: {last['says']}."
    return Live("becoming", {"times": times}, twin, sentence, label(sentence), title, folder=HOME)
