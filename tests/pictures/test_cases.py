import re

import nbformat
from nbformat.v4 import new_code_cell, new_markdown_cell, new_notebook

from companion.pictures.cases import HEAD, cases, marks

FOUND = {"One": ["a_beginning_stays", "twice_the_same"], "Two": ["twice_the_same"]}
COLUMNS = ["a_beginning_stays", "twice_the_same"]
HEADINGS = {"One": "Here & there (2 minutes)", "Two": "The queries' axis (1 minute)"}


def rows(picture):
    """The rows of a table as texts, without their markup."""
    found = re.findall("<tr.*?</tr>", picture.content)
    return [[re.sub("<.*?>", "", cell) for cell in re.findall(r"<t[dh].*?</t[dh]>", row)] for row in found]


def test_a_square_stands_where_a_test_finds_an_error_and_each_row_leads_to_its_case():
    picture = marks(FOUND, COLUMNS, {"One": [], "Two": ["a_beginning_stays"]}, HEADINGS, "says")
    head, counts, *others = rows(picture)
    assert head == ["case ↓ test →", "beginning", "twice"] and counts == ["errors found", "1", "2"]
    assert others == [["Here &amp; there One", "■", "■"], ["The queries&#x27; axis Two", "", "■"]]
    assert 'href="#Here-&amp;-there-(2-minutes)"' in picture.content
    assert re.findall("font-weight:700.*?([A-Z][a-z]+)</span>", picture.content) == ["Two"]
    assert "Two: twice_the_same. Found by each: a_beginning_stays 1, twice_the_same 2." in picture.text


def test_the_head_stands_again_where_it_would_be_out_of_sight():
    many = {f"Case{place}": ["twice_the_same"] for place in range(2 * HEAD)}
    picture = marks(many, COLUMNS, dict.fromkeys(many, []), dict.fromkeys(many, "Here (2 minutes)"), "says")
    assert [place for place, row in enumerate(rows(picture)) if "twice" in row] == [0, 2 + HEAD]


def test_a_case_is_the_heading_over_the_code_that_examines_its_class(tmp_path):
    cells = [
        new_markdown_cell("### First (1 minute)\n\nWords."),
        new_code_cell("class Wrong:\n    pass\n\n\nbeside(Wrong)"),
        new_markdown_cell("No heading."),
        new_markdown_cell("### Second (2 minutes)"),
        new_code_cell("keep(Other, set(), found)\nbeside(Third, right)"),
    ]
    nbformat.write(new_notebook(cells=cells), tmp_path / "clinic.ipynb")
    first, second = "First (1 minute)", "Second (2 minutes)"
    assert cases(tmp_path / "clinic.ipynb") == {"Wrong": first, "Other": second, "Third": second}
