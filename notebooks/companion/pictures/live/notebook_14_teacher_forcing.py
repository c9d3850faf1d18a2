"""A decoder that answers all at once in training, and one by one when it writes, live, with what each answer reads."""

from functools import partial

from companion.pictures.live.base import Live
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
    title = "The sounds read the letters from left to right"
    says, table = partial(_says, entries[0]), "".join(map(_table, entries))
    return Live("teacher-forcing", data, table, says, title, shared=("words",))


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
