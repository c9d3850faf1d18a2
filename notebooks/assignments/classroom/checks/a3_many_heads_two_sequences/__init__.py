"""Checks of the assignment a3_many_heads_two_sequences: many heads, two sequences, and the proof against PyTorch's."""

# ruff: noqa: F401, I001
from .one_sequence import check_context, check_merge_heads, check_output_projection, check_parameters, check_split_heads
from .one_sequence import check_weights_rows, check_weights_scale
from .proof import check_copy_in, check_copy_out, check_difference, check_difference_cross, check_difference_mask
from .proof import note_code
from .two_sequences import check_cross_values, check_cross_weights, check_mask, check_mask_batch, check_mask_empty
from .two_sequences import check_read_by_heads, variation
