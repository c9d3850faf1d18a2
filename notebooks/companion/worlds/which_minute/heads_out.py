"""One head beside two that answer two questions, live: which word each reads, and what is lost without it."""

import torch

from companion.pictures.live.base import Live, six_digits
from companion.pictures.table import plain_table, role_row
from companion.pictures.words import largest_first, two_decimals
from companion.worlds.which_minute.picture_parts import HOME
from companion.worlds.which_minute.sentences import CLUES, MEANINGS, VOCABULARY
from companion.worlds.which_minute.two_questions import QUESTIONS, load_models

FORM = "after the {} she noticed one minute {}"
NOUNS = [clues[:4] for clues in CLUES]  # of each meaning
VERDICTS = {True: "right", False: "wrong"}


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
    rows, words = [["", *QUESTIONS, "its heads read"]], _words(data)
    for number, (name, (looks, answers)) in enumerate(zip(models, found)):
        best = [max(zip(weights, words)) for weights in looks]
        kept = [pair for head, pair in enumerate(best) if [number, head] not in data["out"]]
        reads = ", ".join(f"{word} {two_decimals(weight)}" for weight, word in kept)
        rows.append([name, *(f"{MEANINGS[answer]}, {VERDICTS[right]}" for answer, right in answers), reads])
    table = plain_table(*(role_row(row, ["input"] * 4) for row in rows))
    says, title = _says(data, found), "Two questions, one head or two"
    return Live(HOME / "heads-out", data, table, says, title, [HOME / "meanings", "bends"])


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
    sentences = []
    for number, (name, heads) in enumerate(data["panels"].items()):
        away = [label for head, label in enumerate(heads) if [number, head] in data["out"]]
        without = f" without {' and '.join(away)}" if away else ""
        answers = (f"“{MEANINGS[best]}” ({VERDICTS[right]})" for best, right in found[number][1])
        sentences.append(f"{name.capitalize()}{without}: {', '.join(answers)}.")
    return " ".join(sentences)
