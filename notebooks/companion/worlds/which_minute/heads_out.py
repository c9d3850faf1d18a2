"""One head beside two that answer two questions, live: which word each reads, and what is lost without it."""

import torch

from companion.pictures.live.base import Live, six_digits
from companion.pictures.live.still import Drawn, draw_text, row_arrow, sheet
from companion.pictures.palette import CORRECT, INK, MUTED, NOT_YET, ROLES, VERDICT_SIGNS
from companion.pictures.picture import Picture
from companion.pictures.table import plain_table, role_row
from companion.pictures.words import largest_first, shown
from companion.worlds.which_minute.picture_parts import HOME, meaning_of
from companion.worlds.which_minute.sentences import CLUES, MEANINGS, VOCABULARY
from companion.worlds.which_minute.two_questions import QUESTIONS, load_models

FORM = "after the {} she noticed one minute {}"
NOUNS = [clues[:4] for clues in CLUES]  # of each meaning
VERDICTS = {True: ("right", *VERDICT_SIGNS[CORRECT]), False: ("wrong", *VERDICT_SIGNS[NOT_YET])}


def heads_out(first="crack", clue="pause", out=()):
    """Show what "minute" reads in a trained model of one head and in one of two, and the two answers of each.

    first, clue: the nouns, of `NOUNS`, which can be changed; out: pairs (model, head) that are taken out, such as
    (1, 0); each head can be. Its script adds up what each head adds to the logits, and leaves out what is out.
    """
    models = {name: model.double() for name, model in load_models().items()}
    fixed, nouns = FORM.replace("{}", "").split(), sum(NOUNS, [])
    rows = [(word, int(word == "minute")) for word in fixed] + [(noun, side) for side in (0, 2) for noun in nouns]
    parts_of = {name: _parts(model, rows) for name, model in models.items()}
    data = {"form": FORM, "nouns": NOUNS, "pair": [first, clue], "out": [[*pair] for pair in out], "names": MEANINGS}
    data |= {
        "questions": QUESTIONS,
        "panels": {name: [f"head {head}" for head in range(len(parts) - 1)] for name, parts in parts_of.items()},
        "models": [*parts_of.values()],
    }
    found = [_read(data, number) for number in range(len(models))]
    body = [
        [name, *(f"{MEANINGS[best]}, {VERDICTS[right][0]}" for best, right in found[number][1])]
        for number, name in enumerate(models)
    ]
    table = plain_table(*(role_row(row, ["input"] * 3) for row in [["", *QUESTIONS], *body]))
    twin, says = Drawn(_draw, data, table), _says(data, found)
    return Live(
        HOME / "heads-out",
        data,
        twin,
        lambda quote: says,
        "Two questions, one head or two",
        [HOME / "meanings", "bends"],
    )


@torch.no_grad()
def _parts(model, rows):
    """Return for each head the score that "minute" gives to each row's word, and what its value adds to each logit.

    The last list is what all logits begin with. rows: [(word, side)], sides 0 before "minute", 1 itself and 2 after.
    """
    num_heads = model.attend.num_heads
    ids, sides = torch.tensor(VOCABULARY.encode([word for word, _ in rows])), torch.tensor([side for _, side in rows])
    inputs, attend = model.embedding(ids) + model.side(sides), model.attend
    query, key, value = (
        getattr(attend, f"W_{role}")(inputs).unflatten(1, (num_heads, -1)) for role in ("query", "key", "value")
    )
    scores = (key * query[[word for word, _ in rows].index("minute")]).sum(dim=-1) / key.shape[-1] ** 0.5
    columns = (model.answer.weight @ attend.W_output.weight).unflatten(1, (num_heads, -1))  # (logits, heads, head_dim)
    logits = torch.einsum("rhd,lhd->rhl", value, columns)
    start = model.answer(attend.W_output.bias)
    parts = torch.cat([scores[..., None], logits], dim=-1).transpose(0, 1)  # (heads, rows, 1 + logits)
    return [*six_digits(parts.round(decimals=3).tolist()), six_digits(start.round(decimals=3).tolist())]


def _words(data):
    first, clue = data["pair"]
    return data["form"].replace("{}", first, 1).replace("{}", clue).split()


def _read(data, number):
    """Return the weights of each head of a model, and its answers as (meaning, whether it is right)."""
    words, nouns = _words(data), sum(data["nouns"], [])
    fixed = data["form"].replace("{}", "").split()
    places = [fixed.index(word) if word in fixed else len(fixed) + nouns.index(word) for word in words[:-1]]
    places.append(len(fixed) + len(nouns) + nouns.index(words[-1]))
    *heads, logits = (torch.tensor(part, dtype=torch.float64) for part in data["models"][number])
    looks = []
    for head, rows in enumerate(heads):
        weights = torch.softmax(rows[places, 0], dim=0)
        looks.append(weights.tolist())
        if [number, head] not in data["out"]:
            logits = logits + weights @ rows[places, 1:]
    wanted = [next(m for m, group in enumerate(data["nouns"]) if noun in group) for noun in reversed(data["pair"])]
    best = [largest_first(column)[0] for column in logits.view(-1, 2).T.tolist()]
    return looks, [(answer, answer == right) for answer, right in zip(best, wanted)]


def _says(data, found):
    told = []
    for number, (name, heads) in enumerate(data["panels"].items()):
        away = [label for head, label in enumerate(heads) if [number, head] in data["out"]]
        without = f" without {' and '.join(away)}" if away else ""
        answers = (f"“{MEANINGS[best]}” ({VERDICTS[right][0]})" for best, right in found[number][1])
        told.append(f"{name.capitalize()}{without}: {', '.join(answers)}.")
    return " ".join(told)


def _draw(data):
    """Draw the sentence twice, with an arrow for each weight of each head, and the answers below it."""
    words, own = _words(data), _words(data).index("minute")
    figure, axes = sheet(700, 270)
    for number, (name, line) in enumerate(zip(data["panels"], (76, 186))):
        looks, answers = _read(data, number)
        draw_text(axes, 2, line - 62, name, side="left", fontweight="bold")
        places, left = [], 2
        read = {j for weights in looks for j, weight in enumerate(weights) if weight >= 0.5}
        for j, word in enumerate(words):
            look = {"fontweight": "bold"} if j in read or j == own else {}
            ink = ROLES["query"].ink if j == own else INK
            end = draw_text(axes, left, line, word, ink, size=18, side="left", **look).get_window_extent().x1
            places.append((left + end) / 2)
            left = end + 16
        for head, (label, weights) in enumerate(zip(data["panels"][name], looks)):
            side = -1 if head else 1
            for j, weight in enumerate(weights):
                if weight >= 0.05:
                    told = " is out" if [number, head] in data["out"] else f": {shown(weight)}"
                    name = f"{label}{told}" if weight == max(weights) else ""
                    row_arrow(axes, places[own], places[j], line, side, weight, name)
        for row, (question, (best, right)) in enumerate(zip(data["questions"], answers)):
            y, (_, sign, color) = line - 34 + 50 * row, VERDICTS[right]
            draw_text(axes, 520, y, f"{question}?", MUTED, side="left")
            style = {"size": 18, "side": "left", "fontweight": "bold"}
            draw_text(axes, 520, y + 21, meaning_of(best)[0], ROLES["context"].fill, **style)
            end = draw_text(axes, 543, y + 21, MEANINGS[best], **style).get_window_extent().x1
            draw_text(axes, end + 8, y + 21, sign, color, **style)
    return Picture(
        figure, f"Arrows from “minute” in “{' '.join(words)}”. {_says(data, [_read(data, n) for n in (0, 1)])}"
    )
