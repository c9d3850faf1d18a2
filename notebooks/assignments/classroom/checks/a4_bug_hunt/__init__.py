"""Checks of the assignment a4_bug_hunt: a student's tests meet right and wrong attentions; causes; repairs."""

from classroom.checks.a4_bug_hunt import twelve
from classroom.checks.a4_bug_hunt.causes import causes
from classroom.checks.a4_bug_hunt.repairs import judge_repair, remarks
from classroom.checks.a4_bug_hunt.twelve import variation
from classroom.checks.a4_bug_hunt.verdicts import check_cries_no_wolf, judge_test, judge_verdicts
from classroom.checks.graded import graded_table

TESTS = {
    "check_test_rows": ("test_rows_sum_to_one stops where rows do not sum to 1, and nowhere else.", "rows"),
    "check_test_scale": ("test_scale stops at a wrong scale, and at nothing that is right without a mask.", "scale"),
    "check_test_hidden": ("test_hidden_keys stops where a hidden key is read, and at no right one.", "hidden"),
    "check_test_extremes": (
        "test_extremes stops where large scores or empty rows do harm, and at no right one.",
        "extremes",
    ),
    "check_test_order": ("test_order stops where tokens are mixed up, and at no right one.", "order"),
}
VERDICTS = {
    "check_finds_rows": ("is_right finds rows that do not sum to 1.", "rows"),
    "check_finds_scale": ("is_right finds a wrong scale.", "scale"),
    "check_finds_hidden": ("is_right finds hidden keys that are read.", "hidden"),
    "check_finds_extremes": ("is_right finds what large scores and empty rows break.", "extremes"),
    "check_finds_order": ("is_right finds tokens that are mixed up.", "order"),
}
REPAIRS = {f"check_repaired_{number}": (f"number {number} is repaired.", number) for number in twelve.REPAIRS}
globals().update(graded_table(judge_test, TESTS))
globals().update(graded_table(judge_verdicts, VERDICTS))
globals().update(graded_table(judge_repair, REPAIRS))
globals().update(causes)
