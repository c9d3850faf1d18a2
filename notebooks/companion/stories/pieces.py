"""The reader's own pieces for the model of notebook 17, with the course's in place of those that are missing."""

from types import SimpleNamespace

from companion import timing
from companion.checks import (
    notebook_01,
    notebook_05,
    notebook_06,
    notebook_07,
    notebook_08,
    notebook_10,
    notebook_11,
    notebook_11_blocks,
    notebook_12,
    notebook_15_cache,
)
from companion.checks.exercise import yours_or
from utils import attention as course
from utils.positions import rotate
from utils.transformer import EncoderBlock

PIECES = {  # {check of an exercise: the course's own}, as the notebooks come
    notebook_01.check_encode: notebook_01.encoded,
    notebook_05.check_softmax: notebook_05.RIGHT,
    notebook_06.check_my_attention: course.attention,
    notebook_07.check_causal_mask: course.causal_mask,
    notebook_08.check_split_heads: course.split_heads,
    notebook_08.check_merge_heads: course.merge_heads,
    notebook_10.check_turn: rotate,
    notebook_11.check_layer_norm: notebook_11.pytorchs_norm,
    notebook_11_blocks.check_pre_norm_block: EncoderBlock,
    notebook_12.check_training_step: notebook_12.one_step,
    notebook_12.check_knock_out: notebook_12.without_head,
    notebook_15_cache.check_read_on: notebook_15_cache.read_next,
}
NORMS = {"after_attention.norm": "norm1", "after_feed_forward.norm": "norm2"}  # a block of the course, of the reader
ELSEWHERE = "(a text of your machine: run the cell)"


def gather():
    """Return the pieces under their names, and say of each whose it is, and how many are the reader's own."""
    pieces = {check.name: yours_or(ours, check) for check, ours in PIECES.items()}
    own = sum(piece is not ours for piece, ours in zip(pieces.values(), PIECES.values()))
    print(f"{own} of {len(pieces)} pieces are your own")
    return SimpleNamespace(**pieces)


def named(state, model):
    """Return the weights of a `Writer` by the names that they have in a model of the reader's blocks."""
    for theirs, own in NORMS.items():
        if any(f".{own}." in name for name in model.state_dict()):
            state = {name.replace(theirs, own): weight for name, weight in state.items()}
    return state


def page(text):
    """Show a text in a page that a stored notebook does not keep, because it differs from machine to machine."""
    timing.page(text, ELSEWHERE)
