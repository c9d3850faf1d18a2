"""Words as a dictionary lists them and as models say them, side by side. Used in notebook 14."""

from difflib import SequenceMatcher

import ipywidgets
from IPython.display import display
from matplotlib.colors import to_hex

from companion.pictures.palette import FAINT, INK, MUTED, PAPER, ROLES, tint
from companion.pictures.table import CAPTION, Page
from companion.worlds.pronunciation.controls import load_controls
from companion.worlds.pronunciation.decoding import answers, one_word, pronounce
from companion.worlds.pronunciation.dictionary import SOUNDS

LOOKS = {
    "dictionary": f"background:{to_hex(tint(ROLES['input'].fill, 0.45))}",
    "right": f"border:1px solid {FAINT}",
    "wrong": f"background:{INK};color:{PAPER};font-weight:700",
    "missing": f"border:2px dashed {INK}",
}
TILES = "border-collapse:separate;border-spacing:2px;font-size:11px;line-height:1;margin:0;width:auto"


def show_beside(words, dictionary, yours, larger):
    """Show `beside` as tiles, of the reader's own model; a stored notebook keeps one trained alike."""
    alike, said_by_larger, pages = load_controls()[0]["attention"], pronounce(larger, words), []
    for name, model in (("yours", yours), ("like yours", alike)):
        said_by_model = pronounce(model, words)
        by_word = {word: {name: said_by_model[word], "larger": said_by_larger[word]} for word in words}
        tiles = [_tiles(word, said, dictionary[word]) for word, said in by_word.items()]
        pages.append(_page(beside(by_word, dictionary), tiles)._repr_mimebundle_())
    own, stored = pages
    display({**ipywidgets.HTML(own["text/html"])._repr_mimebundle_(), **stored}, raw=True)


def show_tiles(word, said, dictionary):
    """Show a word's phonemes as tiles, and below them what was said, {when: phonemes}."""
    text = "\n".join(f"{when}: {' '.join(phonemes)}" for when, phonemes in said.items())
    display(_page(text, [_tiles(word, said, dictionary[word])]))


def _page(text, blocks):
    name = f'<td style="padding:0 10px 0 2px;color:{MUTED};font-size:12px;white-space:nowrap">'
    swatches = "".join(f"{_tile('', look)}{name}{kind}</td>" for kind, look in LOOKS.items())
    legend = f'<table style="{TILES};margin:0 0 8px"><tr style="background:none">{swatches}</tr></table>'
    flow = "display:flex;flex-wrap:wrap;gap:10px 26px"
    return Page(text, f'{legend}<div style="{flow}">{"".join(blocks)}</div>', "What is said, below the dictionary")


def _tile(text, look):
    return f'<td width="24" height="22" style="padding:0;border-radius:4px;{look}">{text}</td>'


def _tiles(word, said, readings):
    """Return a table of tiles: the first reading of a word, and below it what each says, {name: phonemes}."""
    right = {(place, 0): phoneme for place, phoneme in enumerate(readings[0])}
    rows = {"": right} | {name: _places(phonemes, readings[0]) for name, phonemes in said.items()}
    columns, lines = sorted({place for row in rows.values() for place in row}), ""
    for name, row in rows.items():
        cells = ""
        for place in columns:
            text = row.get(place)
            same = text == right.get(place) or said.get(name) in readings
            kind = "right" if same else "wrong" if text else "missing"
            look = LOOKS[kind if name else "dictionary"]
            cells += "<td></td>" if text is None else _tile(text, look)
        style = f"width:64px;padding:0 4px 0 0;font-weight:400;text-align:right;white-space:nowrap;color:{MUTED}"
        lines += f'<tr align="center" style="background:none"><th style="{style}">{name}</th>{cells}</tr>'
    caption = f'<caption style="{CAPTION};padding:0 0 4px;font-size:13px;color:{INK}">{word}</caption>'
    return f'<div style="flex:0 0 330px"><table style="{TILES}">{caption}{lines}</table></div>'


def _places(said, right):
    """Return {(place among the right phonemes, how far behind it): phoneme}, "" where one is missing.

    >>> _places(("TH", "M", "B"), ("TH", "AH", "M"))
    {(0, 0): 'TH', (1, 0): '', (2, 0): 'M', (2, 1): 'B'}
    """
    phonemes = {}
    for _, first, end, start, stop in SequenceMatcher(None, right, said, autojunk=False).get_opcodes():
        for number in range(max(end - first, stop - start)):
            place = (first + number, 0) if first + number < end else (end - 1, first + number - end + 1)
            phonemes[place] = said[start + number] if start + number < stop else ""
    return phonemes


def beside(by_word, dictionary):
    """Return a table as text: each word, its phonemes, and what each model says, or "right".

    by_word: {word: {model's name: phonemes}}. A word with several pronunciations is right in any of them, and shown
    with the first, from which what is marked by "≠" differs.
    """
    rows = [["", "dictionary", *[*by_word.values()][0]]]
    for word, said in by_word.items():
        first, *_ = readings = dictionary[word]
        heard = ["right" if phonemes in readings else _marked(phonemes, first) for phonemes in said.values()]
        rows.append([word, " ".join(first), *heard])
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
