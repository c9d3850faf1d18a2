"""How GPT-2 cuts “strawberry”: those of its published merges that apply, and a picture of them. In notebook 01."""

from companion.course_answers import merges_applied
from companion.pictures.live.notebook_01_typed import typed

# By the id of the token that each makes, in their order; Ġ is a space.
MERGES = {263: "e r", 264: "Ġ s", 301: "s t", 336: "Ġs t", 430: "r a", 527: "b er", 563: "r y"}
MERGES |= {1831: "ra w", 8396: "ber ry", 14787: "Ġst raw", 41236: "Ġstraw berry"}


def strawberry():
    """Show the word at the start of a text, merge by merge; an r that is a token of its own is framed."""
    ids = {letter: ord(letter) - 33 for letter in "strawbey"}  # GPT-2's first ids are those of the signs from “!” on
    pairs = {number: tuple(pair.split()) for number, pair in MERGES.items() if "Ġ" not in pair}
    ids |= {"".join(pair): number for number, pair in pairs.items()}
    title = "“strawberry”, as GPT-2 reads it"
    return typed(["strawberry"], ids, [*pairs.values()], merges_applied, mark=["r"], title=title, field=False)
