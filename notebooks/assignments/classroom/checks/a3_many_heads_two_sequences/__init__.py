"""Checks of the assignment a3_many_heads_two_sequences: many heads, two sequences, and the proof against PyTorch's."""

from classroom.checks.graded import checks_in

globals().update(checks_in(__name__, __path__))
