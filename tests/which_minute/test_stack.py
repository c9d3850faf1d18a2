"""The stack of blocks that learns which "minute" is meant, which notebook 11 trains in many kinds."""

import torch

from companion.which_minute import stack
from utils.transformer import EncoderBlock

WORDS = ["she", "noticed", "one", "minute", "pause", "today"]


def test_attentions_in_a_row_make_all_words_alike_and_blocks_do_not():
    embedded, attended, blocks = stack.alike(WORDS)
    assert torch.allclose(attended, torch.ones(6), atol=1e-2)
    assert embedded.argmax() == blocks.argmax() == WORDS.index("minute") and blocks.min() < 0.5


def test_the_picture_of_the_stages_speaks_of_words_and_not_of_queries():
    picture = stack.stages(WORDS)
    (axes,) = picture.figure.axes
    assert (axes.get_xlabel(), axes.get_ylabel()) == ("words of the sentence →", "← stage")
    assert "after 4 attentions, 1.00 to 1.00" in picture.caption and "quer" not in picture.caption


def test_the_same_seed_trains_the_same_stack_and_a_warm_up_another(monkeypatch):
    monkeypatch.setattr(stack, "STEPS", 3)
    asked = stack.encode([WORDS])
    logits = [stack.trained(EncoderBlock, 2, 0, warm_up)(*asked)[0] for warm_up in (0, 0, 3)]
    assert logits[0].equal(logits[1]) and not logits[0].equal(logits[2])


def test_the_answers_behind_the_last_block_are_the_models():
    torch.manual_seed(0)
    model = stack.Stack([EncoderBlock(*stack.SIZES) for _ in range(2)])
    ids, mask, positions = stack.encode([WORDS])
    logits, streams = model(ids, mask, positions)
    assert logits.shape == (1, 3) and streams.shape == (3, 1, 6, 16)
    assert torch.allclose(model.read(streams[-1], positions), logits)
