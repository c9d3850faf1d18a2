"""A text as a tokenizer sees it: its pieces as boxes, step below step, each piece as wide as what it is made from."""

import html
from itertools import accumulate

from matplotlib.colors import to_hex

from companion.pictures.palette import EDGE, INK, MUTED, PAPER, ROLES, tint
from companion.pictures.table import FILL_SHEET, LABEL, Page, label

# A table for each word, so that the words find room on a phone: in it all steps stay below each other. The steps lie
# farther apart than the words, so that each reads as a row.
WORD = "display:inline-table;border-collapse:separate;border-spacing:2px 10px;margin:0 0.6em 0.2em 0;vertical-align:top"
PHONE, SIZE = 330, 14  # pixels: the room for a line with its names, and of the letters
LETTER, AROUND = 0.62, 1.0  # em: how wide a letter is, and what surrounds a piece
BOX = "padding:0 0.3em;min-width:0.75em;border-radius:3px;text-align:center;white-space:nowrap"
OLD, NEW = f"border:1px solid {EDGE}", f"border:2px solid {INK};font-weight:700"
NEXT = to_hex(tint(ROLES["key"].fill, 0.3))  # the paper of what is joined next: here no color has a role
SIDE = f"{LABEL};padding:0 0.5em 0 0;text-align:right;color:{MUTED}"


def boxes(steps, mark=None, title="Pieces"):
    """Show words cut into pieces, one row a step; what the next step joins is shaded, what is new framed and bold.

    steps: {name: words}, equally many in each step, each a text with spaces between its pieces; mark: the pieces that
    are framed in place of the new ones, where no step joins what another has.
    Raises ValueError for a word without pieces, or a step with more or fewer words.
    """
    cut = {name: [word.split() for word in words] for name, words in steps.items()}
    for name, words in cut.items():
        if not words or not all(words):
            raise ValueError(f"the step {name!r} has a word without pieces, in {steps[name]}; leave it out")
        if len(words) != len(next(iter(cut.values()))):
            raise ValueError(f"the step {name!r} has {len(words)} words, and the first step has another number")
    room = PHONE / SIZE - LETTER * max(map(len, steps)) - AROUND
    names = [f'<th scope="row" style="{SIDE}">{label(name)}</th>' for name in steps]
    page = f'<p style="margin:0 0 0.3em;font-weight:600">{html.escape(title)}</p>'
    for number, words in enumerate(_lines([*zip(*cut.values())], room)):
        # One line where there is room; on a phone a website breaks it, and shows the names again.
        tables = _table(names, again=number > 0) + "".join(_table(_word(cuts, mark)) for cuts in words)
        page += f'<div class="boxes-line" style="display:inline">{tables}</div>'
    if NEXT in page:
        says = "Amber: joined next. Framed: just joined."
        page += f'<p style="margin:0.3em 0 0;color:{MUTED};{FILL_SHEET}">{says}</p>'
    text = "; ".join(f"{name}: {' '.join('|'.join(word) for word in words)}" for name, words in cut.items())
    return Page(f"boxes: {text}", page, title)


def _table(rows, again=False):
    body = "".join(f'<tr style="background:none;height:1.9em">{row}</tr>' for row in rows)
    kind, hidden = (' class="boxes-again"', ";display:none") if again else ("", "")
    return f'<table{kind} style="{WORD};font-size:{SIZE}px;color:{INK}{hidden}"><tbody>{body}</tbody></table>'


def _word(cuts, mark):
    """Return the rows of one word: columns as narrow as a letter, and as many as its longest row has letters."""
    wide = max(sum(map(len, cut)) for cut in cuts)
    known, rows = set(cuts[0]), []
    for cut, after in zip(cuts, [*cuts[1:], cuts[-1]]):
        *first, last = cut
        spans = [*map(len, first), wide - sum(map(len, first))]
        framed = set(cut) - known if mark is None else mark
        ends, kept = [0, *accumulate(map(len, cut))], {0, *accumulate(map(len, after))}
        joined = [mark is None and not kept.issuperset(pair) for pair in zip(ends, ends[1:])]
        row = ""
        for piece, span, soon in zip(cut, spans, joined):
            look = f"{BOX};{NEW if piece in framed else OLD};background:{NEXT if soon else PAPER}"
            row += f'<td colspan="{span}" style="{look}">{label(piece)}</td>'
        rows.append(row)
        known = set(cut)
    return rows


def _lines(words, room):
    """Return the words in lines that have room on a phone."""
    lines, left = [], 0
    for cuts in words:
        wide = max(sum(LETTER * len(piece) + AROUND for piece in cut) for cut in cuts)
        if wide > left:
            lines.append([])
            left = room
        lines[-1].append(cuts)
        left -= wide
    return lines
