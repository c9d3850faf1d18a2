"""Checks of the assignment a4_bug_hunt: a student's tests meet right and wrong attentions; causes; repairs."""

# ruff: noqa: F401, I001
from .attentions import variation
from .repairs import check_causes_1_to_4, check_causes_5_to_8, check_causes_9_to_12, check_repaired_12, check_repaired_2
from .repairs import check_repaired_4, check_repaired_7, check_repaired_9, note_code
from .verdicts import check_cries_no_wolf, check_finds_extremes, check_finds_hidden, check_finds_order, check_finds_rows
from .verdicts import check_finds_scale, check_test_extremes, check_test_hidden, check_test_order, check_test_rows
from .verdicts import check_test_scale
