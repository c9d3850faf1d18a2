"""The reader's own pieces for the models of notebooks 18 and 19, with the course's where one is missing."""

from types import SimpleNamespace

from companion.checks import (
    notebook_01,
    notebook_05,
    notebook_06,
    notebook_08,
    notebook_09,
    notebook_11,
    notebook_12,
    notebook_16,
    notebook_18,
)
from companion.checks.exercise import yours_or
from companion.course_answers import head_removed
from utils.attention import attention, causal_mask, merge_heads, split_heads
from utils.positions import rotate
from utils.transformer import EncoderBlock

PIECES = {  # {check of an exercise: the course's own}, as the notebooks come
    notebook_01.check_encode: notebook_01.encoded,
    notebook_05.check_softmax: notebook_05.row_softmax,
    notebook_06.check_my_attention: attention,
    notebook_08.check_causal_mask: causal_mask,
    notebook_09.check_split_heads: split_heads,
    notebook_09.check_merge_heads: merge_heads,
    notebook_09.check_without_head: head_removed,
    notebook_11.check_turn: rotate,
    notebook_12.check_pre_norm_block: EncoderBlock,
    notebook_16.check_read_on: notebook_16.read_next,
}
LANGUAGE = {  # for the language model of notebook 19
    notebook_01.check_encode: notebook_01.encoded,
    notebook_01.check_apply_merges: notebook_01.merges_applied,
    notebook_06.check_my_attention: attention,
    notebook_09.check_split_heads: split_heads,
    notebook_09.check_merge_heads: merge_heads,
    notebook_11.check_turn: rotate,
    notebook_12.check_pre_norm_block: EncoderBlock,
    notebook_18.check_next_logits: notebook_18.logits_of_next,
    notebook_18.check_next_shares: notebook_18.shares_of_next,
}


def gather(wanted=PIECES):
    """Return the pieces under their names, and say of each whose it is, and how many are the reader's own."""
    pieces = {check.name: yours_or(ours, check) for check, ours in wanted.items()}
    own = sum(piece is not ours for piece, ours in zip(pieces.values(), wanted.values()))
    print(f"{own} of {len(pieces)} pieces are your own")
    return SimpleNamespace(**pieces)
