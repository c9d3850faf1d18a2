"""A text as a tokenizer sees it: its pieces as boxes, step below step, each piece as wide as what it is made from."""

import html

from matplotlib.colors import to_hex

from companion.pictures.palette import EDGE, INK, MUTED, PAPER, ROLES, tint
from companion.pictures.table import LABEL, Page, label

# A table for each word, so that the words find room on a phone: in it all steps stay below each other. The steps lie
# farther apart than the words, so that each reads as a row.
WORD = "display:inline-table;border-collapse:separate;border-spacing:2px 10px;margin:0 0.3em 0.2em 0;vertical-align:top"
PHONE = 330  # pixels: the room for a line with its names, and how wide a letter is, and what surrounds a piece, in em
LETTER, AROUND = 0.62, 1.0
BOX = "padding:0 0.3em;min-width:0.75em;border-radius:3px;text-align:center;white-space:nowrap"
OLD = f"border:1px solid {EDGE};background:{PAPER}"
NEW = f"border:2px solid {INK};background:{to_hex(tint(ROLES['input'].fill, 0.5))};font-weight:700"
NUMBER = f"display:block;border-top:1px solid {EDGE};font-weight:700;color:{ROLES['input'].ink}"
SIDE = f"{LABEL};padding:0 0.5em 0 0;text-align:right;color:{MUTED}"


def boxes(steps, ids=None, mark=None, title="Pieces"):
    """Show words cut into pieces, one row a step; a piece that is new in its step is framed and bold.

    steps: {name: words}, equally many in each step, each a text with spaces between its pieces; ids: {piece: id},
    written below if given; mark: the pieces that are framed in place of the new ones.
    Raises ValueError for a word without pieces, a step with more or fewer words, or a piece without an id.
    """
    cut = {name: [word.split() for word in words] for name, words in steps.items()}
    for name, words in cut.items():
        if not words or not all(words):
            raise ValueError(f"the step {name!r} has a word without pieces, in {steps[name]}; leave it out")
        if len(words) != len(next(iter(cut.values()))):
            raise ValueError(f"the step {name!r} has {len(words)} words, and the first step has another number")
        strange = {piece for word in words for piece in word} - (ids or {}).keys()
        if ids is not None and strange:
            raise ValueError(f"the ids have none for {', '.join(sorted(strange))}; encode with <unk>, or add them")
    size = 14 if ids is None else 18
    room = PHONE / size - LETTER * max(map(len, steps)) - AROUND
    names = [f'<th scope="row" style="{SIDE}">{label(name)}</th>' for name in steps]
    page = f'<p style="margin:0 0 0.3em;font-weight:600">{html.escape(title)}</p>'
    for number, words in enumerate(_lines([*zip(*cut.values())], room)):
        # One line where there is room; on a phone a website breaks it, and shows the names again.
        tables = _table(names, ids, again=number > 0) + "".join(_table(_word(cuts, ids, mark), ids) for cuts in words)
        page += f'<div class="boxes-line" style="display:inline">{tables}</div>'
    text = "; ".join(f"{name}: {' '.join('|'.join(word) for word in words)}" for name, words in cut.items())
    return Page(f"boxes: {text}", page, title)


def _table(rows, ids, again=False):
    size, high = (14, "height:1.9em") if ids is None else (18, "height:3.3em")
    body = "".join(f'<tr style="background:none;{high}">{row}</tr>' for row in rows)
    kind, hidden = (' class="boxes-again"', ";display:none") if again else ("", "")
    return f'<table{kind} style="{WORD};font-size:{size}px;color:{INK}{hidden}"><tbody>{body}</tbody></table>'


def _word(cuts, ids, mark):
    """Return the rows of one word: columns as narrow as a letter, and as many as its longest row has letters."""
    wide = max(sum(map(_letters, cut)) for cut in cuts)
    known, rows = set(cuts[0]), []
    for cut in cuts:
        *first, last = cut
        spans = [*map(_letters, first), wide - sum(map(_letters, first))]
        framed = set(cut) - known if mark is None else mark
        rows.append("".join(_box(piece, span, piece in framed, ids) for piece, span in zip(cut, spans)))
        known = set(cut)
    return rows


def _box(piece, span, framed, ids):
    number = "" if ids is None else f'<span style="{NUMBER}">{ids[piece]}</span>'
    return f'<td colspan="{span}" style="{BOX};{NEW if framed else OLD}">{label(piece)}{number}</td>'


def _lines(words, room):
    """Return the words in lines that have room on a phone."""
    lines, left = [], 0
    for cuts in words:
        wide = max(sum(LETTER * _letters(piece) + AROUND for piece in cut) for cut in cuts)
        if wide > left:
            lines.append([])
            left = room
        lines[-1].append(cuts)
        left -= wide
    return lines


def _letters(piece):
    return len(piece.removeprefix("##"))
