"""How the reader's file is laid out: imports, then the pieces in the course's order, each under a line that names it.

What the reader writes there by hand, outside the pieces, stays as it is.
"""

import ast
import re
import sys
from itertools import takewhile
from typing import NamedTuple

from companion.mine_sources import Unfit, defined, own_lines, used

START = '"""My own pieces of attention. The course keeps here what its checks call correct; change it as you like."""\n'
HEADER = re.compile(r"# Notebook (\d\d): (\w+)(?:, for (\w+))?$")  # a helper is kept for a piece


class Section(NamedTuple):
    """A definition with the line that names it; `start` and `end` are line numbers from 0.

    number: its notebook, "06", None if it was written by hand; owner: the piece that a helper was kept for, else None.
    """

    start: int
    end: int
    source: str
    number: str | None
    owner: str | None


def sections(text):
    """Return {name: Section} of all that a text defines, in its order."""
    found, lines, free = {}, text.split("\n"), 0
    for node in ast.parse(text).body:
        source = own_lines(node, lines)
        first = node.end_lineno - len(source)
        for name in defined(node):
            headers = [(place, HEADER.match(lines[place])) for place in range(free, first)]
            start, header = next(((place, line) for place, line in headers if line and line[2] == name), (first, None))
            number, owner = (header[1], header[3]) if header else (None, None)
            found[name] = Section(start, node.end_lineno, "\n".join(source), number, owner)
        free = node.end_lineno
    return found


def count(text):
    """Return how many pieces a text has; helpers do not count."""
    return sum(1 for section in sections(text).values() if section.number and not section.owner)


def merged(text, number, name, texts, imports):
    """Return the text with one piece more, and a list of what it replaced.

    number: the notebook, "06"; texts: {name: source} of the piece and its helpers; imports: lines that these need.
    Raises Unfit if one of their names already stands for something else.
    """
    replaced = []
    for each, source in texts.items():
        old, owner = sections(text).get(each), None if each == name else name
        if old and old.source == source and (owner or not old.owner):
            continue
        if old and old.source != source:
            _check_may_replace(old, each, name, number)
            replaced.append("\n".join(text.split("\n")[old.start : old.end]))
        text = _put(text, old, name, old.number if old else number, each, owner, source)
    return _with_imports(text, imports, texts, "\n".join(replaced)), replaced


def _check_may_replace(old, each, name, number):
    """Raise Unfit if the old section belongs to something else than this piece."""
    rename = "" if each == name else f"; give your helper {each} another name"
    if old.number is None:
        raise Unfit(f"you wrote another {each} there by hand{rename}")
    if old.number != number:
        raise Unfit(f"notebook {old.number} kept another {each} there{rename}")
    if each != name and old.owner is None:
        raise Unfit(f"it uses a {each} that is not the one there; run the check of {each} first")
    if each != name and old.owner != name:
        raise Unfit(f"{old.owner} uses another {each} there{rename}")


def _put(text, old, piece, number, name, owner, source):
    """Write a section where the old one stood, else where it belongs: in notebook order, a helper before its piece."""
    lines, found = text.split("\n"), sections(text)
    block = [f"# Notebook {number}: {name}" + (f", for {owner}" if owner else ""), *source.split("\n")]
    if old:
        return "\n".join([*lines[: old.start], *block, *lines[old.end :]])
    later = [section.start for section in found.values() if section.number and section.number > number]
    place = found[piece].start if piece in found else min(later, default=len(lines))
    before, after = "\n".join(lines[:place]).rstrip("\n"), "\n".join(lines[place:]).strip("\n")
    return "\n\n\n".join(part for part in (before, "\n".join(block), after) if part) + "\n"


def _with_imports(text, wanted, texts, replaced):
    """Return the text with these lines among the imports at its top, and without those that it no longer needs.

    What the file itself defines is not imported. Imports that the reader rearranged by hand only grow.
    """
    tree, lines, own = ast.parse(text), text.split("\n"), sections(text)
    opening = tree.body[0].end_lineno if ast.get_docstring(tree) is not None else 0
    nodes = list(takewhile(lambda node: isinstance(node, ast.Import | ast.ImportFrom), tree.body[bool(opening) :]))
    first, last = (nodes[0].lineno - 1, nodes[-1].end_lineno) if nodes else (opening, opening)
    block, old = lines[first:last], {line for node in nodes for line in _single(node)}
    wanted = {_bound(line): line for line in wanted if _bound(line) not in own}
    others = used("\n".join(lines[last:]), without=texts)
    for line in sorted(old):
        if wanted.get(_bound(line), line) != line and _bound(line) in others:
            raise Unfit(f"its {_bound(line)} is not the one that other pieces use there ({line})")
    needs = others.union(*map(used, texts.values())) - own.keys()
    idle = (used(replaced) | texts.keys()) - needs
    new = {line for line in old if _bound(line) not in idle | wanted.keys()} | set(wanted.values())
    if block != _arranged(old):
        block, new = [*block, *sorted(new - old)], new | old
    else:
        block = _arranged(new)
    gap = [""] if opening and not nodes else []
    return text if new == old else "\n".join([*lines[:first], *gap, *block, *lines[last:]])


def _arranged(imports):
    """Return import lines in groups with an empty line between: Python's own, others, the course's."""
    groups = [[], [], []]
    for line in sorted(imports, key=lambda line: (line.startswith("from"), line)):
        package = re.split(r"[ .]", line)[1]
        groups[2 if package in ("utils", "companion") else int(package not in sys.stdlib_module_names)].append(line)
    return "\n\n".join("\n".join(group) for group in groups if group).split("\n") if imports else []


def _single(node):
    """Return the lines of an import, one for each name."""
    return [ast.unparse(type(node)(**{**vars(node), "names": [alias]})) for alias in node.names]


def _bound(line):
    return line.split()[-1]
