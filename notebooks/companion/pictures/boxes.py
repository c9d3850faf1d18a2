"""A text as a tokenizer sees it: its pieces as boxes, with their ids, step by step."""

import html

from matplotlib.colors import to_hex

from companion.pictures.palette import EDGE, INK, MUTED, PAPER, ROLES, tint
from companion.pictures.table import LABEL, label, sheet

BOX = "display:inline-block;padding:0 0.4em;margin:1px;border-radius:3px;text-align:center"
OLD = f"border:1px solid {EDGE};background:{PAPER}"
NEW = f"border:2px solid {INK};background:{to_hex(tint(ROLES['input'].fill, 0.5))};font-weight:700"

NUMBER = f"display:block;border-top:1px solid {EDGE};font-weight:700;color:{ROLES['input'].ink}"


def boxes(steps, ids=None, title="Pieces"):
    """Show words cut into pieces, one row a step; a piece that is new in its step is framed and bold.

    steps: {name: words}, each word a text with spaces between its pieces; ids: {piece: id}, written below if given.
    Raises ValueError for a word without pieces or a piece without an id.
    """
    cut = {name: [word.split() for word in words] for name, words in steps.items()}
    for name, words in cut.items():
        if not words or not all(words):
            raise ValueError(f"the step {name!r} has a word without pieces, in {steps[name]}; leave it out")
        strange = {piece for word in words for piece in word} - (ids or {}).keys()
        if ids is not None and strange:
            raise ValueError(f"the ids have none for {', '.join(sorted(strange))}; encode with <unk>, or add them")
    return Boxes(cut, ids, title)


class Boxes:
    """A picture that `boxes` made; a cell that ends with it shows it."""

    def __init__(self, steps, ids, title):
        self.steps, self.ids, self.title = steps, ids, title

    def _repr_mimebundle_(self, **options):
        text = "; ".join(f"{name}: {' '.join('|'.join(word) for word in words)}" for name, words in self.steps.items())
        return {"text/plain": f"boxes: {text}", "text/html": self._page()}

    def _page(self):
        rows, known = "", {piece for word in next(iter(self.steps.values())) for piece in word}
        for name, words in self.steps.items():
            row = " &#160; ".join(self._word(word, known) for word in words)
            side = f"{LABEL};text-align:right;color:{MUTED};padding:0.3em 0.8em 0.3em 0"
            rows += f'<tr style="background:none"><th scope="row" style="{side}">{label(name)}</th>'
            rows += f'<td style="text-align:left;color:{INK}">{row}</td></tr>'
            known = {piece for word in words for piece in word}
        caption = f'<caption style="text-align:left;font-weight:600;color:{INK}">{html.escape(self.title)}</caption>'
        look = f"font-size:{14 if self.ids is None else 18}px;margin:0"
        return sheet(f'<table style="{look}">{caption}<tbody>{rows}</tbody></table>', self.title)

    def _word(self, word, known):
        return (
            f'<span style="white-space:nowrap">{"".join(self._box(piece, piece not in known) for piece in word)}</span>'
        )

    def _box(self, piece, new):
        number = "" if self.ids is None else f'<span style="{NUMBER}">{self.ids[piece]}</span>'
        return f'<span style="{BOX};{NEW if new else OLD}">{label(piece)}{number}</span>'
