"""Words as a dictionary lists them and as models say them, side by side. Used in notebook 14."""

from difflib import SequenceMatcher

from companion.timing import page
from companion.worlds.pronunciation.controls import load_controls
from companion.worlds.pronunciation.decoding import answers, one_word, pronounce
from companion.worlds.pronunciation.dictionary import SOUNDS


def show_beside(words, dictionary, yours, larger):
    """Show `beside` for the reader's own model; a stored notebook keeps one trained as it is, the same everywhere."""
    alike = load_controls()[0]["attention"]
    shown = [{name: model, "larger": larger} for name, model in (("yours", yours), ("trained as yours is", alike))]
    page(*(beside(words, dictionary, models) for models in shown))


def beside(words, dictionary, models):
    """Return a table as text: each word, its phonemes, and what each model says, or "right".

    models: {name: model}. A word with several pronunciations is right in any of them, and shown with the first, from
    which what is marked by "≠" differs.
    """
    pronounced = {name: pronounce(model, words) for name, model in models.items()}
    rows = [["", "dictionary", *pronounced]]
    for word in words:
        heard = [
            "right" if by_word[word] in dictionary[word] else _marked(by_word[word], dictionary[word][0])
            for by_word in pronounced.values()
        ]
        rows.append([word, " ".join(dictionary[word][0]), *heard])
    widths = [max(map(len, column)) for column in zip(*rows)]
    return "\n".join("  ".join(map(str.ljust, row, widths)).rstrip() for row in rows)


def _marked(said, right):
    """Return what was said, with a "≠" before each phoneme that is not right, and one where some are missing.

    >>> _marked(("TH", "AH", "M", "B"), ("TH", "AH", "M"))
    'TH AH M ≠B'
    """
    parts = []
    for kind, _, _, start, end in SequenceMatcher(None, right, said, autojunk=False).get_opcodes():
        parts += said[start:end] if kind == "equal" else [f"≠{name}" for name in said[start:end] or [""]]
    return " ".join(parts)


def both_ways(model, words, dictionary, block, head):
    """Return what `teacher_forcing` draws: the answers to the true beginning and to its own, and one head's weights."""
    ways_of = {}
    for word in words:
        ways = [answers(model, word, beginning) for beginning in (dictionary[word][0], one_word(model, word))]
        ways_of[word] = dictionary[word][0], *[(names, weights[block, head]) for names, weights in ways]
    return {"words": ways_of, "sounds": SOUNDS}
