"""Checks of the assignment a4_bug_hunt: a student's tests meet right and wrong attentions; causes; repairs."""

from classroom.checks.a4_bug_hunt.causes import told_when_graded
from classroom.checks.a4_bug_hunt.numbering import variation
from classroom.checks.a4_bug_hunt.repairs import judge_repair, remarks
from classroom.checks.a4_bug_hunt.verdicts import judge_test, judge_verdicts, judge_wolf
from classroom.checks.graded import graded_as

check_test_rows = graded_as(
    "test_rows_sum_to_one stops where rows do not sum to 1, and nowhere else.", judge_test, "rows"
)
check_test_scale = graded_as(
    "test_scale stops at a wrong scale, and at nothing that is right without a mask.", judge_test, "scale"
)
check_test_hidden = graded_as(
    "test_hidden_keys stops where a hidden key is read, and at no right one.", judge_test, "hidden"
)
check_test_extremes = graded_as(
    "test_extremes stops where large scores or empty rows do harm, and at no right one.", judge_test, "extremes"
)
check_test_order = graded_as("test_order stops where tokens are mixed up, and at no right one.", judge_test, "order")

check_finds_rows = graded_as("is_right finds rows that do not sum to 1, in six forms.", judge_verdicts, "rows")
check_finds_scale = graded_as("is_right finds a wrong scale, in five forms.", judge_verdicts, "scale")
check_finds_hidden = graded_as("is_right finds hidden keys that are read, in six forms.", judge_verdicts, "hidden")
check_finds_extremes = graded_as(
    "is_right finds what large scores and empty rows break, in five forms.", judge_verdicts, "extremes"
)
check_finds_order = graded_as("is_right finds tokens that are mixed up, in four forms.", judge_verdicts, "order")
check_cries_no_wolf = graded_as(
    "is_right says True to six right ones that it had not seen, and False to a hopeless one.", judge_wolf
)

check_causes_1_to_4 = told_when_graded(range(1, 5))
check_causes_5_to_8 = told_when_graded(range(5, 9))
check_causes_9_to_12 = told_when_graded(range(9, 13))

check_repaired_2 = graded_as("number 2 is repaired.", judge_repair, 2)
check_repaired_4 = graded_as("number 4 is repaired.", judge_repair, 4)
check_repaired_7 = graded_as("number 7 is repaired.", judge_repair, 7)
check_repaired_9 = graded_as("number 9 is repaired.", judge_repair, 9)
check_repaired_12 = graded_as("number 12 is repaired.", judge_repair, 12)
