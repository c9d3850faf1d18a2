"""Checks of the assignment a2_masks_and_modules: the two masks, attention under a mask, and a causal module."""

from classroom.checks.graded import checks_in

globals().update(checks_in(__name__, __path__))
