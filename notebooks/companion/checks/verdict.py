"""What a check says of an answer, as a notebook shows it: a sign, a color and words, and of a mask a picture, too."""

import html

from companion.pictures.palette import INK, MASKED, MUTED, PAPER, VERDICT_SIGNS
from companion.pictures.table import SHEET
from companion.verdict_words import CORRECT

LARGEST = 6  # rows and columns of a mask that are shown: more would not fit beside the ones expected
TABLE_STYLE = 'style="border-collapse:separate;border-spacing:2px;font-size:13px;margin:0 1.5em 0 0"'


class Verdict:
    """What a check says. Its plain text is one line; a cell that ends with it shows it.

    kind: a key of VERDICT_SIGNS; words: the praise, or the likely cause; masks: (result, wanted), boolean, of a mask.
    """

    def __init__(self, kind, words="", masks=None):
        self.kind, self.words, self.masks, self.correct = kind, words, masks, kind == CORRECT

    def __repr__(self):
        return f"{self.kind}: {self.words}" if self.words else self.kind

    def _repr_html_(self):
        sign, color = VERDICT_SIGNS[self.kind]
        badge = f'<span aria-hidden="true" style="background:{color};color:{PAPER};padding:0 0.4em">{sign}</span>'
        words = f": {html.escape(self.words)}" if self.words else ""
        style = f"border-left:4px solid {color};padding:0.2em 0.6em;white-space:pre-wrap"
        line = f'<div role="status" style="{style}">{badge} <b>{self.kind}</b>{words}</div>'
        return line + (_beside(*self.masks, color) if self.masks else "")


def _beside(mask, wanted, color):
    """Return a mask beside the one expected, its wrong entries framed and counted; nothing if they do not compare."""
    if mask.shape != wanted.shape or wanted.ndim != 2 or max(wanted.shape) > LARGEST:
        return ""
    wrong = mask != wanted
    title = f"yours: {int(wrong.sum())} of {wrong.numel()} wrong (framed)"
    tables = _mask(title, mask, wrong, color) + _mask("expected", wanted, wrong & False, color)
    return f'<div style="{SHEET}"><div style="display:flex;flex-wrap:wrap">{tables}</div></div>'


def _mask(title, mask, wrong, color):
    rows = "".join(
        f'<tr style="background:none">{"".join(map(_entry, row, marks, [color] * len(row)))}</tr>'
        for row, marks in zip(mask.tolist(), wrong.tolist())
    )
    caption = f'<caption style="text-align:left;color:{INK}">{title}</caption>'
    return f"<table {TABLE_STYLE}>{caption}<tbody>{rows}</tbody></table>"


def _entry(true, wrong, color):
    face = f"background:{PAPER};color:{INK}" if true else f"background:{MASKED};color:{MUTED}"
    frame = color if wrong else "transparent"
    return f'<td style="{face};border:2px solid {frame};padding:2px 3px;text-align:center">{true}</td>'
