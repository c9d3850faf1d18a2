"""A class in which much goes wrong: each grade is as it should be, and no submission touches another's."""

import html

import attacks
import pytest

from classroom.grader import bounds, remote

pytestmark = pytest.mark.filterwarnings("ignore:Non-unique cell id")  # of a submission with its tests twice


@pytest.fixture(scope="module")
def graded(tmp_path_factory):
    """Grade the attacks within small bounds: {student: row of grades.csv}, and {student: text of the page}."""
    folder = tmp_path_factory.mktemp("class")
    with pytest.MonkeyPatch.context() as monkeypatch:
        monkeypatch.setattr(bounds, "PROCESSOR_SECONDS", 20)
        monkeypatch.setattr(bounds, "MEMORY", 128 << 20)
        monkeypatch.setitem(remote.LIMITS, "busy", 0.5)
        code, rows = attacks.grade(folder, {name: change for name, (change, *_) in attacks.CASES.items()})
    assert code == 0
    pages = {name: (folder / "out" / row["feedback"]).read_text(encoding="utf-8") for name, row in rows.items()}
    assert len(pages) == len(list((folder / "out" / "feedback").iterdir())) == len(attacks.CASES)
    return rows, pages | {"by hand": (folder / "out" / "by_hand.html").read_text(encoding="utf-8")}


@pytest.mark.parametrize("name", attacks.CASES)
def test_the_grade_is_what_was_earned_and_the_feedback_says_what_happened(graded, name):
    rows, pages = graded
    _, points, words = attacks.CASES[name]
    row_name = f"'{name}" if name.startswith("=") else name  # which is no formula
    row, feedback = rows[row_name], html.unescape(pages[row_name])
    assert row[attacks.POINTS] == str(points), row
    for part in words:
        assert part in feedback
    assert name != "as in Jupyter" or row["notes"].count(";") == 1, row["notes"]  # and no cell stopped
    if points == attacks.FULL and not words:
        assert row["notes"] == "no answer in words was found: explain_repeated"


def test_nothing_that_a_student_wrote_is_active_in_a_page(graded):
    for name, page in graded[1].items():
        assert "<script" not in page, name
