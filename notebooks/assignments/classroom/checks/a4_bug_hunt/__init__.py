"""Checks of the assignment a4_bug_hunt: a student's tests meet right and wrong attentions; causes; repairs."""

from classroom.checks.a4_bug_hunt import twelve
from classroom.checks.a4_bug_hunt.causes import causes
from classroom.checks.a4_bug_hunt.repairs import judge_repair, remarks
from classroom.checks.a4_bug_hunt.twelve import variation
from classroom.checks.a4_bug_hunt.verdicts import TESTS as TEST_NAMES
from classroom.checks.a4_bug_hunt.verdicts import check_cries_no_wolf, judge_test, judge_verdicts
from classroom.checks.graded import graded_table

FAULTS = {
    "rows": "rows that do not sum to 1",
    "scale": "a wrong scale",
    "hidden": "hidden keys that are read",
    "extremes": "what large scores and empty rows break",
    "order": "tokens that are mixed up",
}
TESTS = {
    f"check_test_{promise}": (f"{TEST_NAMES[promise]} stops at {fault}, and at nothing that is right.", promise)
    for promise, fault in FAULTS.items()
}
VERDICTS = {f"check_finds_{promise}": (f"is_right finds {fault}.", promise) for promise, fault in FAULTS.items()}
REPAIRS = {f"check_repaired_{number}": (f"number {number} is repaired.", number) for number in twelve.REPAIRS}
globals().update(graded_table(judge_test, TESTS))
globals().update(graded_table(judge_verdicts, VERDICTS))
globals().update(graded_table(judge_repair, REPAIRS))
globals().update(causes)
