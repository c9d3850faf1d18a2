"""A decoder that answers all at once in training, and one by one when it writes, live, with what each answer reads."""

from companion.pictures.live.base import Live, stored
from companion.pictures.palette import INK, ROLES
from companion.pictures.table import label
from companion.pictures.words import labelled, largest_first

WAYS = "training: the true beginning", "writing: its own beginning"


def teacher_forcing(words, sounds, *, title="What comes next?"):
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
    first = told[0]
    text, sentence = (_says(first, write) for write in (str, label))
    return Live("teacher-forcing", data, "".join(map(_table, told)), text, sentence, title, shared=("words",))


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
    heads = "".join(_cell("th", "input", way, 3) for way in WAYS)
    body = ""
    for row in range(max(len(way["said"]) for way in word["ways"])):
        cells = [_answer(word, *each, row) for each in zip(word["ways"], (word["truth"], word["ways"][1]["said"]))]
        body += f'<tr style="background:none">{"".join(cells)}</tr>'
    caption = f'<caption style="text-align:left;font-weight:600;color:{INK}">“{label(word["word"])}”</caption>'
    return (
        f'<table cellpadding="5" style="font-size:13px">{caption}<tr style="background:none">{heads}</tr>{body}</table>'
    )


def _answer(word, way, given, row):
    if row >= len(way["said"]):
        return "<td></td>" * 3
    letter = word["letters"][largest_first(way["weights"][row])[0]]
    begun = " ".join(["begin", *map(label, given[:row])])
    return (
        _cell("td", "input", begun)
        + f'<td style="color:{INK}"><b>{label(way["said"][row])}</b></td>'
        + _cell("td", "key", f"reads {label(letter)}")
    )


def _cell(kind, role, text, columns=1):
    span = f' colspan="{columns}"' if columns > 1 else ""
    return f'<{kind}{span} style="color:{ROLES[role].ink};text-align:left;font-weight:400">{text}</{kind}>'
