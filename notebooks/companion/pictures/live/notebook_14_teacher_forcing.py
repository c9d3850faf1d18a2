"""A decoder that answers all at once in training, and one by one when it writes, live, with what each answer reads."""

from functools import partial

from companion.pictures.live.base import Live
from companion.pictures.live.still import Drawn, bend, box, draw_text, sheet
from companion.pictures.palette import INK, MUTED, PAPER, ROLES, tint
from companion.pictures.picture import Picture
from companion.pictures.table import label, plain_table, role_row
from companion.pictures.words import labelled, largest_first

BEGINNINGS = "training: the true beginning", "writing: its own beginning"


def teacher_forcing(words, sounds):
    """Show what a decoder says after each beginning: the true one, given at once, or its own, which it has to write.

    words: {word: (true phonemes, taught, written)}, the last two each the answers, "end" included, and their weights
    on the letters and the letters' end, (answers, letters + 1); sounds: {phoneme: a word in which it is heard}.
    Raises ValueError for no words, or what `labelled` refuses.
    """
    if not words:
        raise ValueError("there are no words; give at least one")
    entries = [_word(word, *ways) for word, ways in words.items()]
    phonemes = {phoneme for word in entries for way in word["ways"] for phoneme in (*word["truth"], *way["said"])}
    data = {"words": entries, "sounds": {phoneme: sounds[phoneme] for phoneme in sorted(phonemes & sounds.keys())}}
    twin = Drawn(_draw, data, "".join(map(_table, entries)))
    title = "The sounds read the letters from left to right"
    return Live("teacher-forcing", data, twin, partial(_says, entries[0]), title, shared=("words",))


def _word(word, truth, taught, written):
    letters, ways = [*word, "end"], []
    for answers, weights in (taught, written):
        weights, answers, letters = labelled("weights", weights, answers, letters)
        ways.append({"said": answers, "weights": [[round(each, 5) for each in row] for row in weights.tolist()]})
    return {"word": word, "letters": letters, "truth": [*truth, "end"], "ways": ways}


def _says(word, quote):
    """Say what one pass of training answers; in the words of the script."""
    answers = word["ways"][0]["said"]
    rows = enumerate(zip(answers, word["truth"]), 1)
    wrong = [f" Row {row} should say {quote(true)}." for row, (answer, true) in rows if answer != true]
    end = "".join(wrong) + " The rows below are given the right one." if wrong else " All are right."
    texts = ", ".join(map(quote, answers))
    return f"“{quote(word['word'])}” in training: one pass answers all {len(answers)} rows with {texts}.{end}"


def _table(word):
    """Return a row for each answer: what it follows, what it is, and the letter that it reads most, both ways."""
    rows = [[cell for way in BEGINNINGS for cell in (way, "", "")]]
    for row in range(max(len(way["said"]) for way in word["ways"])):
        ways = zip(word["ways"], (word["truth"], word["ways"][1]["said"]))
        rows.append([cell for way, beginning in ways for cell in _answer(word, way, beginning, row)])
    roles = ["input", "input", "key"] * 2
    caption = f"“{label(word['word'])}”"
    return plain_table(*(role_row(row, roles, align="left") for row in rows), caption=caption)


def _answer(word, way, beginning, row):
    if row >= len(way["said"]):
        return [""] * 3
    letter = word["letters"][largest_first(way["weights"][row])[0]]
    begun = " ".join(["begin", *map(label, beginning[:row])])
    return [begun, f"<b>{label(way['said'][row])}</b>", f"reads {label(letter)}"]


HIGH, STEP, FIRST = 28, 44, 84  # pixels: of a tile; from row to row; where the first row begins


def _draw(data):
    """Draw the first word in training: its letters, a row for each answer, and lines to the letters that it reads."""
    word = data["words"][0]
    letters, truth, training = word["letters"], word["truth"], word["ways"][0]
    answers, weights = training["said"], training["weights"]
    column, gray = min(80, 740 / (1 + max(len(letters), len(answers)))), tint(ROLES["input"].fill, 0.45)
    key, end = ROLES["key"], FIRST + STEP * len(answers)
    figure, axes = sheet(740, end + 24)
    for row, reads in reversed([*enumerate(weights)]):  # the lines of later rows lie behind
        y, at = FIRST + STEP * row, column * (row + 1.5)
        for j, weight in enumerate(reads):
            if weight >= 0.02:
                x, middle = column * (j + 1.5), (HIGH + y) / 2
                bend(axes, (at, y), (at, middle), (x, middle), (x, HIGH), ROLES["weight"].fill, 14 * weight, alpha=0.75)
        for column_number, text in enumerate(["begin", *truth[:row]]):
            _tile(axes, column * column_number, y, column, text, (gray, "none", INK))
        wrong = row >= len(truth) or answers[row] != truth[row]
        colors = (INK, INK, PAPER) if wrong else (PAPER, INK, INK)
        _tile(axes, at - column / 2, y, column, answers[row], colors, True)
        if wrong:
            right = truth[row] if row < len(truth) else "–"
            draw_text(axes, at + 8, y + (STEP + HIGH) / 2, f"≠ {right}", side="left", fontweight="bold", zorder=5)
    draw_text(axes, 2, HIGH / 2, "letters", key.ink, side="left")
    for j, letter in enumerate(letters):
        _tile(axes, column * (j + 1), 0, column, letter, (tint(key.fill, 0.22), key.ink, key.ink), True)
    legend = "gray: given; in a frame: said by the model; line width: weight"
    draw_text(axes, 2, end + 12, legend, MUTED, side="left")
    words = (
        f"The letters of “{word['word']}” in a row, and below them a row for each of the answers {', '.join(answers)}"
    )
    return Picture(figure, f"{words}, with lines from each answer to the letters that it reads.")


def _tile(axes, left, top, column, text, colors, strong=False):
    face, edge, ink = colors
    box(axes, left + 3, top + 1, column - 6, HIGH - 2, face, edge, round=6, linewidth=1.3, zorder=4)
    weight = "bold" if strong else "normal"
    draw_text(axes, left + column / 2, top + HIGH / 2, text, ink, path_effects=[], fontweight=weight, zorder=5)
