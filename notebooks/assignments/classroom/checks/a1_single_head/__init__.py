"""Checks of the assignment a1_single_head: from a sentence's words to its context vectors."""

from classroom.checks.a1_single_head import attention, encode, scores, sentences, softmax
from classroom.checks.a1_single_head.sentences import variation
from classroom.checks.a1_single_head.softmax import remarks
from classroom.checks.graded import checks_in

globals().update(checks_in(attention, encode, scores, sentences, softmax))
