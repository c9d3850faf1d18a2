"""The handbook as its pages have it: entries, and what is made of them, so that nothing is typed twice.

python tests/handbook.py    write the table of entries in each page's first cell, and the index, handbook/README.md
"""

import re
from dataclasses import dataclass

import nbformat

from reading import COURSE, NOT_WORDS, read

FOLDER = COURSE / "notebooks/handbook"
INDEX = FOLDER / "README.md"
TOPICS = """
tokens queries_keys_values scores softmax masks pytorch heads cross_attention positions blocks training speed cache
decoding interpretation clinic
"""
PAGES = [FOLDER / f"{topic}.ipynb" for topic in TOPICS.split()]
HEADING = re.compile(r"##+ (.+)")
ENTRY = re.compile(r"##+ (.+\?)\n\n\*\*(.+?)\*\*(?:\n|$)")
IN_THE_COURSE = "## Answered in the course\n"
TABLE = re.compile(r"\| your question \| in a few words \|\n\|---\|---\|\n(?:\|.+\n?)*")
SMALL = re.compile(r"<small>(.+?)</small>", re.DOTALL)
OPENING = """# The handbook

You have one question about attention. Look for a word of it with your browser's search, or begin with a topic. Each
answer leads to an entry in which a few lines show that it holds: run the first cell of its page, and then the entry.

People asked these questions in public, in issues and discussions of PyTorch and of libraries built on it, in forums,
and under tutorials; each entry links to some of them. If you have a layer that runs and is wrong, begin with
[the pattern table](clinic.ipynb) of the clinic. To learn from the beginning, take [the course](../00_start_here.ipynb).
"""


@dataclass
class Entry:
    """A question, its answer in a sentence, its group, its cells, and its small lines by their labels."""

    question: str
    answer: str
    group: str
    cells: list
    small: dict

    @property
    def address(self):
        return self.question.replace(" ", "-")

    @property
    def text(self):
        """Return its words without the heading and the small lines."""
        prose = "\n".join(cell.source for cell in self.cells if cell.cell_type == "markdown")
        return SMALL.sub("", prose.partition("\n")[2])


def entries(notebook):
    """Return the entries of a page, in their order."""
    page_entries, group, inside = [], "", False
    for cell in notebook.cells:
        prose = cell.source if cell.cell_type == "markdown" else ""
        if HEADING.match(prose):
            inside = bool(entry := ENTRY.match(prose))
            group = group if inside else HEADING.match(prose)[1]
            page_entries += [Entry(*entry.groups(), group, [], {})] if inside else []
        if inside:
            page_entries[-1].cells.append(cell)
            for part in re.split(r" · (?=[a-z ]+: )", " · ".join(SMALL.findall(prose))):
                page_entries[-1].small |= dict([part.strip().split(": ", 1)]) if ": " in part else {}
    return page_entries


def answered_in_the_course(notebook):
    """Return the questions of a page that a thread of the course answers, as lines of a list."""
    cells = [cell.source for cell in notebook.cells if cell.source.startswith(IN_THE_COURSE)]
    return re.findall(r"^- .+", "\n".join(cells), re.MULTILINE)


def words(text):
    """Return how many words a text has, without the addresses of its links."""
    return len(NOT_WORDS.sub("", text).split())


def with_table(notebook):
    """Return the first cell of a page with the table of its entries as they are now."""
    rows = [f"| [{entry.question}](#{entry.address}) | {entry.answer} |" for entry in entries(notebook)]
    table = "\n".join(["| your question | in a few words |", "|---|---|", *rows]) + "\n"
    return table.join(TABLE.split(notebook.cells[0].source + "\n")).rstrip("\n")


def index(pages):
    """Return the text of the index. pages: {file name: its notebook}."""
    links, lines = [], []
    for name, notebook in pages.items():
        title, page_entries, group = notebook.cells[0].source.splitlines()[0].removeprefix("# "), entries(notebook), ""
        links.append(f"[{title}, {len(page_entries)}](#{title.replace(' ', '-')})")
        lines.append(f"\n## {title}\n")
        for entry in page_entries:
            if entry.group != group:
                group = entry.group
                lines.append(f"\n### {group}\n")
            lines += [f"- **[{entry.question}]({name}#{entry.address})** {entry.answer}<br>"]
            asked = [f"also asked: {entry.small['also asked']}<br>"] if "also asked" in entry.small else []
            lines += [f"  <small>{''.join(asked)}also called: {entry.small['also called']}</small>"]
        if more := answered_in_the_course(notebook):
            lines += ["\n### In the course\n", *more]
    return "\n".join([OPENING, " · ".join(links), *lines]) + "\n"


if __name__ == "__main__":
    INDEX.write_text(index({path.name: read(path) for path in PAGES}), encoding="utf-8", newline="\n")
    for path in PAGES:
        notebook = nbformat.read(path, as_version=4)
        notebook.cells[0].source = with_table(notebook)
        path.write_text(nbformat.writes(notebook) + "\n", encoding="utf-8", newline="\n")
