"""A class in which much goes wrong: each grade is as it should be, and no submission touches another's."""

import csv
import html

import attacks
import pytest

from classroom.__main__ import main
from classroom.grader import judging


@pytest.fixture(scope="module")
def graded(tmp_path_factory):
    """Grade all the attacks with one command: {student: row of grades.csv}, and the folder of results."""
    folder = tmp_path_factory.mktemp("class")
    attacks.write_all(folder / "submitted")
    patient = dict(judging.LIMITS)
    judging.LIMITS.update(busy=2)
    try:
        assert main(["grade", attacks.NAME, str(folder / "submitted"), str(folder / "out"), "--inputs", "1"]) == 0
    finally:
        judging.LIMITS.update(patient)
    with open(folder / "out" / "grades.csv", encoding="utf-8-sig", newline="") as file:
        rows = {row["student"]: row for row in csv.DictReader(file)}
    return rows, folder / "out"


@pytest.mark.parametrize("name", attacks.CASES)
def test_the_grade_is_what_was_earned_and_the_feedback_says_what_happened(graded, name):
    rows, folder = graded
    _, points, words = attacks.CASES[name]
    row = rows[row_name(name)]
    feedback = html.unescape((folder / row["feedback"]).read_text(encoding="utf-8"))
    assert row[f"points (of {attacks.FULL})"] == str(points), row
    for part in words:
        assert part in feedback


def test_nothing_that_a_student_wrote_is_active_in_a_page(graded):
    _, folder = graded
    for page in [*(folder / "feedback").iterdir(), folder / "by_hand.html"]:
        assert "<script" not in page.read_text(encoding="utf-8"), page


def test_every_student_has_a_row_and_a_page(graded):
    rows, folder = graded
    assert len(rows) == len(attacks.CASES)
    assert len(list((folder / "feedback").iterdir())) == len(attacks.CASES)


def row_name(name):
    """Return the name that the table has: an export's marks removed, and no formula."""
    name = name.split("_assignsubmission_")[0]
    return f"'{name}" if name.startswith("=") else name
