"""A live picture of what a model writes at some steps of its training, its words marked that do not fit."""

import functools
import random
import re
from pathlib import Path

from companion.pictures.live.base import Live
from companion.pictures.table import label, plain_table, role_row
from companion.stories.truth import untrue
from companion.stories.world import BOYS, COLORS, GIRLS, THINGS, story, written
from companion.stories.writer import write

HOME = Path(__file__).parent
CAST = ((GIRLS + BOYS, 2), (COLORS, 1), (THINGS, 1))  # and of how many of them a story tells


def told(models, record, seed=0):
    """Return what `becoming` shows of {step: model} and the record of their training: one story of each model."""
    losses, stories = dict(record["held_back"]), [write(model, seed=seed)[0] for model in models.values()]
    flaws = [", ".join(sorted(untrue(tokens))) for tokens in stories]
    return list(models), [losses[step] for step in models], [written(marked(tokens)) for tokens in stories], flaws


def marked(tokens):
    """Put * around each word that does not fit: of a sentence that no story has, or naming somebody or something new.

    "Max saw the map , too . Ida kept the map . Then Ben came along ." -> Then *Ben* came along .
    """
    new = {word for words, most in CAST for word in [*dict.fromkeys(each for each in tokens if each in words)][most:]}
    return [
        f"*{word}*" if word.isalpha() and (word in new or _form(sentence) not in _forms()) else word
        for sentence in _sentences(tokens)
        for word in sentence
    ]


def _sentences(tokens):
    return [sentence.split() for sentence in re.split(r"(?<= \.) ", " ".join(tokens))]


def _form(sentence):
    """Return a sentence with the number of its list in place of each name, color and thing."""
    return tuple(next((place for place, (words, _) in enumerate(CAST) if word in words), word) for word in sentence)


@functools.cache
def _forms():
    draw = random.Random(0)
    return {_form(sentence) for _ in range(2000) for sentence in _sentences(story(draw))}


def becoming(steps, losses, texts, flaws):
    """Show the text that a model writes after each of some steps, and move through them by a slider.

    steps, losses: a number for each; texts: a string for each, * around what does not fit; flaws: what is not true in
    each, in words, "" if all is.
    """
    times = [
        {"step": f"{step}", "loss": f"{loss:.2f}", "text": text, "says": f"Not true: {flaw}" if flaw else "All is true"}
        for step, loss, text, flaw in zip(steps, losses, texts, flaws)
    ]
    underlined = [re.sub(r"\*(.+?)\*", r"<u>\1</u>", label(text)) for text in texts]
    rows = [[time["step"], f"{text} <em>{label(time['says'])}.</em>"] for time, text in zip(times, underlined)]
    twin = plain_table(*(role_row(row, ["input"] * 2, align="left") for row in [["step", "what it writes"], *rows]))
    first = times[len(times) // 2]
    sentence = f"Step {first['step']}, loss {first['loss']}. {first['says']}."
    title = "What it writes, from noise to stories"
    return Live("becoming", {"times": times}, twin, lambda write: write(sentence), title, folder=HOME)
