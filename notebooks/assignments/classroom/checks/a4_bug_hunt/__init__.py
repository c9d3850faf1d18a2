"""Checks of the assignment a4_bug_hunt: a student's tests meet right and wrong attentions; causes; repairs."""

from classroom.checks.a4_bug_hunt import repairs, verdicts
from classroom.checks.a4_bug_hunt.attentions import variation
from classroom.checks.a4_bug_hunt.repairs import remarks
from classroom.checks.graded import checks_in

globals().update(checks_in(repairs, verdicts))
