"""Checks of the assignment a4_bug_hunt: a student's tests meet right and wrong attentions; causes; repairs."""

from classroom.checks import gather
from classroom.checks.a4_bug_hunt import attentions, repairs, verdicts

globals().update(gather(attentions, repairs, verdicts))
