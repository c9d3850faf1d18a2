"""Checks of the assignment a3_many_heads_two_sequences: many heads, two sequences, and the proof against PyTorch's."""

from classroom.checks import gather
from classroom.checks.a3_many_heads_two_sequences import one_sequence, proof, two_sequences

globals().update(gather(one_sequence, proof, two_sequences))
