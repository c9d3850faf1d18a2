"""The stack of blocks that learns which "minute" is meant, which notebook 11 trains in many kinds."""

import torch

from companion.which_minute import stack
from utils.transformer import EncoderBlock

WORDS = ["she", "noticed", "one", "minute", "pause", "today"]


def test_attentions_in_a_row_make_all_words_alike_and_blocks_do_not():
    embedded, attended, blocks = stack.alike(WORDS)
    assert torch.allclose(attended, torch.ones(6), atol=1e-2)
    assert embedded.argmax() == blocks.argmax() == WORDS.index("minute") and blocks.min() < 0.5


def test_the_same_seed_trains_the_same_stack_and_a_warm_up_another(monkeypatch):
    monkeypatch.setattr(stack, "STEPS", 3)
    found = [stack.answers(stack.trained(EncoderBlock, 2, 0, warm_up), WORDS) for warm_up in (0, 0, 3)]
    assert found[0].equal(found[1]) and not found[0].equal(found[2])
    assert found[0].shape == (3, 3) and torch.allclose(found[0].sum(dim=-1), torch.ones(3).double())


def test_the_answers_behind_the_last_block_are_the_models():
    torch.manual_seed(0)
    model = stack.Stack([EncoderBlock(*stack.SIZES) for _ in range(2)])
    logits, streams = model(*stack.encode([WORDS]))
    assert streams.shape == (3, 1, 6, 16)
    assert torch.allclose(stack.answers(model, WORDS)[-1], torch.softmax(logits[0], dim=-1))
