"""Checks of the assignment a2_masks_and_modules: the two masks, attention under a mask, and a causal module."""

from classroom.checks import gather
from classroom.checks.a2_masks_and_modules import leaks, masks, module

globals().update(gather(leaks, masks, module))
