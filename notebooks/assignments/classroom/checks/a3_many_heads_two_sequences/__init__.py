"""Checks of the assignment a3_many_heads_two_sequences: many heads, two sequences, and the proof against PyTorch's."""

from classroom.checks.a3_many_heads_two_sequences.copied_weights import check_copy_in, check_copy_out, remarks
from classroom.checks.a3_many_heads_two_sequences.one_sequence import (
    check_context,
    check_merge_heads,
    check_output_projection,
    check_parameters,
    check_split_heads,
    check_weights_rows,
    check_weights_scale,
)
from classroom.checks.a3_many_heads_two_sequences.proof import (
    check_difference,
    check_difference_cross,
    check_difference_mask,
)
from classroom.checks.a3_many_heads_two_sequences.sentences import check_read_by_heads, variation
from classroom.checks.a3_many_heads_two_sequences.two_sequences import (
    check_cross_values,
    check_cross_weights,
    check_mask,
    check_mask_batch,
    check_mask_empty,
)
