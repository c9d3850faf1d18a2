"""The cases of the clinic in a table: which test finds which error, and where it stands."""

import html
import json
import re
from pathlib import Path

from companion.pictures.palette import INK, MUTED, ROLES, TRACK
from companion.pictures.table import WORDS, Page

SHORT = re.compile("alone|apart|beginning|counts|order|copies|twice|large|learns|reference")  # a test's name in a word
HEAD = 13  # rows of the table, before its head stands there again


def cases(notebook):
    """Return {class: the heading of its case} of a notebook, in which `beside` or `keep` examines the class."""
    found, heading = {}, ""
    for cell in json.loads(Path(notebook).read_text(encoding="utf-8"))["cells"]:
        source = "".join(cell["source"])
        heading = source.partition("\n")[0][4:] if source.startswith("### ") else heading
        found |= dict.fromkeys(re.findall(r"^(?:beside|keep)\((\w+)", source, re.MULTILINE), heading)
    return found


def marks(found, columns, untested, headings, caption):
    """Return a table with a square where a column finds a row, and a dot where it does not; its rows are links.

    found: {row: the columns that find it}; columns: their names; untested: {row: the columns that say nothing of it},
    cells that stay empty; headings: {row: the heading that its link leads to}. A row that only the last column finds
    is bold. Raises ValueError for a row that no column finds.
    """
    if missed := [row for row, by in found.items() if not set(by) & set(columns)]:
        raise ValueError(f"no column finds {', '.join(missed)}")
    center, left = "text-align:center", "text-align:left"
    names = "".join(
        f'<th scope="col" title="{name}" style="{center};font-weight:600;font-size:11px">{SHORT.search(name)[0]}</th>'
        for name in columns
    )
    head = f'<tr style="background:none"><td style="{left};color:{MUTED}">case ↓ test →</td>{names}</tr>'
    counts = {name: sum(name in by for by in found.values()) for name in columns}
    numbers = "".join(f'<td style="{center}">{number}</td>' for number in counts.values())
    body = f'<tr style="background:none"><th style="{left}">errors found</th>{numbers}</tr>'
    for place, (row, by) in enumerate(found.items()):
        signs = ("■" if name in by else "" if name in untested[row] else "·" for name in columns)
        title, heavy = headings[row].rpartition(" (")[0], 700 if set(by) == {columns[-1]} else 400
        address = html.escape(headings[row].replace(" ", "-"))
        link = f'<a href="#{address}" style="color:{ROLES["score"].ink}">{html.escape(title)}</a>'
        body += head * (place % HEAD == 0 and place > 0)
        body += f'<tr style="background:{TRACK if place % 2 else "none"}">'
        body += f'<th style="{left};font-weight:{heavy}">{link} '
        body += f'<span style="color:{MUTED};font-size:11px">{row}</span></th>'
        body += "".join(f'<td style="{center}">{sign}</td>' for sign in signs) + "</tr>"
    facts = "; ".join(f"{row}: {', '.join(name for name in columns if name in by)}" for row, by in found.items())
    counted = ", ".join(f"{name} {number}" for name, number in counts.items())
    look = f"border-collapse:separate;border-spacing:2px;font-size:13px;margin:0;color:{INK}"
    says = f'<p style="margin:0.3em 0 0;color:{MUTED};{WORDS}">{html.escape(caption)}</p>'
    page = f'<table cellpadding="3" style="{look}"><thead>{head}</thead><tbody>{body}</tbody></table>{says}'
    return Page(f"marks: {facts}. Found by each: {counted}.", page, "What finds which error")
