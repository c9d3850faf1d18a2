"""Checks of the assignment a1_single_head: from a sentence's words to its context vectors."""

from classroom.checks.graded import checks_in

globals().update(checks_in(__name__, __path__))
