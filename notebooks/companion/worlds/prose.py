"""A text that a small model may learn from, cut into pieces of words. Used in notebook 18."""

import functools
import re
from pathlib import Path

import nbformat
import torch

from companion.course_answers import joined, merges_learned

COURSE = Path(__file__).parents[2]
SIGNPOSTS = "In the handbook", "Next:", "Your mine.py"  # the last lines of a notebook
LINK, MARKS = re.compile(r"\[([^\]]*)\]\([^)]*\)"), re.compile("[*`]")
COUNTED = 1_000  # words from which the merges are learned: more would take too long
LENGTH = 32  # tokens that a model reads at once


def course_prose():
    """Return the sentences of all notebooks of the course, a paragraph a line: no headings, hints or tables."""
    cells = [cell for path in sorted(COURSE.glob("[0-9][0-9]_*.ipynb")) for cell in nbformat.read(path, 4).cells]
    prose = [cell.source for cell in cells if cell.cell_type == "markdown" and "<details>" not in cell.source]
    lines = [MARKS.sub("", LINK.sub(r"\1", line)) for source in prose for line in source.splitlines()]
    plain = [line for line in lines if line[:1].isalpha() and not {*"[]$|<"} & {*line}]
    return "\n".join(line for line in plain if not line.startswith(SIGNPOSTS))


def byte_pairs(text, num_merges):
    """Cut a text into tokens by merges that are learned from it, starting from letters, as in notebook 01.

    A word takes the space before it along, and all else is a token by itself, so the tokens joined are the text.
    >>> byte_pairs("eat eat eat, beat", 2)
    ['eat', ' ', 'eat', ' ', 'eat', ',', ' ', 'b', 'eat']
    """
    words = re.findall(r" ?\w+|\W", text)
    merges = merges_learned(words[:COUNTED], num_merges)
    cut = functools.cache(lambda word: functools.reduce(joined, merges, [*word]))
    return [token for word in words for token in cut(word)]


def in_pieces(text, encode, num_merges=250):
    """Return the ids of a text cut by `byte_pairs`, and the pieces that they stand for; encode: that of notebook 01."""
    cut = byte_pairs(text, num_merges)
    known = [*sorted({*cut}), "<unk>"]
    return torch.tensor(encode(cut, known)), known


def windows(ids, steps, size=8, length=LENGTH):
    """Yield for each step `size` pieces of a text's ids, and the same one token later, both (size, length).

    Raises ValueError if the text is too short for that.
    """
    if len(ids) <= length:
        raise ValueError(f"the text has {len(ids)} tokens, and needs more than {length}; take a longer one")
    for _ in range(steps):
        rows = ids[torch.randint(len(ids) - length, (size, 1)) + torch.arange(length + 1)]
        yield rows[:, :-1], rows[:, 1:]


@torch.no_grad()
def go_on(model, ids, known, shares, num_tokens=100):
    """Return a text's first piece and `num_tokens` more, drawn by a model; known: the pieces; shares: as in `write`."""
    line = ids[None, :1]
    for _ in range(num_tokens):
        logits, _ = model(line[:, -LENGTH:])
        line = torch.cat([line, torch.multinomial(shares(logits[:, -1]), 1)], dim=1)
    return "".join(known[piece] for piece in line[0])
