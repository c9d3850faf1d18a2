"""A field to type into: each word is cut into tokens as one types, and each token has its id below it."""

from companion.pictures.live.base import Live
from companion.pictures.live.still import Drawn, box, draw_text, sheet
from companion.pictures.palette import EDGE, INK, PAPER, ROLES, tint
from companion.pictures.picture import Picture
from companion.pictures.table import label, plain_table, role_row

UNKNOWN = "<unk>"
LETTER, AROUND, GAP, BETWEEN, MOST = 11, 16, 3, 18, 660  # pixels: of a letter, a token, from it to the next, a line


def typed(texts, parts, merges=(), merge=None, mark=(), title="Type, and see the tokens", field=True):
    """Show a field to type into, and below it the tokens of what is in it, with their ids.

    texts: what is in the field at first, and more to choose from; parts: the vocabulary, a list of tokens, or {token:
    id}; one that is not in it has the id of "<unk>", or "none". merges: pairs of tokens, applied in their order to the
    letters of each word, in Python by `merge(letters, merges)`, such as the reader's own, a slider takes the last ones
    away; without them each word is one token. mark: tokens that are framed; the button of a text that has one bears its
    name. field: without it the first text, one word, cannot be changed, and stands letter by letter above its tokens.
    Raises ValueError for merges without a function, or a first text without a word.
    """
    if merges and merge is None:
        raise ValueError("the merges need the function that applies them: give merge=apply_merges")
    if not texts or not texts[0].split():
        raise ValueError(f"the first text is to have a word; {texts} was given")
    parts = parts if isinstance(parts, dict) else {part: number for number, part in enumerate(parts)}
    data = {"texts": list(texts), "parts": parts, "merges": [" ".join(pair) for pair in merges], "mark": list(mark)}
    data |= {"unknown": str(parts.get(UNKNOWN, "none")), "field": field}
    cuts = [merge([*word], merges) if merges else [word] for word in texts[0].split()]
    pieces = [piece for cut in cuts for piece in cut]
    numbers = [str(parts.get(piece, data["unknown"])) for piece in pieces]

    def says(quote):
        count = f"{len(pieces)} tokens, with the ids" if pieces[1:] else "1 token, with the id"
        strange = ", ".join(f"“{quote(piece)}”" for piece in dict.fromkeys(pieces) if piece not in parts)
        return f"{count} {', '.join(numbers)}." + (f" Not in the vocabulary: {strange}." if strange else "")

    rows = [role_row([label(piece), number], ["input"] * 2) for piece, number in zip(pieces, numbers)]
    table = plain_table(role_row(["token", "id"], ["input"] * 2, "th"), *rows)
    drawn = data | {"cuts": cuts, "numbers": numbers}
    return Live("typed", data, Drawn(_draw, drawn, table), says, title, ("words",))


def _draw(data):
    """Draw the field with its text, and below it each token as a box with its id."""
    places, x, y = [], 1, 66 if data["field"] else 40
    for cut in data["cuts"]:
        wide = [LETTER * max(len(piece), 2) + AROUND if data["field"] else 33 * len(piece) - 3 for piece in cut]
        if x > 1 and x + sum(wide) > MOST:
            x, y = 1, y + 66
        for piece, width in zip(cut, wide):
            places.append((piece, x, y, width))
            x += width + GAP
        x += BETWEEN
    figure, axes = sheet(max(480, *(left + wide for _, left, _, wide in places)) + 4, y + 62)
    if data["field"]:
        box(axes, 1, 2, 460, 38, PAPER, EDGE, round=4)
        draw_text(axes, 12, 21, data["texts"][0], size=16, side="left")
    else:  # its letters, each above the token that it is in
        for place, letter in enumerate(data["texts"][0]):
            edge = INK if letter in data["mark"] else "none"
            box(axes, 1 + 33 * place, 2, 30, 32, PAPER, edge, round=4, linewidth=1.6)
            draw_text(axes, 16 + 33 * place, 18, letter, size=18, path_effects=None)
    for (piece, left, top, wide), number in zip(places, data["numbers"]):
        known = piece in data["parts"]
        fill = tint(ROLES["input"].fill, 0.4) if known else PAPER
        style = {} if known else {"edge": INK, "linestyle": "--"}
        style |= {"edge": INK, "linewidth": 1.6} if piece in data["mark"] else {}
        box(axes, left, top, wide, 54, fill, round=4, **style)
        draw_text(axes, left + wide / 2, top + 18, piece, size=18, path_effects=None)
        draw_text(axes, left + wide / 2, top + 40, number, size=13, path_effects=None)
    words = ", ".join(f"{piece} {number}" for (piece, *_), number in zip(places, data["numbers"]))
    return Picture(figure, f"The text “{data['texts'][0]}”, and below it the tokens with their ids: {words}.")
