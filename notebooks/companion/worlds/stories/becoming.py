"""What a model writes, its words marked that do not fit: some stories, or live one at some steps of its training."""

import functools
import html
import random
import re
from pathlib import Path

from companion.pictures.live.base import Live
from companion.pictures.palette import EDGE, TRACK, VERDICT_SIGNS
from companion.pictures.table import Page, label, plain_table, role_row
from companion.verdict_words import CORRECT, NOT_YET
from companion.worlds.stories.truth import WORDS, count_true, untrue
from companion.worlds.stories.world import BOYS, COLORS, GIRLS, THINGS, story, written
from companion.worlds.stories.writer import write

HOME = Path(__file__).parent
START = 1  # the step that is shown first: after noise, so that some words fit, and some do not
OTHERS = 50  # stories of which is counted how many are true
SEED = 30  # of the story that is shown: a different one at each step
UNFIT = re.compile(r"\*(.+?)\*")
WAVY = r'<u style="font-weight:700;text-decoration:underline wavy 1.5px;text-underline-offset:3px">\1</u>'
STORY = "margin:0;max-width:46em;font-size:15px;line-height:1.6"
CAST = ((GIRLS + BOYS, 2), (COLORS, 1), (THINGS, 1))  # and of how many of them a story tells


def snapshots(models, record):
    """Return what `becoming` shows of {step: model} and the record of their training: one story of each model."""
    losses, stories = dict(record["held_back"]), [write(model, seed=SEED)[0] for model in models.values()]
    flaws = [", ".join(sorted(untrue(tokens))) for tokens in stories]
    true = [count_true(write(model, OTHERS, seed=1)) for model in models.values()]
    texts = [written(mark_unfit(tokens)) for tokens in stories]
    return list(models), [losses[step] for step in models], texts, flaws, true


def mark_unfit(tokens):
    """Put * around each word that does not fit: of a sentence that no story has, or naming somebody or something new.

    If there is none, around the last word that would make the story true if it was another, as a name or "she".
    "Max saw the map , too . Ida kept the map . Then Ben came along ." -> Then *Ben* came along .
    """
    named = [([*dict.fromkeys(token for token in tokens if token in words)], most) for words, most in CAST]
    new = {word for words, most in named for word in words[most:]}
    marked = [
        f"*{word}*" if word.isalpha() and (word in new or _form(sentence) not in _forms()) else word
        for sentence in _sentences(tokens)
        for word in sentence
    ]
    if marked == [*tokens] and untrue(tokens) and (last := max(_amended(tokens), default=None)) is not None:
        marked[last] = f"*{marked[last]}*"
    return marked


def _amended(tokens):
    """Return where one word could be another of its kind, and the story would be true."""
    kinds = WORDS["NAME"], WORDS["PRONOUN"], ("happy", "sad"), ("Yes", "No")  # of others, a second one is new
    return [
        place
        for place, word in enumerate(tokens)
        for kind in kinds
        if word in kind and any(not untrue([*tokens[:place], other, *tokens[place + 1 :]]) for other in kind)
    ]


def judge(stories, among=None):
    """Show stories, what in each is not true, and a wavy line under each word that does not fit, as in `mark_unfit`.

    among: more stories, of which is said how many are true.
    """
    texts, page = [], ""
    for tokens in stories:
        flaws, marked = ", ".join(sorted(untrue(tokens))), written(mark_unfit(tokens))
        sign, color = VERDICT_SIGNS[NOT_YET if flaws else CORRECT]
        verdict = f"{sign} not true: {flaws}" if flaws else f"{sign} true"
        texts.append(f"{marked}\n{verdict}")
        page += f'<p style="{STORY}">{UNFIT.sub(WAVY, html.escape(marked))}</p>'
        page += f'<p style="color:{color};margin:0 0 1em">{verdict}</p>'
    if among:
        texts.append(f"{count_true(among)} of {len(among)} are true")
        page += f'<p style="margin:0">{texts[-1]}</p>'
    return Page("\n\n".join(texts), page, "Stories, and what in them is not true")


def whom(answer, names):
    """Show what is right of a girl and of a boy who comes along, and what a model says after each first pronoun.

    answer: as in notebook 18, of (first, said, second); names: all that it is asked about. What is wrong is wavy.
    """
    rows = [["", "a girl comes along", "a boy comes along"], ["right", "her", "him"]]
    for said in ("she", "he"):
        rows.append([f"it says, after “{said}”"])
        for right, kind in (("her", GIRLS), ("him", BOYS)):
            words = {answer(first, said, second) for first in names for second in names if second in kind}
            rows[-1].append(" or ".join(word if word == right else f"*{word}*" for word in sorted(words)))
    page = "".join(f'<tr style="background:none">{"".join(map(_cell, row))}</tr>' for row in rows)
    return Page("\n".join(" | ".join(row) for row in rows), f"<table>{page}</table>", "Right, and said: “her” or “him”")


def _cell(text):
    shade = {"her": EDGE, "him": TRACK}.get(text.strip("*"), "none")
    style = f"background:{shade};text-align:center;padding:0.4em 1.2em;font-size:14px"
    return f'<td style="{style}">{UNFIT.sub(WAVY, text)}</td>'


def _sentences(tokens):
    return [sentence.split() for sentence in re.split(r"(?<= \.) ", " ".join(tokens))]


def _form(sentence):
    """Return a sentence with the number of its list in place of each name, color and thing."""
    return tuple(next((i for i, (words, _) in enumerate(CAST) if word in words), word) for word in sentence)


@functools.cache
def _forms():
    generator = random.Random(0)
    return {_form(sentence) for _ in range(2000) for sentence in _sentences(story(generator))}


def becoming(steps, losses, texts, flaws, true):
    """Show the text that a model writes after each of some steps, and move through them by a slider.

    steps, losses: a number for each; texts: a string for each, * around what does not fit; flaws: what is not true in
    each, in words, "" if all is; true: of how many of `OTHERS` more all is.
    """
    says = {"": "This story is true", "sentences": "Its sentences do not fit"}
    times = [
        {"step": f"{step}", "loss": f"{loss:.2f}", "text": text, "true": f"{count} of {OTHERS} true"}
        | {"says": f"{says.get(flaw, f'Not true: {flaw}')}. Of {OTHERS} others, {count} are true."}
        for step, loss, text, flaw, count in zip(steps, losses, texts, flaws, true)
    ]
    underlined = [UNFIT.sub(r"<u>\1</u>", label(text)) for text in texts]
    rows = [[time["step"], f"{text} <em>{label(time['says'])}</em>"] for time, text in zip(times, underlined)]
    table = plain_table(*(role_row(row, ["input"] * 2, align="left") for row in [["step", "what it writes"], *rows]))
    first, data = times[START], {"times": times, "start": START}
    sentence = f"Step {first['step']}, loss {first['loss']}. {first['says']}"
    title = "What it writes, from noise to stories"
    return Live(HOME / "becoming", data, table, lambda quote: quote(sentence), title)
