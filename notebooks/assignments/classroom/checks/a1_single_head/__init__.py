"""Checks of the assignment a1_single_head: from a sentence's words to its context vectors."""

from classroom.checks import gather
from classroom.checks.a1_single_head import attention, sentences

globals().update(gather(attention, sentences))
