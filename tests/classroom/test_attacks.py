"""A class in which much goes wrong: each grade is as it should be, and no submission touches another's."""

import html

import attacks
import pytest

from classroom.grader import bounds, remote, wire

pytestmark = pytest.mark.filterwarnings("ignore:Non-unique cell id")  # of a submission with its tests twice


@pytest.fixture(scope="module")
def graded(tmp_path_factory):
    """Grade the attacks within small bounds: {student: row of grades.csv}, and {student: text of the page}."""
    with pytest.MonkeyPatch.context() as monkeypatch:
        monkeypatch.setattr(bounds, "PROCESSOR_SECONDS", 20)
        monkeypatch.setattr(bounds, "MEMORY", 128 << 20)
        rows, pages = grade(tmp_path_factory.mktemp("class"), attacks.CASES.keys() - attacks.ENDLESS)
        monkeypatch.setattr(remote, "LIMITS", remote.LIMITS | {"busy": 0.1})
        for module in (bounds, wire):
            monkeypatch.setattr(module, "WATCH_EVERY", 0.02)
        endless = grade(tmp_path_factory.mktemp("class"), attacks.ENDLESS)
    return rows | endless[0], pages | endless[1]


def grade(folder, names):
    """Grade these attacks with one command."""
    code, rows = attacks.grade(folder, {name: attacks.CASES[name][0] for name in names})
    assert code == 0
    pages = {name: (folder / "out" / row["feedback"]).read_text(encoding="utf-8") for name, row in rows.items()}
    assert len(pages) == len(list((folder / "out" / "feedback").iterdir())) == len(names)
    return rows, pages | {f"by hand {len(names)}": (folder / "out" / "by_hand.html").read_text(encoding="utf-8")}


@pytest.mark.parametrize("name", attacks.CASES)
def test_the_grade_is_what_was_earned_and_the_feedback_says_what_happened(graded, name):
    rows, pages = graded
    _, points, words = attacks.CASES[name]
    row, feedback = rows[row_name(name)], html.unescape(pages[row_name(name)])
    assert row[attacks.POINTS] == str(points), row
    for part in words:
        assert part in feedback
    if points == attacks.FULL and not words:
        assert row["notes"] == "no answer in words was found: explain_repeated"


def test_nothing_that_a_student_wrote_is_active_in_a_page(graded):
    for name, page in graded[1].items():
        assert "<script" not in page, name


def row_name(name):
    """Return the name that the table has, which is no formula."""
    return f"'{name}" if name.startswith("=") else name
