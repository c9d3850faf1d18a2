"""Checks of the assignment a1_single_head: from a sentence's words to its context vectors."""

# ruff: noqa: F401, I001
from .attention import check_attention_batch, check_attention_context, check_attention_weights, check_softmax_batch
from .attention import check_softmax_large, check_softmax_rows, note_code
from .attention import check_project, check_scores_batch, check_scores_rows, check_scores_scale
from .sentences import check_encode_case, check_encode_order, check_encode_unknown, check_most_read
from .sentences import check_sentence_context, variation
