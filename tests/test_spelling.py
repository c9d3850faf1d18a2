"""The small model that learns to spell, in which notebook 17 tries variants of attention."""

import torch

from companion import spelling
from companion.spelling import D_MODEL, LONGEST, NUM_HEADS, FiveLines, train
from utils.attention import MultiHeadAttention, causal_mask


def test_it_is_judged_by_words_it_was_not_trained_on(monkeypatch):
    seen = []
    monkeypatch.setattr(spelling, "_loss", lambda model, ids: seen.append(ids.tolist()) or model.output.bias.sum())
    train(FiveLines, steps=10)
    *learned, judged = seen
    assert len(learned) == 10 and len(judged) == 1000
    assert not {tuple(word) for batch in learned for word in batch} & {tuple(word) for word in judged}


def test_its_five_lines_are_multi_head_attention():
    torch.manual_seed(0)
    five, inputs, mask = FiveLines(), torch.randn(2, LONGEST + 1, D_MODEL), causal_mask(LONGEST + 1)
    course = MultiHeadAttention(D_MODEL, NUM_HEADS)
    course.load_state_dict(five.state_dict())
    torch.testing.assert_close(five(inputs, mask), course(inputs, mask=mask))


def test_training_leaves_the_readers_random_numbers_alone():
    before = torch.get_rng_state()
    train(FiveLines, steps=1)
    assert torch.get_rng_state().equal(before)
