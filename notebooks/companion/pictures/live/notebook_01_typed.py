"""A field to type into: each word is cut into tokens as one types, and each token has its id below it."""

from companion.pictures.live.base import Live
from companion.pictures.table import label, plain_table, role_row

UNKNOWN = "<unk>"


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
    return Live("typed", data, table, says, title, ("words",))
