"""Checks of the assignment a4_bug_hunt: a student's tests meet right and wrong attentions; causes; repairs."""

from classroom.checks.graded import checks_in

globals().update(checks_in(__name__, __path__))
