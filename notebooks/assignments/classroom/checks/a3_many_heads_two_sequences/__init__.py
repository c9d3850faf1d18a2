"""Checks of the assignment a3_many_heads_two_sequences: many heads, two sequences, and the proof against PyTorch's."""

from classroom.checks.a3_many_heads_two_sequences import one_sequence, proof, sentences, two_sequences
from classroom.checks.a3_many_heads_two_sequences.proof import remarks
from classroom.checks.a3_many_heads_two_sequences.sentences import variation
from classroom.checks.graded import checks_in

globals().update(checks_in(one_sequence, proof, sentences, two_sequences))
