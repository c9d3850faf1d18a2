"""Checks of the assignment a1_single_head: from a sentence's words to its context vectors."""

from classroom.checks.a1_single_head import attention, scores, sentences
from classroom.checks.a1_single_head.attention import remarks
from classroom.checks.a1_single_head.sentences import variation
from classroom.checks.graded import checks_in

globals().update(checks_in(attention, scores, sentences))
