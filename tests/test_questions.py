"""The page of questions and answers: each link leads to a section of a notebook in which a run answers it."""

import re
from urllib.parse import unquote

from reading import COURSE, read

PAGE = (COURSE / "notebooks/questions.md").read_text(encoding="utf-8")
QUESTIONS = re.findall(r"^- .+(?:\n  .+)*", PAGE, re.MULTILINE)
FORM = re.compile(
    r"- \*\*.+\?\*\*<br>\n  .+\. \[\d\d .+?\]\((\d\d_\w+\.ipynb)#([^)]+)\)<br>\n"
    r"  <small>asked: \[.+\]\(https?://[^)]+\)</small>"
)


def answered(notebook):
    """Return {address of a heading: whether a cell of its section has an output}."""
    found, above = {}, []
    for cell in notebook.cells:
        if cell.cell_type == "code" and cell.outputs:
            found |= {address: True for _, address in above}
        for level, heading in re.findall(r"^(#+) (.+)$", cell.source * (cell.cell_type == "markdown"), re.MULTILINE):
            above = [each for each in above if each[0] < len(level)] + [(len(level), heading.replace(" ", "-"))]
            found.setdefault(above[-1][1], False)
    return found


def test_each_question_leads_to_a_section_with_a_run_and_to_who_asked():
    runs = {path.name: answered(read(path)) for path in (COURSE / "notebooks").glob("*.ipynb")}
    for question in QUESTIONS:
        assert (link := FORM.fullmatch(question)), question
        assert runs[link[1]].get(unquote(link[2])), question
