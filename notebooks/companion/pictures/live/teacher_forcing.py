"""A decoder that answers all at once in training, and one by one when it writes, live, with what each answer reads."""

from functools import partial

from companion.pictures.live.base import Live, stored
from companion.pictures.table import label, plain_table, role_row
from companion.pictures.words import labelled, largest_first

WAYS = "training: the true beginning", "writing: its own beginning"


def teacher_forcing(words, sounds):
    """Show what a decoder says after each beginning: the true one, given at once, or its own, which it has to write.

    words: {word: (true phonemes, taught, written)}, the last two each the answers, "end" included, and their weights
    on the letters and the letters' end, (answers, letters + 1); sounds: {phoneme: a word in which it is heard}.
    Raises ValueError for no words, or what `labelled` refuses.
    """
    if not words:
        raise ValueError("there are no words; give at least one")
    told = [_word(word, *each) for word, each in words.items()]
    said = {each for word in told for way in word["ways"] for each in (*word["truth"], *way["said"])}
    data = {"words": told, "sounds": {each: sounds[each] for each in sorted(said & sounds.keys())}}
    twin = "".join(map(_table, told))
    return Live("teacher-forcing", data, twin, partial(_says, told[0]), "What comes next?", shared=("words",))


def _word(word, truth, taught, written):
    letters, ways = [*word, "end"], []
    for said, weights in (taught, written):
        weights, said, letters = labelled("weights", weights, said, letters)
        ways.append({"said": said, "weights": stored(weights.tolist())})
    return {"word": word, "letters": letters, "truth": [*truth, "end"], "ways": ways}


def _says(word, write):
    """Say what one pass of training answers; in the words of the script."""
    said, rows = word["ways"][0]["said"], zip(word["ways"][0]["said"], word["truth"])
    wrong = [f" Row {row} should say {write(true)}." for row, (each, true) in enumerate(rows, 1) if each != true]
    answers = ", ".join(map(write, said))
    end = "".join(wrong) + " The rows below are given the right one." if wrong else " All are right."
    return f"“{write(word['word'])}” in training: one pass answers all {len(said)} rows with {answers}.{end}"


def _table(word):
    """Return a row for each answer: what it follows, what it is, and the letter that it reads most, both ways."""
    rows = [[cell for way in WAYS for cell in (way, "", "")]]
    for row in range(max(len(way["said"]) for way in word["ways"])):
        ways = zip(word["ways"], (word["truth"], word["ways"][1]["said"]))
        rows.append([cell for way, given in ways for cell in _answer(word, way, given, row)])
    roles = ["input", "input", "key"] * 2
    caption = f"“{label(word['word'])}”"
    return plain_table(*(role_row(row, roles, align="left") for row in rows), caption=caption)


def _answer(word, way, given, row):
    if row >= len(way["said"]):
        return [""] * 3
    letter = word["letters"][largest_first(way["weights"][row])[0]]
    begun = " ".join(["begin", *map(label, given[:row])])
    return [begun, f"<b>{label(way['said'][row])}</b>", f"reads {label(letter)}"]
