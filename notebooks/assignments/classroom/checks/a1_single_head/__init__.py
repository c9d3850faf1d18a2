"""Checks of the assignment a1_single_head: from a sentence's words to its context vectors."""

from classroom.checks.a1_single_head.attention import (
    check_attention_batch,
    check_attention_context,
    check_attention_weights,
)
from classroom.checks.a1_single_head.encode import check_encode_case, check_encode_order, check_encode_unknown
from classroom.checks.a1_single_head.scores import (
    check_project,
    check_scores_batch,
    check_scores_rows,
    check_scores_scale,
)
from classroom.checks.a1_single_head.sentences import check_most_read, check_sentence_context, variation
from classroom.checks.a1_single_head.softmax import (
    check_softmax_batch,
    check_softmax_large,
    check_softmax_rows,
    remarks,
)
